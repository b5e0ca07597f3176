import { followTrail } from '../../ledger/audit/follow.ts';
import { closeDb, connectAsReader, type Db } from '../../platform/mongo.ts';
import { readConfig } from '../config.ts';
import { defineCommand } from './define-command.ts';
import { interruptible } from './interrupt.ts';
import { printError } from './output.ts';
import { openTarget } from './target.ts';

/** Returns a listener that reports each new error once, and not on every retry. */
const createFaultReporter = () => {
  let told = '';
  return (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== told) printError(`The trail cannot be read; trying again: ${message}`);
    told = message;
  };
};

/** Only reads the trail: it creates no collection, and a user who may read nothing else suffices. */
const follow = async (env: NodeJS.ProcessEnv, file: string): Promise<void> => {
  const config = readConfig(env);
  const database = await openTarget(config, false);
  let db: Db | undefined;
  try {
    const trail = await connectAsReader(database.url);
    db = trail;
    await interruptible((signal) => followTrail(trail, file, signal, createFaultReporter()));
  } finally {
    if (db) await closeDb(db);
    await database.close();
  }
};

export const followCommands = [
  defineCommand({
    words: 'admin audit follow',
    description:
      'copy the trail to a file until a signal, one line of JSON for each entry; the next run goes on where it stopped',
    rights: { open: true },
    args: { file: { value: '<file>', what: 'where to add lines; FILE.position beside it keeps the place' } },
    example: '/var/log/broker-rating-audit/audit.ndjson',
    run: ({ env }, { file }) => follow(env, file),
  }),
];
