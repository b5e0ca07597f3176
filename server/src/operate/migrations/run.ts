import { isAuditEmpty } from '../../ledger/audit/store.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import type { ServiceJob } from '../../ledger/define-module.ts';
import { type JobRun, ON_COMMAND } from '../../platform/jobs/job.ts';
import type { Checkpoint } from '../../platform/jobs/store.ts';
import { type Db, database, ensureCollections, transaction } from '../../platform/mongo.ts';
import { version as service } from '../../version.ts';
import { type DatabaseLocation, describeDatabase } from '../config.ts';
import type { Migration } from './migration.ts';
import { compareMigrations, type MigrationStatus } from './standing.rule.ts';
import { type AppliedMigration, isApplied, listApplied, saveApplied } from './store.ts';
import { MIGRATIONS } from './table.ts';

/** Compares the database with this release. */
export const readMigrationStatus = async (db: Db, migrations = MIGRATIONS): Promise<MigrationStatus> =>
  compareMigrations(
    migrations,
    (await listApplied(db)).map(({ _id: version, breaksOlder }) => ({ version, breaksOlder })),
  );

const toAppliedFields = (
  { actor, clock }: Context,
  { version, name, breaksOlder }: Pick<Migration, 'version' | 'name' | 'breaksOlder'>,
  changed: number,
) => ({
  _id: version,
  name,
  appliedAt: clock(),
  actor,
  service,
  changed,
  breaksOlder: breaksOlder ?? false,
});

/** The mark of every database that a release has filled. */
const FIRST = { version: 0, name: 'first-release' } as const;

/**
 * Returns true if a database is new: nothing was ever written to it, not even a mark.
 * @throws Error with a one-line message if its data is from before the first release
 */
const isNewDatabase = async (db: Db, place: DatabaseLocation): Promise<boolean> => {
  if (await isApplied(db, FIRST)) return false;
  const isEmpty = (await isAuditEmpty(db)) && (await listApplied(db)).length === 0;
  if (await isApplied(db, FIRST)) return false; // another process has marked the database, and may have filled it since
  if (!isEmpty)
    throw new Error(
      `the database (${describeDatabase(place)}) was filled before the first release, and no release can read it: ` +
        'nothing in it was changed; set DATA_DIR or MONGODB_URL to a new one',
    );
  return true;
};

/** @throws Error with a one-line message if this release cannot serve the database */
const requireKnown = async (db: Db, migrations: readonly Migration[]): Promise<MigrationStatus> => {
  const standing = await readMigrationStatus(db, migrations);
  if (standing.refusal !== undefined) throw new Error(standing.refusal);
  return standing;
};

/**
 * Lets a command read a database, and writes nothing to it.
 * @throws Error with a one-line message if this release cannot read the database
 */
export const requireReadable = async ({ db }: Context, place: DatabaseLocation): Promise<void> => {
  if (!(await isNewDatabase(db, place))) await requireKnown(db, MIGRATIONS);
};

/**
 * Marks a new database, which has nothing to migrate. Changes nothing in one that has data.
 * @throws Error with a one-line message if its data is from before the first release
 */
export const requireReleased = async (
  context: Context,
  place: DatabaseLocation,
  migrations = MIGRATIONS,
): Promise<void> => {
  if (!(await isNewDatabase(context.db, place))) return;
  await ensureCollections(context.db); // a write would make the collection of the marks without its schema
  await transaction(context.db, async (tx) => {
    for (const one of [FIRST, ...migrations]) await saveApplied(toAppliedFields(context, one, 0), tx);
  });
};

/** @throws Error with a one-line message if this release cannot serve the database */
export const requireServable = async (
  context: Context,
  place: DatabaseLocation,
  migrations = MIGRATIONS,
): Promise<MigrationStatus> => {
  await requireReleased(context, place, migrations);
  return requireKnown(context.db, migrations);
};

/** Returns the part of a checkpoint that belongs to this migration. */
const findBookmark = (version: number, checkpoint: Checkpoint | undefined): Checkpoint | undefined => {
  const [of, cursor = ''] = checkpoint?.cursor.split(' ', 2) ?? [];
  return checkpoint && Number(of) === version ? { cursor, done: checkpoint.done } : undefined;
};

const applyMigration = async (context: Context, migration: Migration, run: JobRun): Promise<void> => {
  const { version } = migration;
  const changed = await migration.run(context, {
    ...run,
    checkpoint: findBookmark(version, run.checkpoint),
    advance: ({ cursor, done }, total, tx) => run.advance({ cursor: `${version} ${cursor}`, done }, total, tx),
  });
  await inTransaction(context, async (c) => {
    // fails if another process holds the lease
    await run.advance({ cursor: `${version} `, done: changed }, changed, c.tx);
    await saveApplied(toAppliedFields(c, migration, changed), c.tx);
    const subject = { kind: 'database', id: database(c.db).databaseName } as const;
    const [before, after] = [{ version: version - 1 }, { version, changed }];
    c.audit('database.migrated', subject, { before, after, reason: 'operator_command' });
  });
};

const findPending = async (db: Db, to: number, migrations: readonly Migration[]): Promise<Migration[]> => {
  const { pending } = await readMigrationStatus(db, migrations);
  return migrations.filter(({ version }) => version <= to && pending.includes(version));
};

/** Milliseconds without a heartbeat after which a run counts as killed and another may take over. */
const LOCK_MS = 15_000;

/**
 * Returns the job that applies pending migrations up to a version. One process at a time runs it, under a lease and
 * with a checkpoint.
 */
export const createMigrationJob = (
  onApply: (migration: Migration) => void,
  to = Number.POSITIVE_INFINITY,
  migrations = MIGRATIONS,
): ServiceJob => ({
  name: 'migrate',
  what: 'applies pending migrations',
  schedule: ON_COMMAND,
  lockMs: LOCK_MS,
  run: async (context, run) => {
    for (const step of await findPending(context.db, to, migrations)) {
      run.signal.throwIfAborted();
      onApply(step);
      await applyMigration(context, step, run);
    }
  },
});

/** A pending migration, and the number of documents that it would change now. */
type PendingRow = Pick<Migration, 'version' | 'name' | 'what'> & { readonly changes: number };

/** Lists the migrations up to a version that the database lacks. Changes nothing. */
export const listPending = async (
  db: Db,
  to = Number.POSITIVE_INFINITY,
  migrations = MIGRATIONS,
): Promise<PendingRow[]> => {
  const wanted = await findPending(db, to, migrations);
  return Promise.all(
    wanted.map(async ({ version, name, what, count }) => ({ version, name, what, changes: await count(db) })),
  );
};

/** A row in the list of migrations. */
export type MigrationRow = Pick<Migration, 'version' | 'name' | 'what'> & {
  readonly state: 'applied' | 'pending' | 'of a newer release';
  readonly applied: Pick<AppliedMigration, 'appliedAt' | 'actor' | 'service' | 'changed'> | null;
};

/** Lists every migration that this release or the database knows. */
export const listMigrations = async (db: Db, migrations = MIGRATIONS): Promise<MigrationRow[]> => {
  const applied = new Map((await listApplied(db)).map((row) => [row._id, row]));
  const known = migrations.map(({ version, name, what }): MigrationRow => {
    const row = applied.get(version) ?? null;
    return { version, name, what, state: row ? 'applied' : 'pending', applied: row };
  });
  const newer = [...applied.values()].filter(({ _id }) => _id > migrations.length);
  return [
    ...known,
    ...newer.map((row): MigrationRow => {
      return { version: row._id, name: row.name, what: '', state: 'of a newer release', applied: row };
    }),
  ];
};
