import { type Database, NotServedError, openDatabase } from '@broker-transparency/embedded-mongo/mongo';
import { terminal } from '../../platform/terminal.ts';
import { type Config, describeDatabase } from '../config.ts';
import { printError } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Says on standard error which database a command works on. */
export const printTarget = (config: Config): void => printError(`Database: ${describeDatabase(config)}`);

/**
 * Opens the database that the settings of a command name, and says which one it is.
 * @param mayStart starts the embedded database where no server runs
 * @throws UsageError if no server runs on the embedded database and `mayStart` is false
 */
export const openTarget = async (config: Config, mayStart: boolean): Promise<Database> => {
  printTarget(config);
  const log = (line: string): void => terminal().writeError(`${line}\n`);
  return openDatabase({ ...config, use: 'command', mayStart, log }).catch((error: unknown) => {
    if (!(error instanceof NotServedError)) throw error;
    throw new UsageError(
      `No server runs on the embedded database in ${config.dataDir}. Set MONGODB_URL, choose a context ` +
        '(broker-rating context use NAME), or add --embedded to use this database while no server runs.',
    );
  });
};
