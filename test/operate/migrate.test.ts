import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { urlOf } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { getJson, importRows, succeeded } from '../support/filled-service.ts';
import { addressFor, endSessionsOf } from '../support/killed.ts';
import { untilLogged } from '../support/record.ts';
import { brokerRow, licenseRow, newsRow } from '../support/records.ts';
import { bin, runCli, type Service, startService, until } from '../support/service.ts';

/** Processes start and end one after another, and the machine may be slow. */
vi.setConfig({ testTimeout: 180_000 });

const LATEST = 7;
/** Every version, as the service lists them. */
const ALL = Array.from({ length: LATEST }, (_, n) => n + 1).join(', ');
const BROKERS = 120;
const OLD_ENTRIES = 2500;
/** Number of the broker whose licence its register has cancelled. */
const CANCELLED = 3;
const CHECKED = '2026-11-02T00:00:00.000Z';
const RUN = '0123456789ab';
/** Name of the process that is killed. */
const KILLED = 'killed-migration';
/** In the second batch of a thousand. */
const HELD = 1500;

let service: Service;
let scratch: Scratch;
let client: MongoClient;
let db: Db;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [service, scratch] = await Promise.all([startService(), createScratch()]);
  client = await MongoClient.connect(await urlOf(service));
  db = client.db();
  await importRows(
    service,
    'brokers',
    Array.from({ length: BROKERS }, (_, n) => (n === CANCELLED ? sheetRow('withdrawn') : brokerRow(`broker-${n}`))),
  );
}, 180_000);
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await client?.close();
  await service?.remove();
  await scratch?.remove();
});

/** The broker with a cancelled licence, as a sheet has it. */
const sheetRow = (status: string) => {
  const slug = `broker-${CANCELLED}`;
  const license = { referenceNumber: '300', status, lastVerifiedAt: CHECKED };
  return brokerRow(slug, { licenses: [licenseRow(`${slug} Ltd`, 'asic', license)] });
};

const json = async (...args: string[]) => JSON.parse(succeeded(await service.cli(...args, '--json')));
const indexesOf = async (name: string) =>
  new Map((await db.collection(name).indexes()).map((index) => [index.name, index]));

/** Addresses of pulled news items, by what happened to them. */
const URLS = {
  kept: 'https://other.example/1',
  owned: 'https://www.gazette.example/1',
  imported: 'https://gazette.example/1',
  removed: 'https://gazette.example/2',
};
/** Returns the id of a news item. */
const idOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 24);
const TAKEN = {
  kept: idOf(URLS.kept),
  owned: idOf(URLS.owned),
  imported: idOf(URLS.imported),
  removed: idOf(URLS.removed),
};

/** How many of them are published. */
const PULLED = 3;

const FEED = 'https://gazette.example/rss';

/** Recreates the news of a release that did not record where news came from. */
const ageNews = async (): Promise<void> => {
  const { imported } = TAKEN;
  const rows = [...Object.values(TAKEN), 'id:of-the-feed'].map((_id) => ({ _id: _id as never }));
  await db.collection('newsTaken').insertMany(rows);
  const item = (url: string): Document => ({
    ...newsRow(1, { url, brokerSlugs: [], regulatorCodes: [] }),
    _id: idOf(url),
    publishedAt: new Date(1_690_000_000_000),
  });
  await db.collection('news').insertMany([item(URLS.kept), item(URLS.owned), item(URLS.imported)]);
  const entry = (id: string, at: number, action: string, after?: Document): Document => ({
    at: new Date(1_690_000_000_000 + at),
    actor: { type: 'system', name: 'jobs' },
    action,
    subject: { kind: 'news', id },
    ...(after ? { after } : {}),
  });
  const taken = Object.values(TAKEN).map((id) => entry(id, 0, 'news.taken', { feed: FEED }));
  await db.collection('audit').insertMany([...taken, entry(imported, 1, 'news.imported')]);
};

/** Recreates the blocks of a release that blocked accounts instead of people. */
const ageBlocks = async (): Promise<void> => {
  const account = (n: number, blocked?: Document): Document => ({
    _id: `account-${n}`,
    subject: `subject-${n}`,
    displayName: 'A',
    createdAt: new Date(n),
    kyc: { status: 'verified', personHash: 'e'.repeat(64) },
    ...(blocked ? { blocked } : {}),
  });
  await db.collection('accounts').insertMany([account(1, { reason: 'fraud', at: new Date(5) }), account(2)]);
};

/** Recreates the facts of a release without statements, one of which a check of a register had written. */
const ageFacts = async (): Promise<void> => {
  for (const name of ['subjects', 'statements', 'factVersions']) await db.collection(name).deleteMany({});
  const run = { _id: RUN as never, what: 'licenses', state: 'done', startedAt: new Date(1) };
  await db.collection('importRuns').insertOne(run);
  await db.collection('audit').insertOne({
    at: new Date(CHECKED),
    actor: { type: 'operator', name: 'maria' },
    action: 'license.checked',
    subject: { kind: 'broker', id: `broker-${CANCELLED}` },
    before: { regulator: 'asic', referenceNumber: '300', status: 'active' },
    after: { regulator: 'asic', referenceNumber: '300', status: 'withdrawn', renamed: false },
    reason: `import:${RUN}`,
  });
};

/** Recreates the database of a release without the record. */
const ageRecord = async (): Promise<void> => {
  await untilLogged(db); // else the service would write the log of these entries after it is deleted
  for (const name of ['recordEntries', 'recordHeads', 'recordTexts', 'logHeads', 'logTiles'])
    await db.collection(name).deleteMany({});
};

/** Recreates the data of a release without reasons in the audit trail and without stored answers of brokers. */
const age = async (): Promise<void> => {
  await db.collection('migrations').deleteMany({});
  const audit = db.collection('audit');
  await audit.dropIndexes();
  await audit.createIndex({ 'subject.kind': 1, 'subject.id': 1, at: 1 });
  await audit.createIndex({ 'actor.accountId': 1, at: 1 }, { sparse: true });
  await audit.createIndex({ 'actor.accountId': 1, at: 1, _id: 1 });
  await audit.updateMany({}, { $unset: { reason: '', before: '', after: '' } });
  await ageNews();
  await ageBlocks();
  await ageFacts();
  await ageRecord();
  const actor = { type: 'operator', name: 'maria' };
  const entry = (n: number): Document => ({
    at: new Date(1_700_000_000_000 + n),
    actor,
    action: 'news.removed',
    subject: { kind: 'news', id: `n${n}` },
    ...(n % 100 === 0 ? { reason: 'Mr Miller asked for it' } : {}),
  });
  await audit.insertMany(Array.from({ length: OLD_ENTRIES }, (_, n) => entry(n)));
  const brokers = db.collection('brokers');
  await brokers.createIndex({ 'score.value': -1, _id: 1 });
  await brokers.createIndex({ color: 1, 'score.value': -1, _id: 1 });
  await brokers.updateMany({ _id: { $lt: 'broker-5' as never } }, { $set: { answers: { detail: 'x', summary: 'x' } } });
  for (const name of ['brokerDetails', 'brokerSummaries']) await db.collection(name).deleteMany({});
};

/** Starts the command in a process that can be killed. */
const spawnMigrate = async (): Promise<ChildProcess> => {
  const env = { PATH: process.env['PATH'], MONGODB_URL: addressFor(await urlOf(service), KILLED) };
  const child = spawn(process.execPath, [bin, 'migrate', '--actor', 'maria'], { env, stdio: 'ignore' });
  children.push(child);
  return child;
};

const bookmark = async (): Promise<string> =>
  (await db.collection('jobs').findOne({ name: 'migrate' }))?.['data']?.cursor ?? '';

/** Locks an audit entry of the second batch, so that a migration waits there. */
const hold = async (): Promise<() => Promise<void>> => {
  const [entry] = await db.collection('audit').find({ reason: null }).sort({ _id: 1 }).skip(HELD).limit(1).toArray();
  const session = client.startSession();
  session.startTransaction();
  await db.collection('audit').updateOne({ _id: entry?._id as never }, { $set: { held: true } }, { session });
  return async () => {
    await session.abortTransaction();
    await session.endSession();
  };
};

test('a new database needs no migration', async () => {
  expect(succeeded(await service.cli('migrate'))).toBe(
    `The database is at version ${LATEST}: there was nothing to do.\n`,
  );
  const rows = await json('migrate', '--status');
  expect(rows.map((row: { state: string }) => row.state)).toEqual(Array(LATEST).fill('applied'));
});

describe('a database of an earlier release', () => {
  let beside: Service;
  beforeAll(async () => {
    await age();
    beside = await startService({ MONGODB_URL: await urlOf(service) });
  }, 180_000);
  afterAll(() => beside?.remove());

  test('is served, and the start says what it lacks', async () => {
    expect(beside.output()).toContain(`The database lacks migrations (${ALL}): run broker-rating migrate.`);
    expect(await getJson(beside, '/brokers/broker-7')).toMatchObject({ slug: 'broker-7' });
    expect((await getJson(beside, '/brokers?limit=3'))['data']).toHaveLength(3);
  });

  test('is left unchanged by a dry run, which counts the changes', async () => {
    const entries = await db.collection('audit').countDocuments({ before: { $exists: false } });
    const regulators = await db.collection('regulators').countDocuments();
    expect(await json('migrate', '--dry-run')).toMatchObject([
      { version: 1, changes: 5 },
      { version: 2, changes: entries },
      { version: 3, changes: BROKERS },
      { version: 4, changes: Object.keys(TAKEN).length },
      { version: 5, changes: 1 },
      { version: 6, changes: BROKERS + regulators },
      { version: 7, changes: BROKERS + regulators + PULLED },
    ]);
    expect(await db.collection('audit').countDocuments({ before: { $exists: false } })).toBe(entries);
  });

  test('has no record yet, and a check of it says so', async () => {
    const { stdout } = await service.cli('rebuild', '--check');
    expect(stdout).toContain('The record has not begun: run broker-rating migrate.');
  });

  test('is named as such in its backup, and a restore says what to do', async () => {
    const backup = join(scratch.path, 'backup');
    expect(await json('backup', backup)).toMatchObject({ databaseVersion: 0 });
    const settings = { DATA_DIR: join(scratch.path, 'restored'), LOG_LEVEL: 'warn' };
    const restored = succeeded(await runCli(['restore', backup], settings));
    expect(restored).toContain(`migrations (${ALL}) are pending. Run: broker-rating migrate`);
    const manifest = join(backup, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"databaseVersion": 0', '"databaseVersion": 99'));
    const refused = await runCli(['restore', backup, '--drop', 'broker-transparency'], settings);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is of database version 99, and this release knows no more than ${LATEST}`),
    });
  });

  test('is migrated beside a server, by one process at a time, even if the first is killed', async () => {
    const failures: number[] = [];
    let answered = 0;
    let isOver = false;
    /** Reads like a caller that retries when a busy machine asks for it. */
    const get = async (path: string): Promise<void> => {
      for (let tries = 0; tries < 5; tries++) {
        const { status } = await fetch(beside.baseUrl + path);
        if (status === 200) answered++;
        if (status !== 503) return void (status === 200 || failures.push(status));
      }
      failures.push(503);
    };
    const asking = (async () => {
      for (let n = 0; !isOver; n++)
        await get(n % 2 ? `/brokers/broker-${n % BROKERS}` : `/brokers?limit=9&offset=${n % BROKERS}`);
    })();
    expect(succeeded(await service.cli('migrate', '--to', '1', '--actor', 'maria'))).toContain('is at version 1.');
    const entries = await db.collection('audit').countDocuments({ before: { $exists: false } });
    const regulators = await db.collection('regulators').countDocuments();
    const release = await hold();
    const first = await spawnMigrate();
    await until('it is in the middle', 60_000, async () => (await bookmark()).startsWith('2 '));
    const second = await service.cli('migrate');
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Another process is migrating, or was killed/),
    });
    const gone = once(first, 'exit');
    first.kill('SIGKILL');
    await gone;
    await release();
    await endSessionsOf(client, KILLED);
    const reached = await bookmark();
    expect(await db.collection('audit').countDocuments({ reason: 'not_recorded' })).toBe(1000);

    await until('the next one goes on', 90_000, async () => (await service.cli('migrate', '--actor', 'jo')).code === 0);
    isOver = true;
    await asking;
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    expect(reached).toMatch(/^2 [0-9a-f]{24}$/);

    const rows = await json('migrate', '--status');
    expect(rows).toMatchObject([
      { version: 1, state: 'applied', applied: { changed: 5, actor: { name: 'maria' } } },
      { version: 2, state: 'applied', applied: { changed: entries, actor: { name: 'jo' } } },
      { version: 3, state: 'applied', applied: { changed: BROKERS, actor: { name: 'jo' } } },
      { version: 4, state: 'applied', applied: { changed: Object.keys(TAKEN).length, actor: { name: 'jo' } } },
      { version: 5, state: 'applied', applied: { changed: 1, actor: { name: 'jo' } } },
      { version: 6, state: 'applied', applied: { actor: { name: 'jo' } } },
      { version: 7, state: 'applied', applied: { changed: BROKERS + regulators + PULLED, actor: { name: 'jo' } } },
    ]);
    const trail = await db.collection('audit').find({ action: 'database.migrated' }).sort({ at: 1 }).toArray();
    expect(trail.map(({ before, after, actor }) => [before.version, after.version, actor.name])).toEqual([
      [0, 1, 'maria'],
      [1, 2, 'jo'],
      [2, 3, 'jo'],
      [3, 4, 'jo'],
      [4, 5, 'jo'],
      [5, 6, 'jo'],
      [6, 7, 'jo'],
    ]);
  });

  test('is then the same as a new one', async () => {
    const old = await db.collection('audit').find({ action: 'news.removed' }).toArray();
    expect(old).toHaveLength(OLD_ENTRIES);
    for (const { before, after, reason } of old) expect([before, after, reason]).toEqual([null, null, 'not_recorded']);
    const audit = await indexesOf('audit');
    expect([...audit.keys()].sort()).toEqual(
      [
        '_id_',
        'action_1_at_1__id_1',
        'actor.accountId_1_at_1__id_1',
        'actor.name_1_at_1__id_1',
        'at_1__id_1',
        'subject.kind_1_at_1__id_1',
        'subject.kind_1_subject.id_1_at_1__id_1',
      ].sort(),
    );
    expect(audit.get('actor.accountId_1_at_1__id_1')).toHaveProperty('partialFilterExpression');
    expect([...(await indexesOf('brokers')).keys()]).toEqual(['_id_', 'regulatedBy_1_score.value_-1__id_1']);
    expect(await db.collection('brokers').countDocuments({ answers: { $exists: true } })).toBe(0);
    for (const name of ['brokerDetails', 'brokerSummaries'])
      expect(await db.collection(name).countDocuments()).toBe(BROKERS);
    const { kept, owned, imported, removed } = TAKEN;
    const rows = await db.collection('newsTaken').find().toArray();
    const byId = new Map(rows.map((row) => [String(row._id), row]));
    expect([kept, owned, imported, removed, 'id:of-the-feed'].map((id) => byId.get(id))).toEqual([
      { _id: kept, feed: FEED, standing: 'other' },
      { _id: owned, feed: FEED, standing: 'owner' },
      { _id: imported, feed: null },
      { _id: removed, feed: null },
      { _id: 'id:of-the-feed' },
    ]);
    expect(rows).toHaveLength(5);
    const blocked = await json('account', 'blocks');
    expect(blocked).toMatchObject([{ reason: 'fraud', subjects: ['subject-1', 'subject-2'], person: true }]);
    succeeded(await service.cli('rebuild', '--check'));
    expect(succeeded(await service.cli('migrate'))).toContain('there was nothing to do');
  });

  test('has one first entry in the record for everything that is published, after the methodology', async () => {
    const entries = await db.collection('recordEntries').find().sort({ number: 1 }).toArray();
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, number) => number));
    expect(entries[0]).toMatchObject({ kind: 'methodology', cause: 'methodology' });
    const first = entries.slice(1);
    expect(new Set(first.map(({ key }) => key)).size).toBe(first.length);
    expect(new Set(first.map(({ cause, sequence }) => `${cause} ${sequence}`))).toEqual(new Set(['start 0']));
    const count = (kind: string) => first.filter((entry) => entry['kind'] === kind).length;
    expect(['broker', 'license', 'regulator', 'news'].map(count)).toEqual([
      BROKERS,
      BROKERS,
      await db.collection('regulators').countDocuments(),
      PULLED,
    ]);
  });

  test('knows who said what: an unchanged sheet does not revive what a register had cancelled', async () => {
    expect(await db.collection('statements').countDocuments({ subject: /^broker:/ })).toBe(BROKERS + 1);
    expect(await db.collection('statements').distinct('cause')).toEqual(['start']);
    const file = await scratch.ndjson('sheet.ndjson', [sheetRow('active'), brokerRow('broker-4')]);
    const report = await json('import', 'brokers', file);
    expect(report).toMatchObject({ new: 0, changed: 0, overruled: 1, unchanged: 1 });
    const { licenses } = await getJson(service, `/brokers/broker-${CANCELLED}`);
    expect(licenses).toMatchObject([{ status: 'withdrawn', lastVerifiedAt: CHECKED }]);
  });
});

test('a rebuild before the record has begun adds nothing to it, which would say that nothing was published before', async () => {
  const migrations = db.collection<{ _id: number }>('migrations');
  const applied = await migrations.findOneAndDelete({ _id: LATEST });
  await db.collection('recordEntries').deleteMany({ kind: 'news' });
  expect(succeeded(await service.cli('rebuild'))).toContain('The record has not begun');
  expect(await db.collection('recordEntries').countDocuments({ kind: 'news' })).toBe(0);
  if (applied) await migrations.insertOne(applied);
});

describe('a database of a newer release', () => {
  const NEWER = { _id: 99 as never, name: 'to-come', appliedAt: new Date(), actor: { type: 'system', name: 'x' } };
  afterAll(() => db.collection('migrations').deleteOne({ _id: NEWER._id }));

  test('is served if that release allows it, and else refused with what to do', async () => {
    const migrations = db.collection('migrations');
    await migrations.insertOne({ ...NEWER, service: '9.0.0', changed: 0, breaksOlder: false });
    succeeded(await service.cli('token', 'list'));
    expect((await json('migrate', '--status')).at(-1)).toMatchObject({ version: 99, state: 'of a newer release' });

    await migrations.updateOne({ _id: NEWER._id }, { $set: { breaksOlder: true } });
    const line = `the database is at version 99, and this release knows no more than ${LATEST}: start the release that migrated it`;
    const url = await urlOf(service);
    const settings = { MONGODB_URL: url, PORT: '0', LOG_LEVEL: 'warn' };
    const outcomes = await Promise.all(
      [['serve'], ['token', 'list'], ['migrate']].map((args) => runCli(args, settings)),
    );
    for (const outcome of outcomes) expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(line) });
  });
});
