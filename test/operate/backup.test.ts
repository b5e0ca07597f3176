import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Db, Decimal128, Double, Long, MaxKey, MongoClient, ObjectId, Timestamp } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { urlOf } from '../support/database.ts';
import { createToken, post, succeeded } from '../support/filled-service.ts';
import { complaintBody } from '../support/records.ts';
import { type CliResult, runCli, type Service, startService } from '../support/service.ts';

const NAME = 'broker-transparency';

let root: string;
let service: Service;
let quiet: string;

/** Runs the command line on its own database. */
const on = (dataDir: string, ...args: string[]): Promise<CliResult> =>
  runCli(args, { DATA_DIR: join(root, dataDir), LOG_LEVEL: 'warn' });

/** Documents of every collection as bytes, and the indexes. */
const contentOf = async (db: Db) => {
  const content: Record<string, { documents: string[]; indexes: unknown }> = {};
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    const documents = (await db.collection(name).find({}, { raw: true }).toArray()) as unknown as Buffer[];
    const indexes = await db.collection(name).indexes();
    content[name] = {
      documents: documents.map((bytes) => Buffer.from(bytes).toString('hex')).sort(),
      indexes: indexes.sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
    };
  }
  return content;
};
type Content = Awaited<ReturnType<typeof contentOf>>;

/** Omits the audit entries that a backup and a restore write into their own database. */
const withoutBackups = (documents: readonly string[]): string[] =>
  documents.filter((hex) => !/^backup\./.test(BSON.deserialize(Buffer.from(hex, 'hex'))['action'] ?? ''));

/** The content of a database, read directly. The server only provides the address. */
const contentBehind = async (server: Service): Promise<Content> => {
  const client = await MongoClient.connect(await urlOf(server));
  try {
    return await contentOf(client.db());
  } finally {
    await client.close();
  }
};

const contentAt = async (dataDir: string): Promise<Content> => {
  const server = await startService({ DATA_DIR: join(root, dataDir) });
  try {
    return await contentBehind(server);
  } finally {
    await server.end('SIGINT');
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

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'broker-rating-backup-'));
  service = await startService({ DATA_DIR: join(root, 'source') }, ['--demo']);
  const client = await MongoClient.connect(await urlOf(service));
  await client
    .db()
    .collection('oddities')
    .insertOne(oddities() as never, { forceServerObjectId: true });
  await client.close();
  quiet = join(root, 'quiet');
  succeeded(await service.cli('backup', quiet, '--actor', 'nadia'));
}, 300_000);
afterAll(async () => {
  await service?.remove();
  await rm(root, { recursive: true, force: true });
});

describe('a backup', () => {
  test('has the layout of mongodump, readable by its owner only', async () => {
    const files = await readdir(join(quiet, NAME));
    expect(files).toContain('reviews.bson');
    expect(files).toContain('reviews.metadata.json');
    expect((await stat(quiet)).mode & 0o077).toBe(0);
    expect((await stat(join(quiet, NAME, 'accounts.bson'))).mode & 0o077).toBe(0);
    const metadata = JSON.parse(await readFile(join(quiet, NAME, 'reviews.metadata.json'), 'utf8'));
    expect(metadata.indexes[0]).toEqual({ v: { $numberInt: '2' }, key: { _id: { $numberInt: '1' } }, name: '_id_' });
    expect((await readdir(root)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('restored into an empty database is the same, byte for byte', { timeout: 300_000 }, async () => {
    const before = await contentBehind(service);
    expect(succeeded(await on('copy', 'restore', quiet))).toMatch(
      /^\d+ documents in \d+ collections restored\.\n0 erasures on the list/,
    );
    succeeded(await on('copy', 'rebuild', '--check'));
    const after = await contentAt('copy');
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    for (const [name, { documents, indexes }] of Object.entries(after)) {
      expect({ name, indexes }).toEqual({ name, indexes: before[name]?.indexes });
      const [made, restored] = [before[name]?.documents ?? [], documents].map(withoutBackups);
      expect({ name, same: restored?.join() === made?.join() }).toEqual({ name, same: true });
    }
    expect(after['audit']?.documents.length).toBe(before['audit']?.documents.length);
    expect(after['oddities']?.documents).toEqual([Buffer.from(BSON.serialize(oddities())).toString('hex')]);
  });

  test('made during writes shows a single moment', { timeout: 300_000 }, async () => {
    const busy = join(root, 'busy');
    const people = await Promise.all(['ann', 'bea'].map((name) => createToken(service, name)));
    let going = true;
    const statuses = new Map<number, number>();
    const writers = people.map(async (token, person) => {
      for (let n = 0; going; n += 1) {
        const body = complaintBody('alpha-markets', { title: `Number ${n} of person ${person}` });
        const { status } = await post(service, '/complaints', token, body);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const result = await service.cli('backup', busy);
    going = false;
    await Promise.all(writers);
    succeeded(result);
    expect([...statuses.keys()]).toEqual([201]);

    const complaints = (await dumped(busy, 'complaints')).map((row) => row['_id'] as string);
    const submitted = (await dumped(busy, 'audit')).filter((row) => row['action'] === 'complaint.submitted');
    expect(submitted.length).toBeGreaterThan(0);
    const known = new Set(complaints);
    expect(submitted.filter((row) => !known.has(row['subject'].id))).toEqual([]);
    expect(complaints.length - submitted.length).toBe((await dumped(quiet, 'complaints')).length);
    succeeded(await on('busy-copy', 'restore', busy));
    expect(succeeded(await on('busy-copy', 'rebuild', '--check'))).toMatch(/^300 brokers compared, 0 different\.\n/);
  });

  test('does not overwrite existing files', async () => {
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
    ['a changed document', (dir) => flip(join(dir, NAME, 'reviews.bson'), 5000), /reviews\.bson was changed/],
    [
      'a changed index',
      (dir) => flip(join(dir, NAME, 'tokens.metadata.json'), 20),
      /tokens\.metadata\.json was changed/,
    ],
    ['a missing file', (dir) => rm(join(dir, NAME, 'audit.bson')), /audit\.bson is missing/],
    ['a damaged manifest', (dir) => flip(join(dir, 'manifest.json'), 0), /manifest\.json is damaged/],
    ['no manifest', (dir) => rm(join(dir, 'manifest.json')), /is no backup of this service.*mongorestore/],
    ['nothing there', (dir) => rm(dir, { recursive: true }), /is no backup of this service/],
  ])('%s', async (what, change, message) => {
    const dir = await damaged(what.replaceAll(' ', '-'), change);
    const refused = await on('empty', 'restore', dir);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr.trim()).toMatch(message);
    expect(refused.stderr.trim()).not.toContain('\n');
  });

  test('a collection whose name leads out of the backup', async () => {
    const dir = await damaged('outside', async (copy) => {
      const manifest = join(copy, 'manifest.json');
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"accounts"', '"../../accounts"'));
    });
    expect(await on('empty', 'restore', dir)).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged') });
  });

  test('a database that a server is running on', async () => {
    const refused = await service.cli('restore', quiet, '--drop', NAME);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Stop it first') });
  });

  test('a database that is not empty, unless its name is given', { timeout: 120_000 }, async () => {
    await mkdir(join(root, 'taken'));
    succeeded(await on('taken', 'token', 'create', '--subject', 'zoe', '--scope', 'reviews:write'));
    expect(await on('taken', 'restore', quiet)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`not empty (accounts). To replace all that is in it, add --drop ${NAME}`),
    });
    expect(await on('taken', 'restore', quiet, '--drop', 'ratings')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing was changed'),
    });
    expect(JSON.parse(succeeded(await on('taken', 'token', 'list', '--json')))).toHaveLength(1);
    succeeded(await on('taken', 'restore', quiet, '--drop', NAME));
    expect(JSON.parse(succeeded(await on('taken', 'token', 'list', '--json')))).toHaveLength(2);
    succeeded(await on('taken', 'rebuild', '--check'));
  });
});
