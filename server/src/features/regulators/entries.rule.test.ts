import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toRegulatorEntries } from './entries.rule.ts';
import { RegulatorRecord } from './record.rule.ts';

const file = new URL('../../../data/regulators.json', import.meta.url);
const records = (JSON.parse(readFileSync(file, 'utf8')) as unknown[]).map((row) => RegulatorRecord.parse(row));

test('a regulator has what is published of it, without the time at which somebody looked', () => {
  expect(records.length).toBeGreaterThan(10);
  for (const { code, ...record } of records) {
    const { lastVerifiedAt, ...fields } = record;
    const state = { _id: code, ...record, registerReadAt: null };
    expect(toRegulatorEntries(code, state)).toEqual([
      { kind: 'regulator', key: `regulator/${code}`, subject: `regulator/${code}`, value: { code, ...fields } },
    ]);
    const read = '2026-11-04T00:00:00.000Z';
    const later = { ...state, lastVerifiedAt: read, registerReadAt: read };
    expect(toRegulatorEntries(code, later)).toEqual(toRegulatorEntries(code, state));
  }
});

test('a regulator that is not published has no entries', () => {
  expect(toRegulatorEntries('fca', null)).toEqual([]);
});
