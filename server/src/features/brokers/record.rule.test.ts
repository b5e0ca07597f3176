import { expect, test } from 'vitest';
import { LicenseRecord, listForeignColumns } from './record.rule.ts';

const license = LicenseRecord.parse({
  entity: { legalName: 'Alpha Ltd' },
  regulatorCode: 'cysec',
  referenceNumber: '1',
  type: 'authorisation',
  status: 'active',
  sourceUrl: 'https://register.example/1',
});
const passport: LicenseRecord = { ...license, type: 'passport', referenceNumber: '2', notifiedCountries: ['DE'] };

test.each([
  ['register', []],
  ['authority', []],
  ['editor', []],
  ['dataset', ['licenses.1.notifiedCountries']],
  ['broker', ['licenses.1.notifiedCountries']],
] as const)('a source of kind %s cannot state the columns %j', (kind, expected) => {
  expect(listForeignColumns([license, passport], { kind, name: 'any' })).toEqual(expected);
  expect(listForeignColumns([license], { kind, name: 'any' })).toEqual([]);
});
