import type { Command } from 'commander';
import { followTrail } from '../../platform/audit/follow.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { openDatabase } from '../../platform/embedded/mongo.ts';
import { closeDb, connectAsReader, type Db } from '../../platform/mongo.ts';
import { readConfig } from '../config.ts';
import { interruptible } from './interrupt.ts';

const tell = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** Returns a listener that reports each new error once, and not on every retry. */
const tellFaults = () => {
  let told = '';
  return (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== told) tell(`The trail is not followed; tried again: ${message}`);
    told = message;
  };
};

/** Only reads the trail: it creates no collection, and a user who may read nothing else suffices. */
const follow = async (env: NodeJS.ProcessEnv, file: string): Promise<void> => {
  const config = readConfig(env);
  const database = await openDatabase({ ...config, use: 'command', log: tell });
  let db: Db | undefined;
  try {
    if (database.origin === 'started')
      throw new DomainError(
        'state_conflict',
        `No server runs on the database in ${config.dataDir}: start one first, or set MONGODB_URL.`,
      );
    const trail = await connectAsReader(database.url);
    db = trail;
    await interruptible((signal) => followTrail(trail, file, signal, tellFaults()));
  } finally {
    if (db) await closeDb(db);
    await database.close();
  }
};

export const addFollowCommand = (audit: Command, env: NodeJS.ProcessEnv): void => {
  audit
    .command('follow')
    .description('write the trail to a file, line by line as JSON, until a signal; it goes on where it was')
    .argument('<file>', 'lines are added to it; beside it, FILE.position says how far it is')
    .addHelpText('after', '\nExample:\n  broker-rating audit follow /var/log/broker-rating-audit/audit.ndjson')
    .action((file: string) => follow(env, file));
};
