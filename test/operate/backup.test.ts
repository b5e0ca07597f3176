import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Db, Decimal128, Double, Long, MaxKey, MongoClient, ObjectId, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl } from '../support/database.ts';
import { createToken, post, startFilledProcess, succeeded } from '../support/filled-service.ts';
import { type CliResult, EMBEDDED, runCli, type ServiceProcess, startProcess } from '../support/process.ts';
import { untilFolded, untilLogged } from '../support/record.ts';
import { complaintBody } from '../support/records.ts';
import { dropSharedDatabase, newSharedDatabase } from '../support/shared-database.ts';
import { until } from '../support/until.ts';

const NAME = 'broker-transparency';

let root: string;
let service: ServiceProcess;
let quiet: string;

/** Servers on copies. */
const servers: ServiceProcess[] = [];
/** Databases that the service does not use. */
const others: string[] = [];

const emptyDatabase = (): string => {
  const url = String(newSharedDatabase());
  others.push(url);
  return url;
};

/** Runs the command line on another database. */
const on = (url: string, ...args: string[]): Promise<CliResult> =>
  service.cliWith({ MONGODB_URL: url, DATA_DIR: join(root, new URL(url).pathname) }, ...args);

/** Documents of every collection as bytes, and the indexes, but for the processes that run now. */
const readContent = async (db: Db) => {
  const content: Record<string, { documents: string[]; indexes: unknown }> = {};
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    if (name === 'servers') continue;
    const documents = (await db.collection(name).find({}, { raw: true }).toArray()) as unknown as Buffer[];
    const indexes = await db.collection(name).indexes();
    content[name] = {
      documents: documents.map((bytes) => Buffer.from(bytes).toString('hex')).sort(),
      indexes: indexes.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
    };
  }
  return content;
};
type Content = Awaited<ReturnType<typeof readContent>>;

/** Omits the audit entries that a backup and a restore write into their own database. */
const withoutBackups = (documents: readonly string[]): string[] =>
  documents.filter((hex) => !/^backup\./.test(BSON.deserialize(Buffer.from(hex, 'hex'))['action'] ?? ''));

/** The content of a database, read directly. The server only provides the address. */
const readContentBehind = async (server: ServiceProcess): Promise<Content> => {
  const client = await MongoClient.connect(await findDatabaseUrl(server));
  try {
    return await readContent(client.db());
  } finally {
    await client.close();
  }
};

/** The documents of a dump file, split by their lengths. */
const dumped = async (dir: string, collection: string): Promise<BSON.Document[]> => {
  const bytes = await readFile(join(dir, NAME, `${collection}.bson`));
  const documents: BSON.Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  return documents;
};

/** A document with every kind of value, and with names that a JavaScript object would reorder. */
const oddities = (): Map<string, unknown> =>
  new Map<string, unknown>([
    ['_id', new ObjectId('0123456789abcdef01234567')],
    ['stars', new Map([5, 1, 3].map((star) => [String(star), star]))],
    [
      'list',
      [
        new Map([
          ['2', 'b'],
          ['1', 'a'],
        ]),
        [1, new Double(1), Long.fromNumber(1)],
      ],
    ],
    ['decimal', Decimal128.fromString('250.00')],
    ['timestamp', new Timestamp({ t: 1, i: 2 })],
    ['pattern', /a.b/i],
    ['bytes', Buffer.from([0, 255])],
    ['nothing', null],
    ['negativeZero', new Double(-0)],
    [
      'reference',
      new Map<string, unknown>([
        ['$ref', 'x'],
        ['$id', 1],
      ]),
    ],
    ['end', new MaxKey()],
  ]);

/** More than are read, written or stored at a time. */
const MANY = Array.from({ length: 1100 }, (_, n) => ({ _id: n, text: `${n} `.repeat(200) }));

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'broker-rating-backup-'));
  const filled = await startFilledProcess(EMBEDDED);
  service = filled;
  expect((await post(service, '/complaints', filled.verified, complaintBody('alpha-markets'))).status).toBe(201);
  const client = await MongoClient.connect(await findDatabaseUrl(service));
  await client
    .db()
    .collection('oddities')
    .insertOne(oddities() as never, { forceServerObjectId: true });
  await client.db().collection<{ _id: number }>('many').insertMany(MANY);
  // a pending rebuild of a broker would otherwise change the database after the backup
  const marks = client.db().collection('due');
  await until('no broker is left to build', 20_000, async () => (await marks.countDocuments()) === 0);
  // so would entries that wait for their numbers, for the log, or for the subtotals
  await untilLogged(client.db());
  await untilFolded(client.db());
  await client.close();
  quiet = join(root, 'quiet');
  succeeded(await service.cli('backup', quiet, '--actor', 'nadia'));
});
afterAll(async () => {
  for (const server of [service, ...servers]) await server?.remove();
  await Promise.all(others.map(dropSharedDatabase));
  await rm(root, { recursive: true, force: true });
});

describe('a backup', () => {
  test('a backup has the layout of mongodump, readable by its owner only', async () => {
    const files = await readdir(join(quiet, NAME));
    expect(files).toContain('reviews.bson');
    expect(files).toContain('reviews.metadata.json');
    expect((await stat(quiet)).mode & 0o077).toBe(0);
    expect((await stat(join(quiet, NAME, 'accounts.bson'))).mode & 0o077).toBe(0);
    const metadata = JSON.parse(await readFile(join(quiet, NAME, 'reviews.metadata.json'), 'utf8'));
    expect(metadata.indexes[0]).toEqual({ v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' });
    expect((await readdir(root)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('a backup restored into an empty database is the same, byte for byte', async () => {
    const before = await readContentBehind(service);
    const settings = { DATA_DIR: join(root, 'copy'), LOG_LEVEL: 'warn' };
    expect(succeeded(await runCli(['restore', quiet, '--accept-lost-erasures', '--embedded'], settings))).toMatch(
      /^\d+ documents in \d+ collections restored\.\n0 erasures on the list/,
    );
    const copy = await startProcess(settings);
    servers.push(copy);
    const after = await readContentBehind(copy);
    succeeded(await copy.cli('admin', 'rebuild', '--check'));
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    for (const [name, { documents, indexes }] of Object.entries(after)) {
      expect({ name, indexes }).toEqual({ name, indexes: before[name]?.indexes });
      const [made, restored] = [before[name]?.documents ?? [], documents].map(withoutBackups);
      expect({ name, same: restored?.join() === made?.join() }).toEqual({ name, same: true });
    }
    expect(after['audit']?.documents.length).toBe(before['audit']?.documents.length);
    expect(after['oddities']?.documents).toEqual([Buffer.from(BSON.serialize(oddities())).toString('hex')]);
  });

  test('a backup made during writes shows a single moment', async () => {
    const busy = join(root, 'busy');
    const people = await Promise.all(['ann', 'bea'].map((name) => createToken(service, name)));
    let going = true;
    const statuses = new Set<number>();
    const writers = people.map(async (token, person) => {
      for (let n = 0; going; n += 1) {
        const body = complaintBody('alpha-markets', { title: `Number ${n} of person ${person}` });
        const { status } = await post(service, '/complaints', token, body);
        if (status !== 503) statuses.add(status); // nothing was done, and the caller may send it again
      }
    });
    const result = await service.cli('backup', busy);
    going = false;
    await Promise.all(writers);
    succeeded(result);
    expect([...statuses]).toEqual([201]);

    const complaints = (await dumped(busy, 'complaints')).map((row) => row['_id'] as string);
    const submitted = (await dumped(busy, 'audit')).filter((row) => row['action'] === 'complaint.submitted');
    expect(submitted.length).toBeGreaterThan(0);
    const known = new Set(complaints);
    expect(submitted.filter((row) => !known.has(row['subject'].id))).toEqual([]);
    expect(complaints.length).toBe(submitted.length);
    const copy = emptyDatabase();
    succeeded(await on(copy, 'restore', busy, '--accept-lost-erasures'));
    expect(succeeded(await on(copy, 'admin', 'rebuild', '--check'))).toMatch(/^3 brokers compared, 0 different\.\n/);
  });

  test('a restore brings nobody back in: no session, and no request to sign in', async () => {
    const of = { createdAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) };
    const rows = {
      sessions: { ...of, accountId: 'a', method: 'provider', label: 'Anna', usedAt: new Date(), endsAt: of.expiresAt },
      signInRequests: { ...of, email: 'anna@mail.example', linkHash: 'l', codeHash: 'c', wrong: 0 },
    };
    const client = await MongoClient.connect(await findDatabaseUrl(service));
    const withSessions = join(root, 'with-sessions');
    const collection = (name: string) => client.db().collection<{ _id: string }>(name);
    try {
      for (const [name, row] of Object.entries(rows)) await collection(name).insertOne({ _id: 'backed-up', ...row });
      succeeded(await service.cli('backup', withSessions));
    } finally {
      for (const name of Object.keys(rows)) await collection(name).deleteOne({ _id: 'backed-up' });
      await client.close();
    }
    for (const name of Object.keys(rows)) expect(await dumped(withSessions, name)).toHaveLength(1);
    const copy = emptyDatabase();
    succeeded(await on(copy, 'restore', withSessions, '--accept-lost-erasures'));
    const restored = await MongoClient.connect(copy);
    try {
      for (const name of Object.keys(rows))
        expect([name, await restored.db().collection(name).countDocuments({})]).toEqual([name, 0]);
    } finally {
      await restored.close();
    }
  });

  test('a backup does not overwrite existing files', async () => {
    const refused = await service.cli('backup', quiet);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
  });
});

describe('restore refuses', () => {
  const damaged = async (name: string, change: (dir: string) => Promise<unknown>): Promise<string> => {
    const dir = join(root, name);
    await cp(quiet, dir, { recursive: true });
    await change(dir);
    return dir;
  };
  const flip = async (file: string, at: number) => {
    const bytes = await readFile(file);
    bytes[at] = (bytes[at] as number) ^ 1;
    await writeFile(file, bytes);
  };

  test.each<[string, (dir: string) => Promise<unknown>, RegExp]>([
    ['a changed document', (dir) => flip(join(dir, NAME, 'reviews.bson'), 100), /reviews\.bson was changed/],
    [
      'a changed index',
      (dir) => flip(join(dir, NAME, 'tokens.metadata.json'), 20),
      /tokens\.metadata\.json was changed/,
    ],
    ['a missing file', (dir) => rm(join(dir, NAME, 'audit.bson')), /audit\.bson is missing/],
    ['a damaged manifest', (dir) => flip(join(dir, 'manifest.json'), 0), /manifest\.json is damaged/],
    ['no manifest', (dir) => rm(join(dir, 'manifest.json')), /is not a backup of this service.*mongorestore/],
    ['nothing there', (dir) => rm(dir, { recursive: true }), /is not a backup of this service/],
  ])('restore refuses %s', async (what, change, message) => {
    const dir = await damaged(what.replaceAll(' ', '-'), change);
    const refused = await on(emptyDatabase(), 'restore', dir);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.trim()).toMatch(message);
    expect(refused.stderr.trim()).not.toContain('\n');
  });

  test('restore refuses a collection whose name leads out of the backup', async () => {
    const dir = await damaged('outside', async (copy) => {
      const manifest = join(copy, 'manifest.json');
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"accounts"', '"../../accounts"'));
    });
    expect(await on(emptyDatabase(), 'restore', dir)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('damaged'),
    });
  });

  test('restore refuses a database that a server is running on', async () => {
    const refused = await service.cli('restore', quiet, '--drop', '--yes', NAME);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') });
  });

  test('restore refuses a database that is not empty, unless its name is given', async () => {
    const taken = emptyDatabase();
    const name = new URL(taken).pathname.slice(1);
    succeeded(await on(taken, 'token', 'create', '--subject', 'zoe', '--scope', 'reviews:write'));
    expect(await on(taken, 'restore', quiet)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not empty (accounts). To see what would be replaced, add --drop --dry-run.'),
    });
    expect(await on(taken, 'restore', quiet, '--drop', '--yes', 'ratings')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing was changed'),
    });
    expect(JSON.parse(succeeded(await on(taken, 'token', 'list', '--json')))).toHaveLength(1);
    succeeded(await on(taken, 'restore', quiet, '--drop', '--yes', name, '--accept-lost-erasures'));
    expect(JSON.parse(succeeded(await on(taken, 'token', 'list', '--json')))).toHaveLength(2);
    succeeded(await on(taken, 'admin', 'rebuild', '--check'));
  });
});
