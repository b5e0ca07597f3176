import type { Db } from 'mongodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Guarded } from '../support/guarded.ts';
import { type LockedMongo, startLockedMongo } from '../support/locked-mongo.ts';
import { until } from '../support/service.ts';
import { faultsIn, type Load, startSequencer, startWriter, writtenIn } from './sequencing.ts';
import { randomOf } from './story.ts';

/** Processes start and are killed, and the machine may be slow. */
vi.setConfig({ testTimeout: 120_000 });

const LOAD: Load = { count: 600, perSecond: 200, keys: 7 };
const HOUR = 3_600_000;
const random = randomOf(20_261_101);

let mongo: LockedMongo;
const processes: Guarded[] = [];
beforeAll(async () => {
  // MongoDB ends the transaction of a killed process after this time, and nothing gets a number until then
  mongo = await startLockedMongo([], ['transactionLifetimeLimitSeconds=2']);
});
afterAll(async () => {
  for (const one of processes) await one.stop();
  await mongo?.stop();
});

const kept = async (starting: Promise<Guarded>): Promise<Guarded> => {
  const started = await starting;
  processes.push(started);
  return started;
};
const inDb = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  mongo.as(undefined, (client) => work(client.db('ratings')));
const written = (count: number): Promise<unknown> =>
  until(`${count} entries are written`, 60_000, async () => (await inDb(writtenIn)) >= count);

test('numbers have no gap and keep the order of each key, while processes that give them are killed, hang and disagree on the time', async () => {
  const sequencer = (shiftMs: number) => kept(startSequencer(mongo.url(), shiftMs, 50));
  const [hanging, killed] = await Promise.all([sequencer(-HOUR), sequencer(0)]);
  await kept(startWriter(mongo.url(), LOAD));
  let running = killed as Guarded;
  const next = (after: number) => written(after + random.below(60));
  await next(80);
  await running.kill();
  running = await sequencer(HOUR);
  await next(180);
  hanging?.pause();
  await next(300);
  await running.kill();
  running = await sequencer(0);
  await next(450);
  hanging?.resume();
  await written(LOAD.count);
  await until('every entry has its number', 60_000, () =>
    inDb(async (db) => (await db.collection('recordEntries').countDocuments({ pending: { $exists: true } })) === 0),
  );
  expect(await inDb((db) => faultsIn(db, LOAD))).toEqual([]);
});
