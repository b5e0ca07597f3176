import { moveClock, systemClock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { openDatabase } from '../../platform/embedded/mongo.ts';
import { connectForCommand, connectMongo, disconnectMongo } from '../../platform/mongo.ts';
import { numberEntries } from '../../platform/record/sequencer.ts';
import { refreshDirty } from '../../published/refresh.ts';
import { misspeltSettings, readConfig } from '../config.ts';
import { requireServable } from '../migrations/run.ts';
import { seedEmpty } from '../seed.ts';

/** Options of every command that writes. */
export interface ActorOption {
  readonly actor: string;
}

/**
 * Runs one command on the database that MONGODB_URL names, on the embedded database of a running server, or on an
 * embedded one of its own that ends with the command. Changes are refreshed before it ends, so that they show even if
 * no server runs.
 * @param use `as it is`: works on databases that this release cannot serve, and seeds no regulators. `alone and as it
 * is`: also refuses to run beside a server
 */
export const withDatabase = async <T>(
  env: NodeJS.ProcessEnv,
  actor: string,
  work: (context: Context) => Promise<T>,
  use: 'shared' | 'as it is' | 'alone and as it is' = 'shared',
): Promise<T> => {
  const config = readConfig(env);
  for (const line of misspeltSettings(env)) process.stderr.write(`${line}\n`);
  moveClock(config.clock ?? 0);
  const database = await openDatabase({
    ...config,
    use: 'command',
    log: (line) => process.stderr.write(`${line}\n`),
  });
  if (use === 'alone and as it is' && database.origin === 'shared')
    throw new DomainError('state_conflict', `A server is running on the database in ${config.dataDir}. Stop it first.`);
  try {
    // Commands may wait longer for a connection than requests. Building an index can be silent for longer than any
    // socket timeout.
    const connect = use === 'shared' ? connectForCommand : connectMongo;
    await connect(database.url, { waitQueueTimeoutMS: 15_000, socketTimeoutMS: 0 });
    const context: Context = { actor: { type: 'operator', name: actor }, clock: systemClock };
    if (use === 'shared') {
      await requireServable(context);
      await seedEmpty(context);
    }
    const result = await work(context);
    await refreshDirty(systemClock);
    await numberEntries(systemClock);
    return result;
  } finally {
    await disconnectMongo();
    await database.close();
  }
};
