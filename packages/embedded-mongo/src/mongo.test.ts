import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { memberKey } from './member-key.ts';
import { runAsMember } from './members.ts';
import { type Database, type DatabaseOptions, openDatabase } from './mongo.ts';
import { findMongod, type MongodBinary } from './mongod-binary.ts';
import { endMongod, mongodOn, waitUntil } from './processes.ts';
import { cacheDir } from './scratch-database.ts';

/** Found once: taking its fingerprint costs as much as a start. */
let mongod: MongodBinary;
let root: string;
let dataDir: string;
let opened: Database[];
let owners: ChildProcess[];

beforeAll(async () => {
  mongod = await findMongod({ cacheDir, log: () => {} });
});

async function begin() {
  root = await mkdtemp(join(tmpdir(), 'embedded-'));
  dataDir = join(root, 'data');
  opened = [];
  owners = [];
}

async function cleanUp() {
  for (const owner of owners) await end(owner, 'SIGKILL');
  for (const database of opened) await database.close();
  const dbPath = join(dataDir, 'mongodb');
  const left = await mongodOn(dbPath); // a killed owner leaves it running
  if (left) await endMongod(left, dbPath);
  await rm(root, { recursive: true, force: true });
}

async function open(use: DatabaseOptions['use'], options: Partial<DatabaseOptions> = {}) {
  const database = await openDatabase({ dataDir, cacheDir, mongodBinary: mongod.path, use, log: () => {}, ...options });
  opened.push(database);
  return database;
}

/** Starts a server in its own process, which writes one value. */
async function openInChild(value: string) {
  const options = JSON.stringify({ dataDir, cacheDir, mongodBinary: mongod.path, use: 'serve' });
  const program = `
    import { openDatabase } from ${JSON.stringify(new URL('./mongo.ts', import.meta.url).href)};
    import mongoose from ${JSON.stringify(import.meta.resolve('mongoose'))};
    const { url } = await openDatabase({ ...${options}, log: () => {} });
    const client = await mongoose.mongo.MongoClient.connect(url);
    await client.db().collection('values').insertOne({ value: '${value}' }, { writeConcern: { w: 'majority', j: true } });
    console.log(url);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  owners.push(owner);
  const [line] = await once(owner.stdout, 'data');
  return { owner, url: String(line).trim() };
}

async function end(owner: ChildProcess, signal: NodeJS.Signals) {
  if (owner.exitCode !== null || owner.signalCode !== null) return;
  owner.kill(signal);
  await once(owner, 'exit');
}

async function using<T>(
  url: string,
  work: (values: mongoose.mongo.Collection<{ value: string }>, client: mongoose.mongo.MongoClient) => Promise<T>,
) {
  const client = await mongoose.mongo.MongoClient.connect(url);
  try {
    return await work(client.db().collection('values'), client);
  } finally {
    await client.close();
  }
}

const write = (url: string, value: string) => using(url, (values) => values.insertOne({ value }));
const readValues = (url: string) => using(url, (values) => values.distinct('value'));
const readPort = (url: string) => Number(new URL(url).port);

/** Starts two servers on the directory. Expects that one opens it, and that the other names it. */
async function expectOneToWin() {
  const results = await Promise.allSettled([open('serve'), open('serve')]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(refused?.reason.message).toContain('already serves the embedded database');
}

/** Sends a command to the port without a password. */
async function askWithoutPassword(url: string, command: mongoose.mongo.Document) {
  const client = await mongoose.mongo.MongoClient.connect(`mongodb://${new URL(url).host}/?directConnection=true`);
  try {
    return await client.db('admin').command(command);
  } finally {
    await client.close();
  }
}

/** Gives each test of the calling group its own directory. */
function useOwnDirectories() {
  beforeEach(begin);
  afterEach(cleanUp);
}

/** Gives the tests of the calling group one database. */
function useOneDatabase(start: () => Promise<void>) {
  beforeAll(async () => {
    await begin();
    await start();
  });
  afterAll(cleanUp);
}

test('uses MONGODB_URL unchanged', async () => {
  const url = 'mongodb://db.example/items?replicaSet=rs0';
  const options = { dataDir: '/nowhere', cacheDir, use: 'serve', log: () => {}, mongodbUrl: url } as const;
  expect(await openDatabase(options)).toMatchObject({ url, origin: 'external' });
});

describe('an embedded database', () => {
  let database: Database;
  let url: string;
  useOneDatabase(async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    database = await open('serve');
    ({ url } = database);
  });

  test('an embedded database has transactions, and an address that only its owner can read', async () => {
    expect(database.origin).toBe('started');
    await using(url, async (values, client) => {
      await values.insertOne({ value: 'kept' });
      const session = client.startSession();
      await session.withTransaction(() =>
        values.updateOne({ value: 'kept' }, { $set: { value: 'changed' } }, { session }),
      );
      await session.endSession();
    });
    expect(await readValues(url)).toEqual(['changed']);
    const file = join(dataDir, 'mongod.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ url, ownerPid: process.pid });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('refuses clients without its password, which only files of the owner contain', async () => {
    for (const command of [{ find: 'system.users' }, { createUser: 'me', pwd: 'me', roles: ['root'] }, { shutdown: 1 }])
      await expect(askWithoutPassword(url, command)).rejects.toThrow('requires authentication');
    const { mongodPid } = JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8'));
    const { secret } = await memberKey(dataDir);
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(mongodPid)]);
    expect(stdout).toContain('--keyFile');
    for (const hidden of [secret, new URL(url).password]) expect(stdout).not.toContain(hidden);
    expect((await stat(join(dataDir, 'mongod.key'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('keeps erased texts in its oplog for less than a day, since heartbeats alone fill it', async () => {
    const options = await runAsMember(readPort(url), await memberKey(dataDir), (client) =>
      client.db('admin').command({ getCmdLineOpts: 1 }),
    );
    expect(options['parsed']).toMatchObject({
      storage: { oplogMinRetentionHours: 1 },
      setParameter: { periodicNoopIntervalSecs: '5' },
    });
    await using(url, async (_, client) => {
      const oplog = client.db('local').collection('oplog.rs');
      const heartbeat = () => oplog.findOne({ 'o.msg': 'periodic noop' });
      expect(await waitUntil(async () => (await heartbeat()) !== null, 60_000)).toBe(true);
      const written = (86_400 / 5) * mongoose.mongo.BSON.calculateObjectSize((await heartbeat()) ?? {});
      const { size } = await oplog.options();
      expect(written).toBeGreaterThan(1.1 * Number(size)); // mongod truncates it in tenths
    });
  });

  test('asks an embedded database again where it closes a connection, as it does while its state changes', async () => {
    let closed = 0;
    const between = createServer((socket) => {
      const line = createConnection(readPort(url), '127.0.0.1');
      const end = () => [socket, line].map((one) => one.destroy());
      for (const one of [socket, line]) one.on('error', end).on('close', end);
      socket.on('data', (sent) => {
        if (!sent.includes('saslContinue') || closed === 2) return void line.write(sent);
        closed++;
        end();
      });
      line.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const { port } = between.address() as AddressInfo;
    const hello = await runAsMember(port, await memberKey(dataDir), (client) =>
      client.db('admin').command({ hello: 1 }),
    );
    expect([hello['isWritablePrimary'], closed]).toEqual([true, 2]);
    between.close();
  });
});

describe('the data of an embedded database', () => {
  useOwnDirectories();

  test('stays when its key is lost, which the next start replaces', async () => {
    const first = await open('serve');
    await write(first.url, 'kept');
    await first.close();
    await rm(join(dataDir, 'mongod.key'));
    const again = await open('serve');
    expect(new URL(again.url).password).not.toBe(new URL(first.url).password);
    expect(await readValues(again.url)).toEqual(['kept']);
  });

  test.each([
    ['damaged', 0o600, 'it is damaged'],
    ['open to others', 0o640, 'others may read it'],
  ])('a key that is %s causes an error that says what to do', async (_, mode, reason) => {
    await mkdir(dataDir);
    const file = join(dataDir, 'mongod.key');
    await writeFile(file, 'damaged', { mode });
    await expect(open('serve')).rejects.toThrow(
      `the key of the embedded database, ${file}, cannot be used: ${reason}; delete it, and the next start ` +
        'makes a new one',
    );
  });

  test('keeps its data when its owner is killed (kill -9), even repeatedly', async () => {
    for (const value of ['a', 'b']) await end((await openInChild(value)).owner, 'SIGKILL');
    const { url, origin } = await open('serve');
    expect(origin).toBe('started');
    expect(await readValues(url)).toEqual(['a', 'b']);
  });

  test('a command can take over the data after their owner was killed', async () => {
    await end((await openInChild('a')).owner, 'SIGKILL');
    const { url, origin } = await open('command');
    expect([origin, await readValues(url)]).toEqual(['started', ['a']]);
  });
});

describe('an embedded database that is closed and opened again', () => {
  let url: string;
  useOneDatabase(async () => {
    const first = await open('serve');
    ({ url } = first);
    await write(url, 'kept');
    await first.close();
  });

  test('keeps its data and its port', async () => {
    await expect(stat(join(dataDir, 'mongod.json'))).rejects.toThrow('ENOENT');
    const second = await open('serve');
    expect(second.url).toBe(url);
    expect(await readValues(second.url)).toEqual(['kept']);
    await second.close();
  });

  test('moves with its data to another port if its own is taken', async () => {
    const other = createServer((socket) => socket.end()).listen(readPort(url), '127.0.0.1');
    await once(other, 'listening');
    const log = vi.fn();
    const moved = await open('serve', { log });
    expect(readPort(moved.url)).not.toBe(readPort(url));
    expect(log).toHaveBeenCalledWith(expect.stringContaining(`port ${readPort(url)} is taken`));
    expect(await readValues(moved.url)).toEqual(['kept']);
    await moved.close();
    other.close();
    const again = await open('serve');
    expect(again.url).toBe(moved.url);
    expect(await readValues(again.url)).toEqual(['kept']);
    await again.close();
  });

  test('one of two servers that start at the same time opens the database, and the other is refused', expectOneToWin);
});

describe('beside a running server', () => {
  let owner: ChildProcess;
  let url: string;
  useOneDatabase(async () => {
    ({ owner, url } = await openInChild('a'));
  });

  test('a second server is refused with an error that names the process and the alternatives', async () => {
    await expect(open('serve')).rejects.toThrow(
      `another process (pid ${owner.pid}) already serves the embedded database in ${dataDir}; ` +
        'stop it, choose another DATA_DIR, or set MONGODB_URL',
    );
  });

  test("a command uses the server's database and leaves it running", async () => {
    const command = await open('command');
    expect(command).toMatchObject({ url, origin: 'shared' });
    await write(command.url, 'b');
    await command.close();
    expect(await readValues(url)).toEqual(['a', 'b']);
  });
});

describe('a command that has the database', () => {
  let holder: Database;
  useOneDatabase(async () => {
    holder = await open('command');
    await write(holder.url, 'kept');
  });

  test.each(['command', 'serve'] as const)('the next %s waits until a command has closed the database', async (use) => {
    const log = vi.fn();
    const next = open(use, { log });
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('waiting for its end')), 10_000);
    await holder.close();
    holder = await next;
    expect(holder.origin).toBe('started');
    expect(await readValues(holder.url)).toEqual(['kept']);
  });
});

describe('several starts at the same time', () => {
  useOwnDirectories();

  test('one server wins in a new directory, and the other is refused', expectOneToWin);

  test('four commands use the database one after the other', async () => {
    const has = async (value: string) => {
      const { url, close } = await open('command');
      await write(url, value);
      const found = await readValues(url);
      await close();
      return found;
    };
    const found = await Promise.all(['a', 'b', 'c', 'd'].map(has));
    const [one, two, three, four] = found.toSorted((a, b) => a.length - b.length);
    expect([one?.length, two?.length, three?.length, four]).toEqual([1, 2, 3, ['a', 'b', 'c', 'd']]);
  });
});

describe('a DATA_DIR', () => {
  useOwnDirectories();

  test('reports a DATA_DIR that cannot be written in one clear error', async () => {
    await writeFile(join(root, 'file'), '');
    dataDir = join(root, 'file', 'data');
    await expect(open('serve')).rejects.toThrow(`DATA_DIR ${dataDir} cannot be used: `);
  });

  test('refuses a DATA_DIR that is shared with others, such as /tmp, and does not change it', async () => {
    await mkdir(dataDir);
    await chmod(dataDir, 0o1777);
    await expect(open('serve')).rejects.toThrow('it is shared with others; name a folder inside it');
    expect((await stat(dataDir)).mode & 0o7777).toBe(0o1777);
  });
});
