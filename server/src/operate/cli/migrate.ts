import { InvalidArgumentError } from 'commander';
import { actorKey } from '../../ledger/audit/store.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import type { Db } from '../../platform/mongo.ts';
import { terminal } from '../../platform/terminal.ts';
import { readConfig } from '../config.ts';
import { runJob } from '../jobs/service.ts';
import {
  createMigrationJob,
  listMigrations,
  listPending,
  type MigrationRow,
  readMigrationStatus,
} from '../migrations/run.ts';
import { MIGRATIONS } from '../migrations/table.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { interruptible } from './interrupt.ts';
import { print, printRows } from './output.ts';

interface MigrateOptions {
  readonly to?: number;
  readonly status?: boolean;
  readonly dryRun?: boolean;
}

const parseVersion = (text: string): number => {
  const latest = MIGRATIONS.length;
  if (latest === 0) throw new InvalidArgumentError('This release has no migrations.');
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > latest)
    throw new InvalidArgumentError(`Give a version from 1 to ${latest}.`);
  return Number(text);
};

const showRows = (rows: readonly MigrationRow[], json: boolean): void =>
  printRows(
    rows,
    [
      'version',
      ['migration', 'name'],
      'state',
      ['applied', (row) => row.applied?.appliedAt.toISOString()],
      ['by', (row) => row.applied && actorKey(row.applied.actor)],
      ['changed', (row) => row.applied?.changed],
      ['does', 'what'],
    ],
    json,
  );

/** Prints how many documents each pending migration would change. */
const showPending = async (db: Db, to: number | undefined, json: boolean): Promise<void> =>
  printRows(await listPending(db, to), ['version', ['migration', 'name'], 'changes', ['does', 'what']], json);

const apply = async (
  context: Context,
  env: NodeJS.ProcessEnv,
  to: number | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const job = createMigrationJob(({ version, name }) => terminal().writeError(`${version} ${name} …\n`), to);
  const outcome = await runJob(context, job, readConfig(env), signal);
  if (outcome.state === 'busy')
    throw new DomainError(
      'state_conflict',
      'Another process is migrating, or was killed less than 15 seconds ago. See: admin migrate --status',
    );
  if (outcome.state === 'stopped')
    throw new DomainError('failed', 'The migration was stopped. The next admin migrate goes on from there.');
};

const migrate = async (
  { database, env, json }: CommandTools,
  { to, status, dryRun }: MigrateOptions,
  signal: AbortSignal,
): Promise<void> => {
  await database(async (context) => {
    const { version, pending, refusal } = await readMigrationStatus(context.db);
    if (version > MIGRATIONS.length && refusal) throw new DomainError('state_conflict', refusal);
    if (dryRun) return showPending(context.db, to, json);
    if (!status) await apply(context, env, to, signal);
    const rows = await listMigrations(context.db);
    if (status || json) return showRows(rows, json);
    const last = Math.max(0, ...rows.filter(({ state }) => state !== 'pending').map((row) => row.version));
    print(`The database is at version ${last}${pending.length > 0 ? '' : ': there was nothing to do'}.`);
  }, 'as it is');
};

export const migrateCommands = [
  defineCommand({
    words: 'admin migrate',
    rights: { roles: ['admin'], unattended: true },
    options: {
      to: { value: '<version>', what: 'up to this version', parse: parseVersion },
      status: 'list migrations, applied and pending; change nothing',
      dryRun: 'count what each pending migration would change; change nothing',
    },
    json: true,
    example: '--dry-run',
    run: (tools, options) => {
      keepHeapSmall();
      return interruptible((signal) => migrate(tools, options, signal));
    },
  }),
];
