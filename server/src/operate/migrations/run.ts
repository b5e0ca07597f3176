import { isAuditEmpty } from '../../platform/audit/store.ts';
import { type Context, inTransaction } from '../../platform/context.ts';
import { type JobRun, ON_COMMAND } from '../../platform/jobs/job.ts';
import type { Checkpoint } from '../../platform/jobs/store.ts';
import { type Db, database } from '../../platform/mongo.ts';
import { version as service } from '../../version.ts';
import type { ServiceJob } from '../jobs/table.ts';
import type { Migration } from './migration.ts';
import { type Standing, standingOf } from './standing.rule.ts';
import { type AppliedMigration, listApplied, noteApplied } from './store.ts';
import { LATEST, MIGRATIONS } from './table.ts';

/** Compares the database with this release. */
export const readStanding = async (db: Db): Promise<Standing> =>
  standingOf(
    MIGRATIONS,
    (await listApplied(db)).map(({ _id: version, breaksOlder }) => ({ version, breaksOlder })),
  );

const appliedBy = ({ actor, clock }: Context, { version, name, breaksOlder }: Migration, changed: number) => ({
  _id: version,
  name,
  appliedAt: clock(),
  actor,
  service,
  changed,
  breaksOlder: breaksOlder ?? false,
});

/** Marks all migrations as applied on a new database, which has nothing to migrate. */
export const noteNew = async (context: Context): Promise<void> => {
  if ((await listApplied(context.db)).length > 0 || !(await isAuditEmpty(context.db))) return;
  for (const migration of MIGRATIONS) await noteApplied(context.db, appliedBy(context, migration, 0));
};

/** @throws Error with a one-line message if this release cannot serve the database */
export const requireServable = async (context: Context): Promise<Standing> => {
  await noteNew(context);
  const standing = await readStanding(context.db);
  if (standing.refusal !== undefined) throw new Error(standing.refusal);
  return standing;
};

/** Returns the part of a checkpoint that belongs to this migration. */
const bookmarkIn = (version: number, checkpoint: Checkpoint | undefined): Checkpoint | undefined => {
  const [of, cursor = ''] = checkpoint?.cursor.split(' ', 2) ?? [];
  return checkpoint && Number(of) === version ? { cursor, done: checkpoint.done } : undefined;
};

const apply = async (context: Context, migration: Migration, run: JobRun): Promise<void> => {
  const { version } = migration;
  const changed = await migration.run(context, {
    ...run,
    checkpoint: bookmarkIn(version, run.checkpoint),
    advance: ({ cursor, done }, total, tx) => run.advance({ cursor: `${version} ${cursor}`, done }, total, tx),
  });
  await inTransaction(context, async (c) => {
    // fails if another process holds the lease
    await run.advance({ cursor: `${version} `, done: changed }, changed, c.tx);
    await noteApplied(c.db, appliedBy(c, migration, changed), c.tx);
    const subject = { kind: 'database', id: database(c.db).databaseName } as const;
    const [before, after] = [{ version: version - 1 }, { version, changed }];
    c.audit('database.migrated', subject, { before, after, reason: 'operator_command' });
  });
};

/** Milliseconds without a heartbeat after which a run counts as killed and another may take over. */
const LOCK_MS = 15_000;

/**
 * Returns the job that applies pending migrations up to a version. One process at a time runs it, under a lease and
 * with a checkpoint.
 */
export const migration = (to: number, onApply: (migration: Migration) => void): ServiceJob => ({
  name: 'migrate',
  what: 'applies pending migrations',
  schedule: ON_COMMAND,
  lockMs: LOCK_MS,
  run: async (context, run) => {
    const { pending } = await readStanding(context.db);
    for (const step of MIGRATIONS.filter(({ version }) => version <= to && pending.includes(version))) {
      run.signal.throwIfAborted();
      onApply(step);
      await apply(context, step, run);
    }
  },
});

/** A row in the list of migrations. */
export type MigrationRow = Pick<Migration, 'version' | 'name' | 'what'> & {
  readonly state: 'applied' | 'pending' | 'of a newer release';
  readonly applied: Pick<AppliedMigration, 'appliedAt' | 'actor' | 'service' | 'changed'> | null;
};

/** Lists every migration that this release or the database knows. */
export const listMigrations = async (db: Db): Promise<MigrationRow[]> => {
  const applied = new Map((await listApplied(db)).map((row) => [row._id, row]));
  const known = MIGRATIONS.map(({ version, name, what }): MigrationRow => {
    const row = applied.get(version) ?? null;
    return { version, name, what, state: row ? 'applied' : 'pending', applied: row };
  });
  const newer = [...applied.values()].filter(({ _id }) => _id > LATEST);
  return [
    ...known,
    ...newer.map((row): MigrationRow => {
      return { version: row._id, name: row.name, what: '', state: 'of a newer release', applied: row };
    }),
  ];
};
