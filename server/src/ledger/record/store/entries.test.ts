import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db, ensureModels } from '../../../platform/mongo.ts';
import { Entries } from './collections.ts';
import { findLatest } from './entries.ts';

/** Entries of each key, and the keys. */
const [EACH, KEYS] = [40, ['broker/a', 'broker/b', 'review/c']];

let database: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  database = await openScratchDatabase();
  db = await connectMongo(database.url);
  await ensureModels(db);
  const entries = KEYS.flatMap((key, at) =>
    Array.from({ length: EACH }, (_, sequence) => ({
      change: new Types.ObjectId(),
      changeIndex: 0,
      changeSize: 1,
      key,
      sequence,
      subject: key,
      kind: 'broker',
      cause: 'fact',
      value: '{}',
      number: sequence * KEYS.length + at,
      time: '2026-11-02T00:00:00.000Z',
    })),
  );
  await Entries(db).collection.insertMany(entries as never[]);
});
afterAll(async () => {
  await closeDb(db);
  await database?.remove();
});

test.each([
  ['at the end', 3 * EACH, [117, 118, 119]],
  ['at an early number', 5, [3, 4, 2]],
  ['at a number that only one key reaches', 1, [0]],
  ['before the first entry', 0, []],
])('returns the last entry of each key below a number: %s', async (_, below, numbers) => {
  const found = await findLatest(db, [...KEYS, 'review/none'], below);
  expect(found.map(({ number }) => number)).toEqual(numbers);
});
