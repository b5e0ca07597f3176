import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ClientSession, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type FeedServer, rss, startFeedServer } from '../support/hostile-feeds.ts';
import { endSessions, formatAddress } from '../support/killed.ts';
import { bin, type ServiceProcess, startProcess } from '../support/process.ts';
import { brokerRow, licenseRow } from '../support/records.ts';
import { until } from '../support/until.ts';

/** Jobs work in batches of a hundred. */
const COUNT = 300;
/** Time for the next poll of due jobs, and for the job itself on a busy machine. */
const TAKEOVER_MS = 60_000;
/** The lock of a killed process expires after half a minute. */
const LOCK_MS = 30_000;
const slugs = Array.from({ length: COUNT }, (_, n) => `broker-${String(n).padStart(4, '0')}`);

interface Job {
  readonly name: string;
  readonly nextRunAt: Date | null;
  readonly lockedAt: Date | null;
  readonly lastModifiedBy: string | null;
  readonly data: { readonly cursor?: string };
}

let owner: ServiceProcess;
let client: MongoClient;
let db: Db;
/** The running workers. */
let workers: ServiceProcess[];
let scratch: Scratch;
let feedServer: FeedServer;

const FEEDS = ['/first', '/second'];
const feedUrl = (path: string) => `${feedServer.origin}${path}`;

let started = 0;
const startWorker = async (): Promise<ServiceProcess> => {
  const feeds = FEEDS.map((path) => ({ url: feedUrl(path), source: 'Gazette', language: 'en', category: 'market' }));
  const worker = await startProcess({
    MONGODB_URL: formatAddress(await findDatabaseUrl(owner), `worker-${++started}`),
    JOBS: 'on',
    LOG_LEVEL: 'info',
    NEWS_FEEDS: await scratch.write('feeds.json', JSON.stringify(feeds)),
    NEWS_FEEDS_PORTS: String(feedServer.port),
    NEWS_FEEDS_ALLOW_LOOPBACK: 'true',
  });
  workers.push(worker);
  return worker;
};
const haveWorkers = (count: number) =>
  Promise.all(Array.from({ length: Math.max(0, count - workers.length) }, startWorker));

/** Ends a worker by a signal. Returns its exit code. */
const endWorker = async (worker: ServiceProcess, signal: NodeJS.Signals): Promise<number | null> => {
  const code = await worker.end(signal);
  await worker.remove();
  workers = workers.filter((other) => other !== worker);
  return code;
};

/** Ends at once what else expires within half a minute after a kill: open transactions and locks of the worker. */
const expireHolds = async (worker: ServiceProcess): Promise<void> => {
  const appName = new URL(String(worker.data['MONGODB_URL'])).searchParams.get('appName');
  await endSessions(client, String(appName));
  const locked = { lockedAt: { $ne: null }, lastModifiedBy: { $regex: `:${worker.pid}:` } };
  await jobs().updateMany(locked, [{ $set: { lockedAt: { $subtract: ['$lockedAt', LOCK_MS] } } }]);
};

const jobs = () => db.collection<Job>('jobs');
const readJob = async (name: string): Promise<Job> => {
  const job = await jobs().findOne({ name });
  if (!job) throw new Error(`no job ${name}`);
  return job;
};
const makeDue = (name: string) => jobs().updateOne({ name, lockedAt: null }, { $set: { nextRunAt: new Date() } });
const readPid = ({ lastModifiedBy }: Job): number => Number(lastModifiedBy?.split(':')[1]);

/** The worker that runs a job. Waits until `begun` says that the job is under way. */
const waitForHolder = (name: string, begun: (job: Job) => Promise<boolean>): Promise<ServiceProcess> =>
  until(`${name} is in the middle`, 60_000, async () => {
    const job = await readJob(name);
    return job.lockedAt !== null && (await begun(job)) && workers.find(({ pid }) => pid === readPid(job));
  });

const ended = (name: string, after: Date): Promise<Job> =>
  until(`${name} has ended`, TAKEOVER_MS, async () => {
    const job = await readJob(name);
    return job.lockedAt === null && job.nextRunAt !== null && job.nextRunAt > after && job;
  });

const settled = () => until('nothing is due', 60_000, async () => (await db.collection('due').countDocuments()) === 0);

/** Counts the writes of each broker's document from now on. */
const countWrites = async () => {
  const written = new Map<string, number>();
  const stream = db.collection<{ _id: string }>('brokers').watch();
  stream.on('change', (change) => {
    if (!('documentKey' in change)) return;
    const slug = String(change.documentKey._id);
    written.set(slug, (written.get(slug) ?? 0) + 1);
  });
  await once(stream as unknown as NodeJS.EventEmitter, 'resumeTokenChanged');
  return { written, close: () => stream.close() };
};

/** Expects that every broker was written exactly once. */
const expectEachOnce = async (written: ReadonlyMap<string, number>): Promise<void> => {
  await until('all writes were seen', 10_000, async () => written.size >= COUNT);
  expect(written.size).toBe(COUNT);
  expect([...written].filter(([, count]) => count !== 1)).toEqual([]);
};

type DueRow = Document & { readonly _id: string };
/** A field that no schema has: what is held is never committed. */
const HELD = { $set: { held: true } };
const DAY = 86_400_000;

/** Inserts complaints past their final date and verifications that have ended, and serves feeds with items. */
const insertDue = async () => {
  const now = Date.now();
  const forwardedAt = new Date(now - 61 * DAY);
  const complaints = Array.from({ length: 250 }, (_, n) => ({
    _id: `C-DUE${String(n).padStart(7, '0')}`,
    broker: 'broker-0000',
    accountId: 'nobody',
    kycVerified: true,
    status: 'forwarded',
    category: 'other',
    title: 'One of many',
    content: 'It has had no answer at all.',
    consentToForward: true,
    createdAt: forwardedAt,
    forwardedAt,
  }));
  const accounts = Array.from({ length: 1200 }, (_, n) => ({
    _id: `account-${n}`,
    subject: `person-${n}`,
    displayName: 'Reviewer',
    createdAt: forwardedAt,
    kyc: { status: 'verified', provider: 'acme', verifiedAt: forwardedAt, expiresAt: new Date(now - DAY + n) },
  }));
  await db.collection<DueRow>('complaints').insertMany(complaints);
  await db.collection<DueRow>('accounts').insertMany(accounts);
  await db.collection('newsFeeds').deleteMany({}); // an earlier job may have pulled them
  const links = FEEDS.map((path) => [1, 2, 3].map((n) => `https://gazette.example${path}/${n}`));
  for (const [index, path] of FEEDS.entries())
    feedServer.serve(
      path,
      rss((links[index] as string[]).map((link) => ({ title: `Item ${link}`, link, guid: link }))),
    );
  return {
    complaints: complaints.map(({ _id }) => _id),
    accounts: accounts.map(({ _id }) => _id),
    links: links.flat(),
  };
};

/** Seconds after which MongoDB ends a transaction: of the workers, and of what a test holds while workers start. */
const LIFETIME_SECONDS = { usual: 30, held: 300 };

/** Locks what `work` writes until it is released. The writes are then rolled back. */
const hold = async (work: (session: ClientSession) => Promise<unknown>): Promise<() => Promise<void>> => {
  const limitTo = (transactionLifetimeLimitSeconds: number) =>
    client.db('admin').command({ setParameter: 1, transactionLifetimeLimitSeconds });
  const session = client.startSession();
  session.startTransaction();
  await limitTo(LIFETIME_SECONDS.held); // a transaction keeps the limit that it began with
  await work(session).finally(() => limitTo(LIFETIME_SECONDS.usual));
  return async () => {
    await session.abortTransaction();
    await session.endSession();
  };
};

/** A broker in the last batch of a job. */
const LATE_SLUG = slugs[COUNT - 50] as string;

/** Keeps a round of scores from its end until it is released. */
const holdLateBroker = () =>
  hold((session) =>
    db.collection<DueRow>('brokers').updateOne({ _id: LATE_SLUG }, HELD, { session, bypassDocumentValidation: true }),
  );

/** Jobs that must take effect exactly once, with the size of their first batch and their audit entries. */
const ONCE = [
  { name: 'complaint-clocks', first: 100, filter: { action: 'complaint.unresolved' } },
  { name: 'kyc-expiry', first: 500, filter: { action: 'account.kyc', 'after.status': 'expired' } },
  { name: 'news-pull', first: 3, filter: { action: 'news.taken' } },
].map(({ filter, ...job }) => ({ ...job, entries: () => db.collection('audit').find(filter).toArray() }));

beforeAll(async () => {
  workers = [];
  [owner, scratch, feedServer] = await Promise.all([startProcess(), createScratch(), startFeedServer()]);
  client = await MongoClient.connect(await findDatabaseUrl(owner));
  db = client.db();
  const expiring = { expiresAt: '2026-01-31T00:00:00Z' };
  await importRows(
    owner,
    'brokers',
    slugs.map((slug) => brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'fca', expiring)] })),
  );
  await settled();
});
afterAll(async () => {
  await client?.close();
  for (const worker of workers ?? []) await worker.remove();
  await owner?.remove();
  await feedServer?.close();
  await scratch?.remove();
});

describe('jobs in several processes', () => {
  test('jobs expire a licence once, even if the worker is killed in the middle', async () => {
    await haveWorkers(3);
    const audit = db.collection('audit');
    const expiries = () => audit.countDocuments({ action: 'license.expired' });
    const release = await hold((session) =>
      db.collection('licenses').updateOne({ broker: LATE_SLUG }, HELD, { session, bypassDocumentValidation: true }),
    );
    const begin = new Date();
    await makeDue('license-expiry');
    const holder = await waitForHolder('license-expiry', async () => (await expiries()) > 0);
    await endWorker(holder, 'SIGKILL');
    expect(await expiries()).toBeLessThan(COUNT);
    await release();
    await expireHolds(holder);
    const job = await ended('license-expiry', begin);
    expect(readPid(job)).not.toBe(holder.pid);

    const entries = await audit.find({ action: 'license.expired' }).toArray();
    expect(entries).toHaveLength(COUNT);
    expect(new Set(entries.map((entry) => entry['subject'].id)).size).toBe(COUNT);
    expect(entries[0]).toMatchObject({
      actor: { type: 'system', name: 'job:license-expiry' },
      before: { status: 'active' },
      after: { status: 'expired', expiresAt: '2026-01-31T00:00:00Z' },
    });
    expect(await db.collection('licenses').countDocuments({ status: 'expired' })).toBe(COUNT);
    await settled();
    const broker = await owner.client().brokers.get('broker-0000');
    expect(broker.licenses[0]).toMatchObject({ status: 'expired', statusEffectiveAt: '2026-01-31T00:00:00Z' });
    expect(broker.licenseCount).toBe(0);
    succeeded(await owner.cli('admin', 'rebuild', '--check'));
  });

  test('jobs refresh each broker’s score once per round, even if the worker is killed', async () => {
    await haveWorkers(2);
    await settled();
    const { written, close } = await countWrites();
    const release = await holdLateBroker();
    const begin = new Date();
    await makeDue('score-refresh');
    const holder = await waitForHolder('score-refresh', async ({ data }) => data.cursor !== undefined);
    await endWorker(holder, 'SIGKILL');
    const { cursor } = (await readJob('score-refresh')).data;
    expect(slugs.slice(0, -1)).toContain(cursor);
    await release();
    await expireHolds(holder);
    const job = await ended('score-refresh', begin);
    expect(readPid(job)).not.toBe(holder.pid);
    expect(job.data).toEqual({});
    await expectEachOnce(written);
    await close();
    succeeded(await owner.cli('admin', 'rebuild', '--check'));
  });

  test('jobs handle complaints, verifications and news once, even if the worker is killed', async () => {
    for (const worker of workers) {
      await endWorker(worker, 'SIGKILL');
      await expireHolds(worker);
    }
    const { complaints, accounts, links } = await insertDue();
    // Of the batches of 100 complaints and 500 accounts, and of the feeds, the first is done and the second is blocked.
    const release = await hold(async (session) => {
      await db
        .collection<DueRow>('complaints')
        .updateOne({ _id: complaints[150] as string }, HELD, { session, bypassDocumentValidation: true });
      await db
        .collection<DueRow>('accounts')
        .updateOne({ _id: accounts[750] as string }, HELD, { session, bypassDocumentValidation: true });
      await db
        .collection<DueRow>('newsFeeds')
        .insertOne({ _id: feedUrl('/second') }, { session, bypassDocumentValidation: true });
    });
    const begin = new Date();
    const doomed = await startWorker();
    for (const { name } of ONCE) await makeDue(name);
    for (const { name, first, entries } of ONCE)
      await until(`${name} is in the middle`, 60_000, async () => {
        const job = await readJob(name);
        return job.lockedAt !== null && readPid(job) === doomed.pid && (await entries()).length === first;
      });
    await haveWorkers(3);
    await endWorker(doomed, 'SIGKILL');
    for (const { name, first, entries } of ONCE) {
      const job = await readJob(name);
      expect([name, readPid(job), (await entries()).length]).toEqual([name, doomed.pid, first]);
      expect(job.lockedAt).not.toBeNull();
    }
    await release();
    await expireHolds(doomed);

    const jobsAfter = await Promise.all(ONCE.map(({ name }) => ended(name, begin)));
    const news = (await owner.client().news.list({ limit: 100 })).data;
    expect(news.map(({ url }) => url).sort()).toEqual(links.toSorted());
    const all = [complaints, accounts, news.map(({ id }) => id)];
    for (const [index, { name, entries }] of ONCE.entries()) {
      const job = jobsAfter[index] as Job;
      expect(readPid(job)).not.toBe(doomed.pid);
      expect(Number(job.nextRunAt)).toBeGreaterThan(Date.now());
      const done = await entries();
      expect(done.map((entry) => entry['subject'].id).sort()).toEqual(all[index]?.toSorted());
      for (const { actor } of done) expect(actor).toEqual({ type: 'system', name: `job:${name}` });
    }
    await until(
      'no worker holds a job',
      60_000,
      async () => (await jobs().countDocuments({ lockedAt: { $ne: null } })) === 0,
    );
    expect(await db.collection('complaints').countDocuments({ status: 'unresolved', ending: 'no_answer' })).toBe(250);
    expect(await db.collection('accounts').countDocuments({ 'kyc.status': 'expired' })).toBe(1200);
    await until('the page shows them all', 60_000, async () => {
      const { complaintSummary } = await owner.client().brokers.get('broker-0000');
      return complaintSummary.open === 0 && complaintSummary.closed === 250;
    });
    succeeded(await owner.cli('admin', 'rebuild', '--check'));
  });

  test('jobs leave the rest to another worker at once when a worker is told to end', async () => {
    await haveWorkers(2);
    await settled();
    const { written, close } = await countWrites();
    const release = await holdLateBroker();
    const begin = new Date();
    await makeDue('score-refresh');
    const holder = await waitForHolder('score-refresh', async ({ data }) => data.cursor !== undefined);
    const asked = Date.now();
    const exited = endWorker(holder, 'SIGTERM');
    await release();
    expect(await exited).toBe(0);
    expect(Date.now() - asked).toBeLessThan(15_000);
    const job = await ended('score-refresh', begin);
    expect(readPid(job)).toBeGreaterThan(0);
    await expectEachOnce(written);
    await close();
  });
});

describe('the command line', () => {
  const noneIsDue = () =>
    jobs().updateMany({}, { $set: { lockedAt: null, nextRunAt: new Date(Date.now() + 3_600_000) } });
  beforeAll(async () => {
    for (const worker of workers) await endWorker(worker, 'SIGINT');
    await noneIsDue();
    for (const name of ['license-expiry', 'score-refresh']) succeeded(await owner.cli('admin', 'job', 'run', name));
  });
  afterEach(noneIsDue);

  test('lists jobs as a table and as JSON', async () => {
    expect(succeeded(await owner.cli('admin', 'job', 'list'))).toMatch(/^license-expiry +5 \* \* \* \* +waits/m);
    const rows = JSON.parse(succeeded(await owner.cli('admin', 'job', 'list', '--json')));
    expect(rows).toContainEqual(expect.objectContaining({ name: 'score-refresh', state: 'waits', failures: 0 }));
    const planned = rows.filter(({ state }: { state: string }) => state !== 'never ran');
    expect(planned.length).toBeGreaterThan(1);
    for (const row of planned) expect(Date.parse(row.nextRunAt)).toBeGreaterThan(Date.now());
  });

  test('runs a job, and refuses one that is unknown or runs elsewhere', async () => {
    expect(succeeded(await owner.cli('admin', 'job', 'run', 'license-expiry'))).toBe(
      'license-expiry is done: 0 expired.\n',
    );
    expect(await owner.cli('admin', 'job', 'run', 'bogus')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('score-refresh'),
    });
    await jobs().updateOne({ name: 'license-expiry' }, { $set: { lockedAt: new Date(), nextRunAt: null } });
    const refused = await owner.cli('admin', 'job', 'run', 'license-expiry');
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'Another process is running license-expiry. See: admin job list\n',
    });
  });

  test('continues an interrupted refresh of all scores', async () => {
    const { written, close } = await countWrites();
    const release = await holdLateBroker();
    const url = await findDatabaseUrl(owner);
    const child = spawn(process.execPath, [bin, 'admin', 'score', 'refresh'], {
      env: { PATH: process.env['PATH'], MONGODB_URL: url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    await until('it has begun', 60_000, async () => (await readJob('score-refresh')).data.cursor !== undefined);
    child.kill('SIGINT');
    await release();
    const [code] = await once(child, 'close');
    expect({ code, last: printed.trim().split('\n').at(-1) }).toEqual({
      code: 1,
      last: 'score-refresh was stopped. A running server does the rest, or the next admin job run score-refresh.',
    });
    const { cursor } = (await readJob('score-refresh')).data;
    expect(slugs.indexOf(cursor ?? '')).toBeLessThan(COUNT - 1);
    succeeded(await owner.cli('admin', 'score', 'refresh'));
    await expectEachOnce(written);
    await close();
  });
});

test('finds due jobs by reading one document of an index', async () => {
  const now = new Date();
  const due = [{ lockedAt: null, nextRunAt: { $lte: now } }, { lockedAt: { $lte: now } }];
  const plan = await jobs()
    .find({ name: 'score-refresh', disabled: { $ne: true }, $or: due } as object)
    .sort({ nextRunAt: 1, priority: -1 })
    .explain('executionStats');
  expect(JSON.stringify(plan['queryPlanner'].winningPlan)).toContain('"indexName":"name_1"');
  expect(plan['executionStats'].totalDocsExamined).toBeLessThanOrEqual(1);
  const lapsed = await db
    .collection('licenses')
    .find({ status: { $in: ['active', 'pending'] }, expiresAt: { $lte: now.toISOString() } })
    .limit(100)
    .explain('executionStats');
  expect(JSON.stringify(lapsed['queryPlanner'].winningPlan)).toContain('status_1_expiresAt_1');
});
