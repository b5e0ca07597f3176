import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db, database, transaction } from '../../platform/mongo.ts';
import { appendEntries } from '../record/append.ts';
import { numberEntries } from '../record/sequencer.ts';
import { growFounded, readHold } from './hold.ts';
import { type FindUnfounded, growTree, isTreeRight } from './tree.ts';

let scratch: ScratchDatabase;
let pools: Db[];
beforeAll(async () => {
  scratch = await openScratchDatabase();
  pools = [await connectMongo(scratch.url, PATIENT), await connectMongo(scratch.url, PATIENT)];
});
afterAll(async () => {
  await Promise.all(pools.map(closeDb));
  await scratch.remove();
});

beforeEach(async () => {
  const [db] = pools as [Db];
  for (const name of ['recordEntries', 'recordHeads', 'logHeads', 'logTiles'])
    await database(db).collection(name).deleteMany({});
});

const clock = () => new Date('2026-11-24T12:00:00Z');

/** Writes a change that says something of each of these keys. */
const write = (db: Db, names: readonly string[], tier = 1): Promise<void> =>
  transaction(db, (tx) =>
    appendEntries(
      names.map((name) => ({
        kind: 'regulator' as const,
        key: `regulator/${name}`,
        subject: `regulator/${name}`,
        value: { code: name, tier },
        cause: 'fact' as const,
      })),
      tx,
    ),
  );

const readSize = async (db: Db): Promise<number> =>
  (
    await database(db)
      .collection('logHeads')
      .findOne({ _id: 'tree' as never })
  )?.['size'] ?? 0;

test('a tree stops before the change that has an unfounded entry, and a later entry of its key does not release it', async () => {
  const [db] = pools as [Db];
  await write(db, ['a']);
  await write(db, ['b', 'c', 'd']);
  await numberEntries(db, clock);
  /** Compares the last entry of each key, as the service does: of `b` and `d` nobody publishes what they say. */
  const unfounded = new Set([1, 3]);
  const findUnfounded: FindUnfounded = async (_, from, below) => {
    const number = [...unfounded].find((one) => one >= from && one < below);
    return number === undefined ? undefined : { number, key: `entry ${number}`, why: 'nobody publishes it' };
  };
  const held = await growFounded(db, { findUnfounded, clock }).then(() => readHold(db));
  expect([await readSize(db), held?.size, held?.number]).toEqual([1, 1, 1]);
  await write(db, ['b'], 2);
  await numberEntries(db, clock);
  unfounded.delete(1); // a later entry of its key says what is published, so it is not compared any more
  await growFounded(db, { findUnfounded, clock });
  expect([await readSize(db), (await readHold(db))?.number]).toEqual([1, 1]);
});

test('a tree does not end within a change of which an entry is missing', async () => {
  const [db] = pools as [Db];
  await write(
    db,
    Array.from({ length: 997 }, (_, n) => `n${n}`),
  );
  await write(db, ['a', 'b', 'c', 'd', 'e', 'f']);
  await numberEntries(db, clock);
  await database(db).collection('recordEntries').deleteOne({ number: 999 });
  await expect(growTree(db, clock)).rejects.toThrow('entry 999 of the record is missing');
  expect([0, 997]).toContain(await readSize(db));
});

test('several processes that add the first entries at once add each of them once, and none fails', async () => {
  const [db] = pools as [Db];
  const drafts = Array.from({ length: 5 }, (_, n) => ({
    kind: 'regulator' as const,
    key: `regulator/r${n}`,
    subject: `regulator/r${n}`,
    value: { code: `r${n}` } as never,
    cause: 'start' as const,
  }));
  await transaction(db, (tx) => appendEntries(drafts, tx));
  await numberEntries(db, clock);
  await Promise.all([...pools, ...pools].map((each) => growTree(each, clock)));
  expect(await isTreeRight(db)).toBe(true);
});
