import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENT } from '../embedded/patient.ts';
import { openScratchDatabase, type ScratchDatabase } from '../embedded/scratch-database.ts';
import { closeDb, connectMongo, type Db, transaction } from '../mongo.ts';
import { appendEntries } from '../record/append.ts';
import { numberEntries } from '../record/sequencer.ts';
import { growTree, isTreeRight } from './tree.ts';

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

const clock = () => new Date('2026-11-24T12:00:00Z');

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
