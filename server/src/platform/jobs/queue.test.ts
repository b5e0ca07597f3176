import { PATIENT } from '@broker-transparency/embedded-mongo/patient';
import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { closeDb, connectMongo, type Db, transaction } from '../mongo.ts';
import { type JobEvents, type JobRun, type JobSpec, LockLost } from './job.ts';
import { createQueue } from './queue.ts';
import { ensureJob, findJobs, type JobDocument } from './store.ts';

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
afterEach(() => jobs().deleteMany({}));

const jobs = () => db.connection.collection<JobDocument>('jobs');
const jobNow = async (): Promise<JobDocument> => {
  const [job] = await findJobs(db, ['job']);
  if (!job) throw new Error('there is no job');
  return job;
};

const createSpec = (work: (run: JobRun) => Promise<unknown>): JobSpec => ({
  name: 'job',
  schedule: '15 0 * * *',
  lockMs: 30_000,
  work,
});

/** Creates a queue of one job and records its events. */
const createRecordedQueue = async (work: (run: JobRun) => Promise<unknown>) => {
  const said: unknown[] = [];
  const events: JobEvents = {
    onStart: (name) => said.push(`${name} starts`),
    onSuccess: (name) => said.push(`${name} succeeds`),
    onFailure: (_name, error) => said.push(error),
    onError: (error) => said.push(error),
  };
  const spec = createSpec(work);
  const queue = createQueue(db, [spec], events);
  await queue.ensure();
  return { said, queue, run: () => queue.runNow(spec) };
};

const DAY = 86_400_000;
const nextQuarterPast = () => new Date(Math.floor((Date.now() - 900_000) / DAY) * DAY + DAY + 900_000);

test('a run schedules the next one in UTC', async () => {
  const { said, run } = await createRecordedQueue(async () => {});
  expect(await jobNow()).toMatchObject({ nextRunAt: nextQuarterPast(), lockedAt: null });
  expect(await run()).toBe(true);
  expect(said).toEqual(['job starts', 'job succeeds']);
  expect(await jobNow()).toMatchObject({ nextRunAt: nextQuarterPast(), lockedAt: null, failReason: null, data: {} });
});

test('records a failure and retries after 30 s, then 60 s; a success resets the count', async () => {
  let fails = true;
  const { said, run } = await createRecordedQueue(async () => {
    if (fails) throw new Error('no luck');
  });
  for (const [failCount, delay] of [
    [1, 30_000],
    [2, 60_000],
  ] as const) {
    const before = Date.now();
    await run();
    const { nextRunAt, ...job } = await jobNow();
    expect(job).toMatchObject({ failCount, failReason: 'no luck', lockedAt: null });
    expect(Number(nextRunAt) - before).toBeGreaterThanOrEqual(delay);
    expect(Number(nextRunAt) - before).toBeLessThan(delay + 5_000);
  }
  expect(said.filter((event) => event instanceof Error)).toHaveLength(2);
  fails = false;
  await run();
  expect(await jobNow()).toMatchObject({ failCount: 0, failReason: 'no luck', nextRunAt: nextQuarterPast() });
});

test('a job that failed or was stopped resumes from its checkpoint', async () => {
  const seen: (string | undefined)[] = [];
  let end: (run: JobRun) => Promise<unknown> = async () => {
    throw new Error('no luck');
  };
  const work = async (run: JobRun) => {
    seen.push(run.checkpoint?.cursor);
    await transaction(db, (tx) => run.advance({ cursor: `after ${seen.length}`, done: seen.length }, 4, tx));
    await end(run);
  };
  const first = await createRecordedQueue(work);
  await first.run();
  expect(await jobNow()).toMatchObject({ data: { cursor: 'after 1', done: 1 }, progress: 25 });
  end = async ({ signal }) => {
    void first.queue.stop();
    signal.throwIfAborted();
  };
  await first.run();
  expect(await jobNow()).toMatchObject({ data: { cursor: 'after 2' }, progress: 50, lockedAt: null });
  expect(Number((await jobNow()).nextRunAt)).toBeLessThanOrEqual(Date.now());
  end = async () => {};
  const second = await createRecordedQueue(work);
  await second.run();
  expect(seen).toEqual([undefined, 'after 1', 'after 2']);
  expect(await jobNow()).toMatchObject({ data: {}, progress: null });
});

test('a running job is not started again unless its process has stopped sending heartbeats', async () => {
  const { run, said } = await createRecordedQueue(async () => {});
  await jobs().updateOne({}, { $set: { nextRunAt: null, lockedAt: new Date(), lastModifiedBy: 'other:1:a' } });
  expect(await run()).toBe(false);
  await jobs().updateOne({}, { $set: { lockedAt: new Date(Date.now() - 31_000) } });
  expect(await run()).toBe(true);
  expect(said).toEqual(['job starts', 'job succeeds']);
});

test('a process that has lost its lock changes nothing', async () => {
  const taken = { lockedAt: new Date(), lastModifiedBy: 'other:1:a', data: { cursor: 'far', done: 9 } };
  let refused: unknown;
  const { run } = await createRecordedQueue(async ({ advance }) => {
    await jobs().updateOne({}, { $set: taken });
    refused = await transaction(db, (tx) => advance({ cursor: 'near', done: 1 }, 10, tx)).catch(
      (error: unknown) => error,
    );
  });
  await run();
  expect(refused).toBeInstanceOf(LockLost);
  expect(await jobNow()).toMatchObject(taken);
});

test('ensureJob keeps an overdue run and adopts a changed schedule', async () => {
  const missed = new Date(Date.now() - 3_600_000);
  await ensureJob(db, 'job', '15 0 * * *', missed);
  const later = new Date(Date.now() + 3_600_000);
  await ensureJob(db, 'job', '15 0 * * *', later);
  expect(await jobNow()).toMatchObject({ nextRunAt: missed });
  await ensureJob(db, 'job', '30 0 * * *', later);
  expect(await jobNow()).toMatchObject({ nextRunAt: later, schedule: '30 0 * * *' });
  await Promise.all(Array.from({ length: 5 }, () => ensureJob(db, 'job', '30 0 * * *', later)));
  expect(await jobs().countDocuments()).toBe(1);
});
