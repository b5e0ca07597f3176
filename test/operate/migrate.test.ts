import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { succeeded } from '../support/filled-service.ts';
import {
  type CliResult,
  EMBEDDED,
  runBeside,
  runCli,
  type Service,
  type Settings,
  startProcess,
} from '../support/process.ts';
import { startService } from '../support/service.ts';

/** Processes start and end one after another, and the machine may be slow. */
/** Commands that serve, read, write and migrate. */
const COMMANDS = [
  ['serve'],
  ['token', 'list'],
  ['admin', 'seed'],
  ['admin', 'migrate'],
  ['admin', 'migrate', '--status'],
  ['backup', 'none'],
];
const quiet = { PORT: '0', LOG_LEVEL: 'warn' };

/** Runs a command beside the service: `serve` ends its process, whoever else is in it. */
const run = (args: readonly string[], settings: Settings): Promise<CliResult> =>
  (args[0] === 'serve' ? runCli : runBeside)(args, settings);

let service: Service;
let scratch: Scratch;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  [service, scratch] = await Promise.all([startService(), createScratch()]);
  client = await MongoClient.connect(await findDatabaseUrl(service));
  db = client.db();
});
afterAll(async () => {
  await client?.close();
  await service?.remove();
  await scratch?.remove();
});

const migrations = () => db.collection('migrations');
const json = async (...args: string[]) => JSON.parse(succeeded(await service.cli(...args, '--json')));

/** Returns every document of a database, by collection. */
const readContent = async (of: Db): Promise<Record<string, unknown[]>> => {
  const names = (await of.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  const all = names.map(async (name) => [name, await of.collection(name).find().sort({ _id: 1 }).toArray()] as const);
  return Object.fromEntries(await Promise.all(all));
};

test('a new database has nothing to migrate', async () => {
  expect(succeeded(await service.cli('admin', 'migrate'))).toBe(
    'The database is at version 0: there was nothing to do.\n',
  );
  expect(await json('admin', 'migrate', '--status')).toEqual([]);
  expect(await json('admin', 'migrate', '--dry-run')).toEqual([]);
  expect(await migrations().find().toArray()).toMatchObject([{ _id: 0, name: 'first-release' }]);
});

describe('a database of a newer release', () => {
  afterEach(() => migrations().deleteOne({ _id: 99 as never }));
  const migrate = (breaksOlder: boolean) =>
    migrations().insertOne({
      _id: 99 as never,
      name: 'to-come',
      appliedAt: new Date(),
      actor: { type: 'system', name: 'x' },
      service: '9.0.0',
      changed: 0,
      breaksOlder,
    });

  test('a database of a newer release is served if that release allows it', async () => {
    await migrate(false);
    succeeded(await service.cli('token', 'list'));
    expect(await json('admin', 'migrate', '--status')).toMatchObject([{ version: 99, state: 'of a newer release' }]);
  });

  test('a database of a newer release is refused, with what to do, if that release does not allow it', async () => {
    await migrate(true);
    const line =
      'the database is at version 99, and this release knows no more than 0: start the release that migrated it';
    const settings = { ...quiet, MONGODB_URL: await findDatabaseUrl(service) };
    const commands = [['serve'], ['token', 'list'], ['admin', 'migrate']];
    for (const outcome of await Promise.all(commands.map((args) => run(args, settings))))
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(line) });
  });

  test('a backup of a newer release is refused', async () => {
    const backup = join(scratch.path, 'backup');
    expect(await json('backup', backup)).toMatchObject({ databaseVersion: 0 });
    const manifest = join(backup, 'manifest.json');
    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace('"databaseVersion": 0', '"databaseVersion": 99'));
    expect(
      await run(['restore', backup, '--embedded'], { DATA_DIR: join(scratch.path, 'restored'), LOG_LEVEL: 'warn' }),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is of database version 99, and this release knows no more than 0'),
    });
  });
});

describe('data from before the first release', () => {
  /** Makes of a database what the service wrote before its first release, which had these migrations. */
  const age = async (of: Db): Promise<void> => {
    await of.collection('migrations').deleteMany({});
    const rows = Array.from({ length: 7 }, (_, n) => ({
      _id: (n + 1) as never,
      name: `former-${n + 1}`,
      breaksOlder: false,
    }));
    await of.collection('migrations').insertMany(rows);
  };
  const refusals = async (settings: Settings, place: string): Promise<void> => {
    const line = `the database (${place}) was filled before the first release, and no release can read it: nothing in it was changed; set DATA_DIR or MONGODB_URL to a new one`;
    for (const args of COMMANDS) {
      const { code, stderr } = await run([...args, '--embedded'], { ...quiet, ...settings });
      expect([code, stderr.trim().split('\n').at(-1)], args.join(' ')).toEqual([1, expect.stringContaining(line)]);
    }
  };

  test('every command refuses a database from before the first release, names the cure, changes nothing', async () => {
    const copy = client.db(`${db.databaseName}_before`);
    try {
      for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
        const rows = await db.collection(name).find().toArray();
        if (rows.length > 0) await copy.collection(name).insertMany(rows);
      }
      await age(copy);
      const before = await readContent(copy);
      const url = new URL(await findDatabaseUrl(service));
      url.pathname = copy.databaseName;
      await refusals({ MONGODB_URL: String(url) }, `mongodb://${url.host}/${copy.databaseName} (MONGODB_URL)`);
      expect(await readContent(copy)).toEqual(before);
    } finally {
      await copy.dropDatabase();
    }
  });

  test('every command refuses a folder with data from before the first release, and names the cure', async () => {
    const folder = join(scratch.path, 'folder');
    const embedded = await startProcess({ ...EMBEDDED, DATA_DIR: folder });
    const own = await MongoClient.connect(await findDatabaseUrl(embedded));
    await age(own.db());
    await own.close();
    await embedded.end('SIGINT');
    await refusals(
      { ...EMBEDDED, DATA_DIR: folder },
      `mongodb://127.0.0.1/broker-transparency (embedded, in ${folder})`,
    );
  });
});
