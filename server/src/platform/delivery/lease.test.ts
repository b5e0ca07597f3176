import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db } from '../mongo.ts';
import { createLeases, type Lease } from './lease.ts';

/** A document that leases share. */
interface Target {
  readonly _id: string;
  readonly isOff: boolean;
  readonly lease?: Lease | null;
}

let scratch: ScratchDatabase;
let db: Db;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url, PATIENT);
});
afterAll(async () => {
  await closeDb(db);
  await scratch?.remove();
});
afterEach(() => targets().deleteMany({}));

const targets = () => db.connection.collection<Target>('targets');
const insertTargets = (...ids: string[]) => targets().insertMany(ids.map((_id) => ({ _id, isOff: false })));

const LASTING_MS = 60_000;
const startProcess = (lastsMs = LASTING_MS, most = 10) => {
  const terms = { where: { isOff: false }, lastsMs, mostAtOnce: 2, most };
  return createLeases({ collection: targets() as never }, terms);
};
const listLeased = async ({ by }: { readonly by: string }): Promise<string[]> =>
  (await targets().find({ 'lease.by': by }).sort({ _id: 1 }).toArray()).map(({ _id }) => _id);

test('processes share what there is, each document is with one, and none takes what is off', async () => {
  await insertTargets('a', 'b', 'c');
  await targets().insertOne({ _id: 'off', isOff: true });
  const [one, other] = [startProcess(), startProcess()];
  await one.keep(0);
  await other.keep(0);
  expect([await listLeased(one), await listLeased(other)]).toEqual([['a', 'b'], ['c']]);
});

test('a process takes nothing beyond what it may have', async () => {
  await insertTargets('a', 'b', 'c');
  const one = startProcess(LASTING_MS, 2);
  await one.keep(0);
  await one.keep(2);
  expect(await listLeased(one)).toEqual(['a', 'b']);
});

test('a renewed lease lasts longer, and one that is not renewed ends', async () => {
  await insertTargets('a', 'b');
  const [kept, ended, next] = [startProcess(), startProcess(1000), startProcess()];
  await ended.keep(0);
  expect(ended.isHeld()).toBe(true);
  while (ended.isHeld()) await sleep(50);
  expect(ended.isHeld()).toBe(false);
  while ((await listLeased(kept)).length === 0) await kept.keep(0); // the database ends the lease by its own time
  const before = await targets().findOne({ _id: 'a' });
  await sleep(20);
  await kept.keep(2);
  const after = await targets().findOne({ _id: 'a' });
  expect(after?.lease?.until.getTime()).toBeGreaterThan(before?.lease?.until.getTime() ?? Number.POSITIVE_INFINITY);
  await next.keep(0);
  expect([await listLeased(kept), await listLeased(next)]).toEqual([['a', 'b'], []]);
});

test('a released target is free at once', async () => {
  await insertTargets('a', 'b');
  const [one, other] = [startProcess(), startProcess()];
  await one.keep(0);
  await one.release('a');
  await other.keep(0);
  expect([await listLeased(one), await listLeased(other)]).toEqual([['b'], ['a']]);
  await one.release();
  await other.keep(1);
  expect(await listLeased(other)).toEqual(['a', 'b']);
});

test('a process without a target gets no lease and can see that', async () => {
  const one = startProcess(50);
  expect(await one.keep(0)).toBe(false);
  await insertTargets('a');
  expect(await one.keep(0)).toBe(true);
  while (one.isHeld()) await sleep(10);
  await targets().deleteMany({});
  while (await one.keep(0)) await sleep(10);
  expect(await one.keep(0)).toBe(false);
});
