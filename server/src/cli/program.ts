import { Command, CommanderError } from 'commander';
import { version } from '../assets.ts';
import { ConfigError } from '../config.ts';
import { addAccountCommands } from './account.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup.ts';
import { addComplaintCommands } from './complaint.ts';
import { addImportCommands } from './import.ts';
import { addJobCommands } from './job.ts';
import { addLicenseCommands } from './license.ts';
import { addMigrateCommand } from './migrate.ts';
import { addModerationCommands } from './moderation.ts';
import { addNewsCommands } from './news.ts';
import { parseActor } from './options.ts';
import { addRebuildCommand } from './rebuild.ts';
import { addReviewCommands } from './review.ts';
import { addScoreCommand } from './score.ts';
import { addSeedCommand } from './seed.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';

const COMMANDS = [
  addServeCommand,
  addSeedCommand,
  addImportCommands,
  addTokenCommands,
  addAccountCommands,
  addReviewCommands,
  addModerationCommands,
  addComplaintCommands,
  addLicenseCommands,
  addNewsCommands,
  addScoreCommand,
  addRebuildCommand,
  addJobCommands,
  addMigrateCommand,
  addBackupCommands,
  addAuditCommands,
];

const createProgram = (env: NodeJS.ProcessEnv): Command => {
  const program = new Command('broker-rating')
    .description('Broker transparency and rating service. Settings come from the environment: see docs/operating.md.')
    .version(version);
  for (const add of COMMANDS) add(program, env);
  return program;
};

/**
 * What holds for every command. Wrong usage ends here too: commander is told to throw instead of ending the process. And
 * whoever acts has a name that the audit trail can show.
 */
const setUp = (command: Command): void => {
  command.exitOverride().showHelpAfterError('(add --help for what is possible)');
  command.options.find(({ long }) => long === '--actor')?.argParser(parseActor);
  for (const sub of command.commands) setUp(sub);
};

/** Runs the command line. Returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export const run = async (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const program = createProgram(env);
  setUp(program);
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${error instanceof ConfigError ? 'Wrong setting: ' : ''}${message.split('\n', 1)[0]}\n`);
    return 1;
  }
};
