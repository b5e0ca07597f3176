import { readFileSync } from 'node:fs';
import { authorise, NeedsAnother, recordNeedsAnother } from '../../features/operators/authorise.ts';
import { NOBODY } from '../../features/operators/policy.rule.ts';
import { type Context, foreseenEntries } from '../../ledger/context.ts';
import { numberEntries } from '../../ledger/record/sequencer.ts';
import { loadModels, MODULES } from '../../modules.ts';
import { type Clock, createClock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import {
  closeDb,
  connectAsReader,
  connectForDryRun,
  connectForReading,
  type Db,
  ensureCollections,
  ensureModels,
  foreseenWrites,
  storedCollections,
} from '../../platform/mongo.ts';
import { refreshDirty } from '../../published/refresh.ts';
import { findMisspeltSettings, readConfig } from '../config.ts';
import { requireFilled } from '../demo/mark.ts';
import { requireReadable, requireReleased, requireServable } from '../migrations/run.ts';
import { seedEmptyDatabase } from '../seed.ts';
import { type CommandHost, requireInvocation } from './invocation.ts';
import { printError } from './output.ts';
import { openTarget } from './target.ts';

/** Returns the token of the operator who runs the command. @throws DomainError if its file cannot be read */
const readToken = (env: NodeJS.ProcessEnv): string | undefined => {
  const { tokenFile } = requireInvocation(env);
  if (tokenFile === undefined) return env['BROKER_RATING_TOKEN']?.trim();
  try {
    return readFileSync(tokenFile, 'utf8').trim();
  } catch (error) {
    throw new DomainError('invalid_input', `The token cannot be read: ${(error as Error).message}.`);
  }
};

/** Returns who runs the command. */
const identifyActor = ({ clock, db }: Context, env: NodeJS.ProcessEnv) =>
  authorise(db, clock, requireInvocation(env), readToken(env));

/** The actor of a command until it is known who runs it. */
const UNKNOWN = { type: 'operator', name: NOBODY } as const;

const toServerRunsError = (dataDir: string): DomainError =>
  new DomainError('state_conflict', `A server is running on the database in ${dataDir}. Stop it first.`);

/**
 * Commands may wait longer for a connection than requests. Building an index can be silent for longer than any socket
 * timeout.
 */
const PATIENCE = { waitQueueTimeoutMS: 15_000, socketTimeoutMS: 0 };

/**
 * Loads the models of all collections if the database lacks one. A command loads some of its code while it works, and
 * that must not write to a collection that has no schema and no indexes.
 */
const loadMissingModels = async (db: Db): Promise<void> => {
  const stored = await storedCollections(db);
  const declared = MODULES.flatMap(({ collections = {} }) => Object.keys(collections));
  if (declared.some((name) => !stored.has(name))) await loadModels();
};

type CommandWork<T> = (context: Context) => Promise<T>;

/**
 * How a command uses the database. `read`: writes nothing, not even collections or reference data. `as it is`: works on
 * databases that this release cannot serve, and seeds no regulators. `alone`: also refuses to run beside a server.
 * `replaced`: also works on data from before the first release.
 */
export type DatabaseAccess = 'shared' | 'read' | 'as it is' | 'alone' | 'replaced';

const isExclusive = (use: DatabaseAccess): boolean => use === 'alone' || use === 'replaced';

/** Does work on the database of a command. @param use how it uses it; by default as its rights say */
export type OpenDatabase = <T>(work: CommandWork<T>, use?: DatabaseAccess) => Promise<T>;

/**
 * Runs `work` on a pool of its own: that of a dry run takes back what it writes, and keeps what it would have noted;
 * that of a command that reads refuses to write.
 */
const runApart = async <T>(context: Context, env: NodeJS.ProcessEnv, work: CommandWork<T>): Promise<T> => {
  const { isDryRun, foreseen } = requireInvocation(env);
  const db = await (isDryRun ? connectForDryRun : connectForReading)(context.db.url, PATIENCE);
  try {
    const result = await work({ ...context, db });
    foreseen?.audit.push(...foreseenEntries(db));
    if (foreseen && foreseenWrites(db).size > 0) foreseen.hasWrites = true;
    return result;
  } finally {
    await closeDb(db);
  }
};

/**
 * Runs `work` as whoever calls the command. Changes are refreshed before it ends. A dry run is noted like a command
 * that reads, and changes nothing else. Where it replaces the data, it gives
 * entries their numbers by itself: lost ones may have had the next.
 */
const runAs = async <T>(
  begun: Context,
  env: NodeJS.ProcessEnv,
  work: CommandWork<T>,
  use: DatabaseAccess,
): Promise<T> => {
  const context: Context = { ...begun, actor: await identifyActor(begun, env) };
  const { isDryRun, rights } = requireInvocation(env);
  const isApart = isDryRun || rights.reads;
  const result = await (isApart ? runApart(context, env, work) : work(context)).catch(async (error: unknown) => {
    if (error instanceof NeedsAnother) await recordNeedsAnother(context, requireInvocation(env).command, error.refusal);
    throw error;
  });
  if (use === 'read' || isDryRun) return result;
  await refreshDirty(context.db, context.clock);
  if (!isExclusive(use)) await numberEntries(context.db, context.clock);
  return result;
};

/**
 * Runs a command on the open database of a service.
 * @param clock the one of the service, or of the command's settings
 */
const runOn = async <T>(
  { db, dataDir }: CommandHost,
  clock: Clock,
  env: NodeJS.ProcessEnv,
  work: CommandWork<T>,
  use: DatabaseAccess,
): Promise<T> => {
  if (isExclusive(use)) throw toServerRunsError(dataDir);
  return runAs({ actor: UNKNOWN, clock, db }, env, work, use);
};

/**
 * Runs one command on the database that MONGODB_URL names, on the embedded database of a running server, or, with
 * `--embedded`, on an embedded one of its own that ends with the command. It says which one it is. Changes are
 * refreshed before it ends, so that they show even if no server runs.
 * @param given how it uses the database; by default as its rights say
 */
export const withDatabase = async <T>(
  env: NodeJS.ProcessEnv,
  work: CommandWork<T>,
  given?: DatabaseAccess,
): Promise<T> => {
  const config = readConfig(env);
  const { rights, host, mayStart, isDryRun } = requireInvocation(env);
  const use = given ?? (rights.reads ? 'read' : 'shared');
  if (host) return runOn(host, config.clock === undefined ? host.clock : createClock(config.clock), env, work, use);
  for (const line of findMisspeltSettings(env)) printError(line);
  const clock = createClock(config.clock);
  const database = await openTarget(config, mayStart);
  if (isExclusive(use) && database.origin === 'shared') throw toServerRunsError(config.dataDir);
  let db: Db | undefined;
  try {
    db = await connectAsReader(database.url, PATIENCE);
    const begun: Context = { actor: UNKNOWN, clock, db };
    if (use !== 'read') await loadMissingModels(db);
    if (use === 'read' || (use === 'shared' && isDryRun)) await requireReadable(begun, config);
    else if (use === 'shared') {
      await requireServable(begun, config);
      await ensureCollections(db);
      await seedEmptyDatabase(begun);
    } else if (!isDryRun) {
      if (use !== 'replaced') await requireReleased(begun, config);
      await ensureModels(db);
    }
    if (use !== 'read') await requireFilled(db);
    return await runAs(begun, env, work, use);
  } finally {
    if (db) await closeDb(db);
    await database.close();
  }
};
