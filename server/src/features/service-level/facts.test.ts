import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import type { ProbeResult } from '@broker-transparency/service-level';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db, transaction } from '../../platform/mongo.ts';
import { findFirstMinute, listProbers, listSealedDays, readMeasured } from './facts.ts';
import { packFigures, unpackFigures } from './figures.rule.ts';
import * as store from './store.ts';

let database: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});

const result = (minute: string, more: Partial<ProbeResult> = {}): ProbeResult => ({
  prober: 'a',
  minute,
  checks: { public: { ok: true, ms: 41 }, proof: { ok: false, ms: 0, error: 'wrong' } },
  previous: null,
  ...more,
});

test('figures keep what is counted', () => {
  const results = [result('2026-11-23T00:00Z'), result('2026-11-23T23:59Z', { freshnessMs: 0, webhookMs: 700 })];
  expect(unpackFigures('2026-11-23', packFigures(results))).toEqual([
    { minute: '2026-11-23T00:00Z', checks: { public: { ok: true, ms: 41 }, proof: { ok: false, ms: 0 } } },
    {
      minute: '2026-11-23T23:59Z',
      checks: { public: { ok: true, ms: 41 }, proof: { ok: false, ms: 0 } },
      freshnessMs: 0,
      webhookMs: 700,
    },
  ]);
  expect(unpackFigures('2026-11-23', '')).toEqual([]);
});

/** Appends results as lines. */
const append = (date: string, prober: string, results: readonly ProbeResult[], from = 0) => {
  const added = results.map((one) => ({ text: JSON.stringify(one), figures: packFigures([one]) }));
  return transaction(db, (tx) =>
    store.appendLines({ date, prober }, { added, from, head: `${from + added.length}` }, tx),
  );
};

test('facts say which probers had a vote on a day, and what they delivered', async () => {
  expect(await findFirstMinute(db)).toBeUndefined();
  await transaction(db, async (tx) => {
    await store.insertProber({ _id: 'never', key: 'n', since: '2026-11-20T10:00Z', until: '2026-11-20T10:00Z' }, tx);
    await store.insertProber({ _id: 'a', key: 'k', since: '2026-11-23T10:01Z' }, tx);
    await store.insertProber({ _id: 'b', key: 'l', since: '2026-11-22T10:00Z', until: '2026-11-23T00:00Z' }, tx);
  });
  expect(await findFirstMinute(db)).toBe('2026-11-22T10:00Z');
  expect((await listProbers(db)).map(({ name }) => name)).toEqual(['a', 'b', 'never']);

  const minutes = Array.from({ length: 130 }, (_, at) => new Date(Date.parse('2026-11-23T10:01Z') + at * 60_000));
  const results = minutes.map((minute) => result(`${minute.toISOString().slice(0, 16)}Z`));
  await append('2026-11-23', 'a', results.slice(0, 59));
  await append('2026-11-23', 'a', results.slice(59, 130), 59);
  expect(await store.findDay(db, '2026-11-23', 'a')).toMatchObject({ lines: 130, head: '130' });
  expect((await store.readText(db, '2026-11-23', 'a')).split('\n').slice(0, -1)).toEqual(
    results.map((one) => JSON.stringify(one)),
  );
  const { days } = await readMeasured(db, '2026-11-22T10:00Z', '2026-11-24T00:00Z');
  expect(days.map(({ date, probers }) => [date, probers.map(({ name, results: own }) => [name, own.length])])).toEqual([
    ['2026-11-22', [['b', 0]]],
    ['2026-11-23', [['a', 130]]],
  ]);
  expect(await listSealedDays(db)).toEqual([]);
});
