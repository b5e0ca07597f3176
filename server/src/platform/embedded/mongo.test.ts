import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Database, type DatabaseOptions, openDatabase } from './mongo.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');

let root: string;
let dataDir: string;
let opened: Database[];
let owners: ChildProcess[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'embedded-'));
  dataDir = join(root, 'data');
  opened = [];
  owners = [];
});
afterEach(async () => {
  for (const owner of owners) await end(owner, 'SIGKILL');
  for (const database of opened) await database.close();
  // Opened once more, so that no mongod of a killed owner still writes there.
  if (owners.length > 0) await (await open('command')).close();
  await rm(root, { recursive: true, force: true });
});

async function open(use: DatabaseOptions['use'], options: Partial<DatabaseOptions> = {}) {
  const database = await openDatabase({ dataDir, cacheDir, use, log: () => {}, ...options });
  opened.push(database);
  return database;
}

/** A server in a process of its own, which writes one value. */
async function openInChild(value: string) {
  const options = JSON.stringify({ dataDir, cacheDir, use: 'serve' });
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
const valuesIn = (url: string) => using(url, (values) => values.distinct('value'));
const portOf = (url: string) => Number(new URL(url).port);

test('MONGODB_URL is used as it is', async () => {
  const url = 'mongodb://db.example/brokers?replicaSet=rs0';
  expect(await open('serve', { mongodbUrl: url })).toMatchObject({ url, origin: 'external' });
});

describe('an embedded database', () => {
  test('is a replica set with transactions, at an address that only the owner of the directory can read', async () => {
    const { url, origin } = await open('serve');
    expect(origin).toBe('started');
    await using(url, async (values, client) => {
      await values.insertOne({ value: 'kept' });
      const session = client.startSession();
      await session.withTransaction(() =>
        values.updateOne({ value: 'kept' }, { $set: { value: 'changed' } }, { session }),
      );
      await session.endSession();
    });
    expect(await valuesIn(url)).toEqual(['changed']);
    const file = join(dataDir, 'mongod.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ url, ownerPid: process.pid });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('keeps its data and its port over close and open', async () => {
    const first = await open('serve');
    await write(first.url, 'kept');
    await first.close();
    await expect(stat(join(dataDir, 'mongod.json'))).rejects.toThrow('ENOENT');
    const second = await open('serve');
    expect(second.url).toBe(first.url);
    expect(await valuesIn(second.url)).toEqual(['kept']);
  });

  test('keeps its data over kill -9 of its owner, also again and again', async () => {
    for (const value of ['a', 'b']) await end((await openInChild(value)).owner, 'SIGKILL');
    const { url, origin } = await open('serve');
    expect(origin).toBe('started');
    expect(await valuesIn(url)).toEqual(['a', 'b']);
  });

  test('a command takes over from a killed owner, too', async () => {
    await end((await openInChild('a')).owner, 'SIGKILL');
    const { url, origin } = await open('command');
    expect([origin, await valuesIn(url)]).toEqual(['started', ['a']]);
  });

  test('moves with its data where another process has taken its port', async () => {
    const first = await open('serve');
    await write(first.url, 'kept');
    await first.close();
    const other = createServer((socket) => socket.end()).listen(portOf(first.url), '127.0.0.1');
    await once(other, 'listening');
    const log = vi.fn();
    const moved = await open('serve', { log });
    expect(portOf(moved.url)).not.toBe(portOf(first.url));
    expect(log).toHaveBeenCalledWith(expect.stringContaining(`port ${portOf(first.url)} is taken`));
    expect(await valuesIn(moved.url)).toEqual(['kept']);
    await moved.close();
    other.close();
    const again = await open('serve');
    expect(again.url).toBe(moved.url);
    expect(await valuesIn(again.url)).toEqual(['kept']);
  });
});

describe('beside a running server', () => {
  test('a second server is refused, naming the process and the ways out', async () => {
    const { owner } = await openInChild('a');
    await expect(open('serve')).rejects.toThrow(
      `another process (pid ${owner.pid}) already serves the embedded database in ${dataDir}; ` +
        'stop it, choose another DATA_DIR, or set MONGODB_URL',
    );
  });

  test('a command uses its database and leaves it running', async () => {
    const { url } = await openInChild('a');
    const command = await open('command');
    expect(command).toMatchObject({ url, origin: 'shared' });
    await write(command.url, 'b');
    await command.close();
    expect(await valuesIn(url)).toEqual(['a', 'b']);
  });
});

describe('two starts at the same time', () => {
  test.each(['a new', 'an existing'])('one server wins on %s directory, the other is refused', async (directory) => {
    if (directory === 'an existing') await (await open('serve')).close();
    const results = await Promise.allSettled([open('serve'), open('serve')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason.message).toContain('already serves the embedded database');
  });

  test.each(['command', 'serve'] as const)('a %s waits for the end of a command', async (use) => {
    const first = await open('command');
    await write(first.url, 'kept');
    const log = vi.fn();
    const second = open(use, { log });
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('waiting for its end')), 10_000);
    await first.close();
    expect((await second).origin).toBe('started');
    expect(await valuesIn((await second).url)).toEqual(['kept']);
  });

  test('four commands have it one after the other', async () => {
    const has = async (value: string) => {
      const { url, close } = await open('command');
      await write(url, value);
      await close();
    };
    await Promise.all(['a', 'b', 'c', 'd'].map(has));
    expect(await valuesIn((await open('command')).url)).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('a DATA_DIR that cannot be written is one clear error', async () => {
  await writeFile(join(root, 'file'), '');
  dataDir = join(root, 'file', 'data');
  await expect(open('serve')).rejects.toThrow(`DATA_DIR ${dataDir} cannot be written: `);
});
