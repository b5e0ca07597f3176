import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CellNotation,
  DAY_ORDERS,
  type DayOrder,
  describeBrokenCell,
  type ParseResult,
  parseAmount,
  parseBoolean,
  parseDay,
  parseNumber,
  parseText,
  parseTime,
  type SheetCell,
  toCellText,
} from './cell.rule.ts';

const outcome = (parsed: ParseResult<unknown>): unknown => ('fault' in parsed ? parsed.fault : parsed.value);
const noon = new Date('2025-12-31T12:00:00Z');
const midnight = new Date('2025-12-31T00:00:00Z');

describe('the text of a cell', () => {
  test.each<[SheetCell, string]>([
    [' x ', 'x'],
    [218600, '218600'],
    [0.1 + 0.2, '0.3'],
    [-1.5, '-1.5'],
    [1e21, '1000000000000000000000'],
    [0.000_000_12, '0.00000012'],
    [true, 'true'],
    [midnight, '2025-12-31'],
    [noon, '2025-12-31T12:00:00.000Z'],
    [new Date(Number.NaN), 'a time out of range'],
  ])('%j is %j', (cell, text) => {
    expect(toCellText(cell)).toBe(text);
  });
});

describe('a boolean', () => {
  test.each<[SheetCell, boolean]>([
    [true, true],
    ['true', true],
    ['TRUE', true],
    ['WAHR', true],
    ['Vrai', true],
    ['FALSCH', false],
    ['FAUX', false],
    ['falso', false],
    [false, false],
  ])('reads the value from %j', (cell, value) => {
    expect(parseBoolean(cell)).toEqual({ value });
  });

  test.each<SheetCell>(['yes', '1', 1, 'j', 'x', noon])('a boolean is not guessed from %j', (cell) => {
    expect(outcome(parseBoolean(cell))).toMatch(/^must be true or false, not "/);
  });
});

describe('a number', () => {
  test.each<[SheetCell, CellNotation, number]>([
    [12, {}, 12],
    [1.5, { decimals: 'comma' }, 1.5],
    ['1.5', {}, 1.5],
    ['-12', {}, -12],
    ['1,5', { decimals: 'comma' }, 1.5],
    ['1.234,5', { decimals: 'comma' }, 1234.5],
    ['1\u202f234,5', { decimals: 'comma' }, 1234.5],
    ['1,234.5', { decimals: 'point' }, 1234.5],
    ['1234', { decimals: 'comma' }, 1234],
  ])('reads the value from %j with %j', (cell, forms, value) => {
    expect(parseNumber(cell, forms)).toEqual({ value });
  });

  test.each<[SheetCell, CellNotation, string]>([
    ['1,5', {}, 'must be a number with a decimal point, not "1,5": state --decimals comma'],
    ['1,234', {}, 'must be a number: "1,234" can be two; state --decimals comma or --decimals point'],
    ['1,234.5', {}, 'must be a number without signs between thousands, not "1,234.5": state --decimals point'],
    ['1.5', { decimals: 'comma' }, 'must be a number with a decimal comma, not "1.5"'],
    ['12,34,567', { decimals: 'point' }, 'must be a number, not "12,34,567"'],
    ['1e3', {}, 'must be a number, not "1e3"'],
    ['١٢', {}, 'must be a number, not "١٢"'],
    [noon, {}, 'must be a number, not "2025-12-31T12:00:00.000Z"'],
    ['x'.repeat(50), {}, `must be a number, not "${'x'.repeat(40)}…"`],
  ])('refuses to guess the value from %j with %j: %s', (cell, forms, fault) => {
    expect(parseNumber(cell, forms)).toEqual({ fault });
  });
});

describe('an amount', () => {
  test.each<[SheetCell, CellNotation, unknown]>([
    [250, {}, '250.00'],
    [250.5, {}, '250.50'],
    ['250.00', {}, '250.00'],
    ['250', {}, '250.00'],
    ['1.250,5', { decimals: 'comma' }, '1250.50'],
    ['250.005', {}, 'must have at most two decimals, not "250.005"'],
    ['250,00', {}, 'must be a number with a decimal point, not "250,00": state --decimals comma'],
  ])('%j with %j is %j', (cell, forms, expected) => {
    expect(outcome(parseAmount(cell, forms))).toBe(expected);
  });
});

describe('a day', () => {
  test.each<[SheetCell, CellNotation, string]>([
    ['2025-12-31', {}, '2025-12-31'],
    ['2025-12-31', { dates: 'dmy' }, '2025-12-31'],
    [midnight, {}, '2025-12-31'],
    ['31/12/2025', { dates: 'dmy' }, '2025-12-31'],
    ['31.12.2025', { dates: 'dmy' }, '2025-12-31'],
    ['1-2-2025', { dates: 'dmy' }, '2025-02-01'],
    ['1/2/2025', { dates: 'mdy' }, '2025-01-02'],
    ['2025/12/31', { dates: 'ymd' }, '2025-12-31'],
  ])('reads the value from %j with %j', (cell, forms, value) => {
    expect(parseDay(cell, forms)).toEqual({ value });
  });

  test.each<[SheetCell, CellNotation, string]>([
    [
      '31/12/2025',
      {},
      'must be a day as YYYY-MM-DD, not "31/12/2025": state the order of its parts, --dates dmy, mdy or ymd',
    ],
    [
      '2025/12/31',
      {},
      'must be a day as YYYY-MM-DD, not "2025/12/31": state the order of its parts, --dates dmy, mdy or ymd',
    ],
    ['12/31/2025', { dates: 'dmy' }, 'must be a day as dmy or YYYY-MM-DD, not "12/31/2025"'],
    ['31/02/2025', { dates: 'dmy' }, 'must be a day as dmy or YYYY-MM-DD, not "31/02/2025"'],
    [
      '2025-02-31',
      {},
      'must be a day as YYYY-MM-DD, not "2025-02-31": state the order of its parts, --dates dmy, mdy or ymd',
    ],
    ['1/2.2025', { dates: 'dmy' }, 'must be a day as dmy or YYYY-MM-DD, not "1/2.2025"'],
    ['31/12/25', { dates: 'dmy' }, 'must be a day with four digits of the year, not "31/12/25"'],
    [
      46_022,
      {},
      'must be a day, not "46022": if it is a count of days, meant as 2025-12-31, format the column as a date',
    ],
    [
      '46022',
      { dates: 'dmy' },
      'must be a day, not "46022": if it is a count of days, meant as 2025-12-31, format the column as a date',
    ],
    [2025, {}, 'must be a day as YYYY-MM-DD, not "2025"'],
    [noon, {}, 'must be a day without a time, not "2025-12-31T12:00:00.000Z"'],
    ['soon', {}, 'must be a day as YYYY-MM-DD, not "soon"'],
  ])('refuses to guess the value from %j with %j: %s', (cell, forms, fault) => {
    expect(parseDay(cell, forms)).toEqual({ fault });
  });

  test('a day written in an order is read in that order; in another one it is another day or none', () => {
    const day = fc.date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    const written = (iso: string, order: DayOrder, sign: string): string => {
      const [y, m, d] = iso.split('-');
      return { dmy: [d, m, y], mdy: [m, d, y], ymd: [y, m, d] }[order].join(sign);
    };
    fc.assert(
      fc.property(
        day,
        fc.constantFrom(...DAY_ORDERS),
        fc.constantFrom(...DAY_ORDERS),
        fc.constantFrom('/', '.'),
        (time, order, other, sign) => {
          const iso = time.toISOString().slice(0, 10);
          const text = written(iso, order, sign);
          expect(parseDay(text, { dates: order })).toEqual({ value: iso });
          const read = parseDay(text, { dates: other });
          if ('value' in read) expect(written(read.value, other, sign)).toBe(text);
        },
      ),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});

describe('a time', () => {
  test.each<[SheetCell, CellNotation, string]>([
    ['2025-12-31T12:00:00Z', {}, '2025-12-31T12:00:00Z'],
    ['2025-12-31T12:00:00.5Z', {}, '2025-12-31T12:00:00.5Z'],
    ['2025-12-31T12:00:00+02:00', {}, '2025-12-31T10:00:00.000Z'],
    ['2025-12-31', {}, '2025-12-31T00:00:00.000Z'],
    ['31.12.2025', { dates: 'dmy' }, '2025-12-31T00:00:00.000Z'],
    ['31.12.2025 9:30', { dates: 'dmy' }, '2025-12-31T09:30:00.000Z'],
    ['2025-12-31 09:30:15', {}, '2025-12-31T09:30:15.000Z'],
    [noon, {}, '2025-12-31T12:00:00.000Z'],
  ])('reads the value from %j with %j', (cell, forms, value) => {
    expect(parseTime(cell, forms)).toEqual({ value });
  });

  test.each<[SheetCell, CellNotation, RegExp]>([
    ['31.12.2025 9:30', {}, /must be a day or a time as YYYY-MM-DD, not "31.12.2025": state the order/],
    ['2025-12-31 25:00', {}, /must be a time such as 2026-11-02T09:30:00Z, not "2025-12-31 25:00"/],
    ['2025-12-31T12:00:00-00:00', {}, /must be a/],
    ['yesterday', {}, /must be a day or a time as YYYY-MM-DD, not "yesterday"/],
  ])('a time is not guessed from %j with %j', (cell, forms, fault) => {
    expect(outcome(parseTime(cell, forms))).toMatch(fault);
  });
});

describe('text', () => {
  test.each<[SheetCell, string]>([
    ['000218600', '000218600'],
    [218600, '218600'],
    [true, 'true'],
  ])('reads the value from %j', (cell, value) => {
    expect(parseText(cell)).toEqual({ value });
  });

  test.each<[SheetCell, RegExp]>([
    ['1.23457E+11', /"1.23457E\+11", which a spreadsheet shortened: format the column as text/],
    ['1,23457E+11', /which a spreadsheet shortened/],
    [1_234_567_890_123_456, /which a spreadsheet shortened/],
    [midnight, /not the date 2025-12-31: format the column as text and enter it again/],
  ])('refuses text that a spreadsheet has changed: %j', (cell, fault) => {
    expect(outcome(parseText(cell))).toMatch(fault);
  });
});

test.each(['#N/A', '#NV', '#REF!', '#BEZUG!', '#DIV/0!', '#NAME?', '#VALEUR!'])(
  '%s is an error of a formula',
  (cell) => {
    expect(describeBrokenCell(cell)).toContain(`"${cell}", the error of a formula`);
  },
);

test.each<SheetCell>(['#', '#1', '#alpha', '# N/A', 'N/A', 5])('%j is an ordinary cell', (cell) => {
  expect(describeBrokenCell(cell)).toBeUndefined();
});
