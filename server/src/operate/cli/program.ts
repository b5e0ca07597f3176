import { Command, CommanderError } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { version } from '../../version.ts';
import { parseActor } from './actor.ts';
import { COMMANDS } from './commands.ts';

/** Creates all commands by name. Only those that the command line names get their options and subcommands. */
const createProgram = async (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Command> => {
  const program = new Command('broker-rating')
    .description('Broker transparency and rating service. Settings come from the environment: see docs/operating.md.')
    .version(version);
  for (const { name, alias, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (alias !== undefined) command.alias(alias);
    if ([name, alias].some((word) => word !== undefined && argv.includes(word))) (await load())(command, env);
  }
  return program;
};

/**
 * Applies settings to a command and its subcommands. Commander throws on wrong usage instead of ending the process, and
 * `--actor` accepts only names that the audit trail can show.
 */
const setUp = (command: Command): void => {
  command.exitOverride().showHelpAfterError('(add --help for what is possible)');
  command.options.find(({ long }) => long === '--actor')?.argParser(parseActor);
  for (const sub of command.commands) setUp(sub);
};

/** Returns the line on standard error for a command that was refused or failed. */
const lineOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  const isSetting = error instanceof DomainError && error.code === 'invalid_setting';
  return `${isSetting ? 'Wrong setting: ' : ''}${message.split('\n', 1)[0]}`;
};

/** Runs the command line. Returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export const run = async (argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const program = await createProgram(argv, env);
  setUp(program);
  try {
    await program.parseAsync(argv);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { printError } = await import('./output.ts'); // successful commands need not load it
    printError(lineOf(error));
    return 1;
  }
};
