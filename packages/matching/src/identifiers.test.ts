import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completeLei, parseLei, plainNumber, registerNumber } from './identifiers.ts';

describe('LEIs', () => {
  test.each([
    ['529900T8BM49AURSDO55', '529900T8BM49AURSDO55'],
    [' 5299 00t8-bm49 aurs do55 ', '529900T8BM49AURSDO55'],
    ['529900T8BM49AURSDO56', undefined],
    ['529900T8BM49AURSDO5', undefined],
    ['n/a', undefined],
    ['', undefined],
  ])('%j is %j', (text, lei) => {
    expect(parseLei(text)).toBe(lei);
  });

  test('any other sign at any place is noticed', () => {
    const sign = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 18, maxLength: 18 }), fc.nat(17), sign, (start, at, other) => {
        const lei = completeLei(start.join(''));
        expect(parseLei(lei)).toBe(lei);
        if (lei[at] !== other) expect(parseLei(lei.slice(0, at) + other + lei.slice(at + 1))).toBeUndefined();
      }),
      { seed: 20_261_123 },
    );
  });
});

describe('numbers of registers', () => {
  test.each([
    ['FRN 123-456', 'fca', '123456'],
    ['Firm Reference Number: 123456', 'fca', '123456'],
    ['CIF 123/12', 'cysec', '123/12'],
    ['License No. 045/04', 'cysec', '45/04'],
    ['123/12', 'cysec', '123/12'],
    ['AFSL 000218600', 'asic', '218600'],
    ['AFS Licence No 218600', 'asic', '218600'],
    ['FSP No. 45052', 'fsca', '45052'],
    ['SD 012', 'fsa-sc', 'SD012'],
    ['CHE-123.456.789', 'finma', 'CHE123456789'],
    ['CNPJ 33.775.974/0001-04', 'cvm', '33775974/000104'],
    ['関東財務局長（金商）第1234号', 'fsa-jp', '関東財務局長金商第1234号'],
    ['SIBA/L/12/1027', 'fsc-vg', 'SIBA/L/12/1027'],
    ['siba/l/12/1027', undefined, 'SIBA/L/12/1027'],
    ['--', undefined, ''],
  ])('%j at %s is %j', (number, register, normal) => {
    expect(registerNumber(number, register)).toBe(normal);
    expect(registerNumber(normal, register)).toBe(normal);
  });

  test('a year is not run into its number', () => {
    expect(registerNumber('12/312', 'cysec')).not.toBe(registerNumber('123/12', 'cysec'));
  });

  test.each([
    ['FRN 123-456', 'FRN123456'],
    ['cif–12/3', 'CIF123'],
    ['１２３', '123'],
    ['--', ''],
  ])('%j without what people write between is %j', (number, plain) => {
    expect(plainNumber(number)).toBe(plain);
  });
});
