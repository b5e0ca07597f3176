import { expect, test } from 'vitest';
import { findFutureValues } from './happened.rule.ts';

const NOW = new Date('2026-11-24T12:00:00.000Z');

test.each<[string, unknown, string[]]>([
  ['a check that is to come', { licensesCheckedAt: '2026-11-24T12:00:01Z' }, ['licensesCheckedAt']],
  ['a check of this moment', { licensesCheckedAt: '2026-11-24T12:00:00Z' }, []],
  ['a check with an offset', { licensesCheckedAt: '2026-11-24T13:59:00+02:00' }, []],
  ['a firm of a year that is to come', { foundedYear: 2099 }, ['foundedYear']],
  ['a firm of this year', { foundedYear: 2026 }, []],
  ['a licence of tomorrow', { licenses: [{}, { activeSince: '2026-11-26' }] }, ['licenses.1.activeSince']],
  ['a licence of a day that has begun elsewhere', { licenses: [{ activeSince: '2026-11-25' }] }, []],
  ['a year with a typing error', { licenses: [{ issuedAt: '2090-03-01T00:00:00Z' }] }, ['licenses.0.issuedAt']],
  [
    'a source that was looked at later',
    { provenance: [{ lastVerifiedAt: '2027-01-01T00:00:00Z' }] },
    ['provenance.0.lastVerifiedAt'],
  ],
  ['a reply that is to come', { reply: { createdAt: '2027-01-01T00:00:00Z' } }, ['reply.createdAt']],
  [
    'an end and a change that are to come',
    { expiresAt: '2090-01-01T00:00:00Z', statusEffectiveAt: '2027-01-01T00:00:00Z' },
    [],
  ],
  ['no time', { lastVerifiedAt: null, foundedYear: null, name: '2099' }, []],
])('%s', (_, row, columns) => {
  expect(findFutureValues(row, NOW).map(({ column }) => column)).toEqual(columns);
});
