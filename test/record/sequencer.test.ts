import type { Db } from 'mongodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { GuardedProcess } from '../support/guarded.ts';
import { type LockedMongo, startLockedMongo } from '../support/locked-mongo.ts';
import { until } from '../support/until.ts';
import {
  countSeen,
  countWritten,
  findFaults,
  isAllNumbered,
  startSequencer,
  startWriter,
  type WriterLoad,
} from './sequencing.ts';
import { createRandom } from './story.ts';

/** Processes start and are killed, and the machine may be slow. */
/** Longer than a process waits for the batch of another one and then ends it, on a slow machine. */
const SOON_MS = 5000;

const LOAD: WriterLoad = { count: 600, perSecond: 200, keys: 7 };
const HOUR = 3_600_000;
/** Collections that a test fills. */
const OWN = ['recordEntries', 'recordHeads', 'writes', 'commits'];
const random = createRandom(20_261_101);

let mongo: LockedMongo;
const processes: GuardedProcess[] = [];
beforeAll(async () => {
  mongo = await startLockedMongo([]);
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.stop();
  await inDb((db) => Promise.all(OWN.map((name) => db.collection(name).deleteMany({}))));
});
afterAll(async () => {
  await mongo?.stop();
});

const kept = async (starting: Promise<GuardedProcess>): Promise<GuardedProcess> => {
  const started = await starting;
  processes.push(started);
  return started;
};
const inDb = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  mongo.as(undefined, (client) => work(client.db('ratings')));
const written = (count: number): Promise<unknown> =>
  until(`${count} entries are written`, 60_000, async () => (await inDb(countWritten)) >= count);
const allNumbered = (timeoutMs: number): Promise<unknown> =>
  until('every entry has its number and counts', timeoutMs, () => inDb(isAllNumbered));

test('numbers have no gap and keep the order of each key, while processes that give them are killed, hang and disagree on the time', async () => {
  const sequencer = (shiftMs: number) => kept(startSequencer(mongo.url(), shiftMs, 50));
  const [hanging, killed] = await Promise.all([sequencer(-HOUR), sequencer(0)]);
  await kept(startWriter(mongo.url(), LOAD));
  let running = killed as GuardedProcess;
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
  await allNumbered(60_000);
  expect(await inDb((db) => findFaults(db, LOAD))).toEqual([]);
});

/** Runs `work` while a transaction holds the last entry, so that no batch with it can end. */
const holdingLast = async (work: () => Promise<void>): Promise<void> =>
  mongo.as(undefined, async (client) => {
    const entries = client.db('ratings').collection('recordEntries');
    const [last] = await entries.find().sort({ _id: -1 }).limit(1).toArray();
    const session = client.startSession();
    session.startTransaction();
    await entries.updateOne(
      { _id: last?._id as never },
      { $set: { held: true } },
      { session, bypassDocumentValidation: true },
    );
    try {
      await work();
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  });

test('a batch whose process was killed stays invisible until another process completes it at once', async () => {
  const load: WriterLoad = { count: 60, perSecond: 200, keys: 7 };
  await kept(startWriter(mongo.url(), load));
  await written(load.count);
  await holdingLast(async () => {
    const killed = await kept(startSequencer(mongo.url(), 0, 50));
    await until('a majority has some numbers', 20_000, () =>
      inDb((db) =>
        db
          .collection('recordEntries')
          .findOne({ number: { $gte: 10 } }, { readConcern: { level: 'majority' } })
          .then((one) => one ?? undefined),
      ),
    );
    expect(await countSeen(mongo.url())).toEqual([0, 0, 0]);
    await kept(startSequencer(mongo.url(), HOUR, 50));
    await killed.kill();
  });
  await allNumbered(SOON_MS);
  expect(await inDb((db) => findFaults(db, load))).toEqual([]);
  expect(await countSeen(mongo.url())).toEqual([load.count, load.count, load.count]);
});
