import { openScratchDatabase, type ScratchDatabase } from '@broker-transparency/embedded-mongo/scratch-database';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isAuditEmpty, listEntries } from '../../ledger/audit/store.ts';
import { inBatches } from '../../ledger/batches.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import { createClock } from '../../platform/clock.ts';
import { closeDb, connectMongo, type Db, database } from '../../platform/mongo.ts';
import { readConfig } from '../config.ts';
import { runJob } from '../jobs/service.ts';
import type { Migration } from './migration.ts';
import {
  createMigrationJob,
  listMigrations,
  listPending,
  readMigrationStatus,
  requireReleased,
  requireServable,
} from './run.ts';

const FOLDER = { mongodbUrl: undefined, dataDir: '/var/lib/ratings' };
const ITEMS = 12;
const BATCH = 5;

interface Item {
  readonly _id: string;
  readonly state: 'old' | 'new';
}

const items = () => database(db).collection<Item>('fixture');
const stateCount = (state: Item['state']) => items().countDocuments({ state });

/** Called after each batch of the second migration. */
let afterBatch: () => Promise<void> = async () => {};

/** Two migrations, the second of which works in batches. */
const FIXTURE: readonly Migration[] = [
  {
    version: 1,
    name: 'first',
    what: 'changes nothing',
    count: async () => 0,
    run: async () => 0,
  },
  {
    version: 2,
    name: 'second',
    what: 'makes old items new',
    count: () => stateCount('old'),
    run: async (context, run) =>
      inBatches(context, run, {
        total: ITEMS,
        next: async (after = '') => {
          if (after !== '') await afterBatch();
          const rows = await items()
            .find({ _id: { $gt: after } })
            .sort({ _id: 1 })
            .limit(BATCH)
            .toArray();
          return rows.map(({ _id }) => _id);
        },
        work: ({ tx }, ids) =>
          items().updateMany({ _id: { $in: [...ids] }, state: 'old' }, { $set: { state: 'new' } }, { session: tx }),
      }),
  },
];

let scratch: ScratchDatabase;
let db: Db;
let maria: Context;
let jo: Context;
beforeAll(async () => {
  scratch = await openScratchDatabase();
  db = await connectMongo(scratch.url);
  maria = { actor: { type: 'operator', name: 'maria' }, clock: createClock(), db };
  jo = { ...maria, actor: { type: 'operator', name: 'jo' } };
});
afterAll(async () => {
  await closeDb(db);
  await scratch?.remove();
});
afterEach(async () => {
  afterBatch = async () => {};
  for (const { name } of await database(db).listCollections({}, { nameOnly: true }).toArray())
    await database(db).collection(name).deleteMany({});
});

/** Writes an entry to the audit trail, as whoever fills a database does. */
const fill = () =>
  inTransaction(maria, async ({ audit }) =>
    audit('backup.made', { kind: 'database', id: 'x' }, { before: null, after: {}, reason: 'operator_command' }),
  );

/** A database that lacks the migrations of the fixture, and has items in the old form. */
const fillOld = async (): Promise<void> => {
  await requireReleased(maria, FOLDER, []);
  await fill();
  await items().insertMany(
    Array.from({ length: ITEMS }, (_, n) => ({ _id: `item-${String(n).padStart(2, '0')}`, state: 'old' })),
  );
};

const migrate = (
  context: Context,
  { to, signal = new AbortController().signal }: { to?: number; signal?: AbortSignal },
) =>
  runJob(
    context,
    createMigrationJob(() => {}, to, FIXTURE),
    readConfig({}),
    signal,
  );

const listStates = async () => (await listMigrations(db, FIXTURE)).map(({ state }) => state);

describe('a new database', () => {
  test('a new database has nothing to migrate', async () => {
    expect(await requireServable(maria, FOLDER, FIXTURE)).toEqual({ version: 2, pending: [], refusal: undefined });
    expect(await listStates()).toEqual(['applied', 'applied']);
    expect(await isAuditEmpty(db)).toBe(true);
  });

  test('a new database is marked once by processes that start at the same time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => requireServable(maria, FOLDER, FIXTURE)));
    expect(await database(db).collection('migrations').countDocuments()).toBe(1 + FIXTURE.length);
  });
});

describe('a database that was filled before the first release', () => {
  const former = Array.from({ length: 7 }, (_, n) => ({
    _id: (n + 1) as never,
    name: `former-${n + 1}`,
    breaksOlder: false,
  }));

  test.each([
    ['without migrations', []],
    ['with other migrations', former],
  ])('a database from before the first release is refused and stays as it is, %s', async (_, applied) => {
    await fill();
    if (applied.length > 0) await database(db).collection('migrations').insertMany(applied);
    await expect(requireServable(maria, FOLDER)).rejects.toThrow(
      'the database (mongodb://127.0.0.1/broker-transparency (embedded, in /var/lib/ratings)) was filled before the first release, and no release can read it: ' +
        'nothing in it was changed; set DATA_DIR or MONGODB_URL to a new one',
    );
    expect(await database(db).collection('migrations').find().toArray()).toEqual(applied);
  });

  test('a database from before the first release is named by its address without the password', async () => {
    await fill();
    const place = { ...FOLDER, mongodbUrl: 'mongodb://maria:secret@db.example:27017/ratings?replicaSet=rs0' };
    await expect(requireServable(maria, place)).rejects.toThrow(
      /^the database \(mongodb:\/\/db\.example:27017\/ratings \(MONGODB_URL\)\) was filled before the first release/,
    );
  });
});

describe('a database that lacks migrations', () => {
  test('a database that lacks migrations is served, unless this release needs one of them', async () => {
    await fillOld();
    expect(await requireServable(maria, FOLDER, FIXTURE)).toMatchObject({ version: 0, pending: [1, 2] });
    const needed = FIXTURE.map((one) => ({ ...one, required: true as const }));
    await expect(requireServable(maria, FOLDER, needed)).rejects.toThrow(/lacks migration 1/);
  });

  test('counting what each migration would change does not change the database', async () => {
    await fillOld();
    expect(await listPending(db, undefined, FIXTURE)).toMatchObject([
      { version: 1, changes: 0 },
      { version: 2, changes: ITEMS },
    ]);
    expect(await listPending(db, 1, FIXTURE)).toMatchObject([{ version: 1 }]);
    expect(await stateCount('old')).toBe(ITEMS);
    expect(await listStates()).toEqual(['pending', 'pending']);
  });

  test('a database is migrated up to a version', async () => {
    await fillOld();
    await migrate(maria, { to: 1 });
    expect(await listStates()).toEqual(['applied', 'pending']);
    expect(await stateCount('old')).toBe(ITEMS);
  });

  test('the next run continues a stopped migration from where it ended', async () => {
    await fillOld();
    const stopping = new AbortController();
    afterBatch = async () => stopping.abort();
    expect(await migrate(maria, { signal: stopping.signal })).toMatchObject({ state: 'stopped' });
    expect(await listStates()).toEqual(['applied', 'pending']);
    const reached = await stateCount('new');
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(ITEMS);

    afterBatch = async () => {};
    const [first] = await items().find().sort({ _id: 1 }).limit(1).toArray();
    await items().updateOne({ _id: first?._id as string }, { $set: { state: 'old' } });
    expect(await migrate(jo, {})).toMatchObject({ state: 'done' });
    expect(await stateCount('old')).toBe(1); // no batch runs twice
    expect(await listMigrations(db, FIXTURE)).toMatchObject([
      { state: 'applied', applied: { changed: 0, actor: { name: 'maria' } } },
      { state: 'applied', applied: { changed: ITEMS, actor: { name: 'jo' } } },
    ]);
    const subject = { kind: 'database', id: database(db).databaseName };
    expect(await listEntries(db, { action: 'database.migrated' }, 9)).toMatchObject([
      {
        actor: jo.actor,
        subject,
        before: { version: 1 },
        after: { version: 2, changed: ITEMS },
        reason: 'operator_command',
      },
      {
        actor: maria.actor,
        subject,
        before: { version: 0 },
        after: { version: 1, changed: 0 },
        reason: 'operator_command',
      },
    ]);
    expect(await readMigrationStatus(db, FIXTURE)).toEqual({ version: 2, pending: [], refusal: undefined });
  });

  test('a database is migrated by one run at a time', async () => {
    await fillOld();
    const [reached, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    afterBatch = async () => {
      reached.resolve();
      await going.promise;
    };
    const first = migrate(maria, {});
    await reached.promise;
    expect(await migrate(jo, {})).toMatchObject({ state: 'busy' });
    going.resolve();
    expect(await first).toMatchObject({ state: 'done' });
    expect(await stateCount('new')).toBe(ITEMS);
  });
});

test('a database that a newer release migrated is listed as such, and refused if that breaks this release', async () => {
  await requireServable(maria, FOLDER, FIXTURE);
  const { upsertedId } = await database(db)
    .collection('migrations')
    .updateOne({ _id: 3 as never }, { $set: { name: 'to-come', breaksOlder: false } }, { upsert: true });
  expect(await requireServable(maria, FOLDER, FIXTURE)).toMatchObject({ version: 3 });
  expect(await listStates()).toEqual(['applied', 'applied', 'of a newer release']);
  await database(db)
    .collection('migrations')
    .updateOne({ _id: upsertedId as never }, { $set: { breaksOlder: true } });
  await expect(requireServable(maria, FOLDER, FIXTURE)).rejects.toThrow(
    'the database is at version 3, and this release knows no more than 2: start the release that migrated it',
  );
});
