import { expect, test } from 'vitest';
import { BrokerRecord, dateLicenses, LicenseRecord, listForeignColumns } from './record.rule.ts';

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

const AT = '2026-11-20T00:00:00.000Z';
const BEFORE = '2026-11-01T00:00:00.000Z';

test.each<[string, Partial<LicenseRecord>, readonly string[], string | null]>([
  ['takes the day on which all were compared', {}, ['licenses', 'licensesCheckedAt'], AT],
  ['keeps a day of its own', { lastVerifiedAt: BEFORE }, ['licenses', 'licensesCheckedAt'], BEFORE],
  ['has no day if it is unverified', { status: 'unverified' }, ['licenses', 'licensesCheckedAt'], null],
  ['does not take a day that another row stated', {}, ['licenses'], null],
])('an imported licence %s', (_, over, given, expected) => {
  const record = BrokerRecord.parse({
    slug: 'alpha',
    name: 'Alpha',
    legalName: 'Alpha Ltd',
    website: 'https://alpha.example',
    country: 'CY',
    licensesCheckedAt: AT,
    entities: [{ legalName: 'Alpha Ltd', country: 'CY' }],
    licenses: [{ ...license, ...over }],
  });
  expect(dateLicenses({ record, given: new Set(given) }).record.licenses).toEqual([
    { ...license, ...over, lastVerifiedAt: expected },
  ]);
});
