import { Command, CommanderError } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { type Terminal, terminal, withTerminal } from '../../platform/terminal.ts';
import { version } from '../../version.ts';
import { addCommands, type StartCommand } from './build-command.ts';
import { ADMIN_COMMANDS, COMMAND_GROUPS, COMPLETION, type CommandEntry } from './commands.ts';
import { type CommandDefinition, isWriting } from './define-command.ts';
import {
  type CommandHost,
  type ForeseenEffect,
  findInvocation,
  type Invocation,
  saveInvocation,
} from './invocation.ts';
import { UsageError } from './usage-error.ts';

/** @throws UsageError if the command cannot tell what it would do */
const requireDryRun = ({ words, noDryRun }: CommandDefinition): void => {
  if (noDryRun !== undefined) throw new UsageError(`${words} has no --dry-run. ${noDryRun}`);
};

const toInvocation = (
  program: Command,
  command: Command,
  { words, rights, options }: CommandDefinition,
  host: CommandHost | undefined,
): Invocation => {
  const isDryRun = isWriting(rights) && command.getOptionValue('dryRun') === true;
  const isGiven = command.getOptionValueSource('actor') === 'cli';
  return {
    command: words,
    rights,
    actor: isGiven ? (command.getOptionValue('actor') as string) : undefined,
    tokenFile: program.getOptionValue('tokenFile') as string | undefined,
    mayStart: program.getOptionValue('embedded') === true,
    host,
    isDryRun,
    isJson: command.getOptionValue('json') === true,
    foreseen: isDryRun && !options?.['dryRun'] ? { audit: [], hasWrites: false } : undefined,
  };
};

/** Returns how commands of a command line begin. */
const createStart =
  (program: Command, env: NodeJS.ProcessEnv, host: CommandHost | undefined): StartCommand =>
  async (definition, command) => {
    const invocation = toInvocation(program, command, definition, host);
    if (invocation.isDryRun) requireDryRun(definition);
    saveInvocation(env, invocation);
    if (definition.words !== COMPLETION) {
      // a shell that starts has completion, whatever context is in use; help and wrong usage need no context
      const { applyContext } = await import('./contexts.ts');
      await applyContext(env, invocation, program.getOptionValue('context') as string | false | undefined);
    }
    return {
      env,
      program,
      policy: async () => (await import('./policy.ts')).loadPolicy(),
      json: invocation.isJson,
      refuse: (fault) => command.error(fault),
      database: async (work, use) => (await import('./session.ts')).withDatabase(env, work, use),
    };
  };

/** Adds commands by name. Only those that the command line names are loaded; completion needs all of them. */
const addEntries = async (
  parent: Command,
  entries: readonly CommandEntry[],
  argv: readonly string[],
  add: (command: Command, entry: CommandEntry) => Promise<void>,
): Promise<void> => {
  for (const entry of entries) {
    const { words, alias, description } = entry;
    const name = words.split(' ').at(-1) as string;
    const command = parent.command(name).description(description);
    if (alias !== undefined) command.alias(alias);
    if ([name, alias, COMPLETION].some((word) => word !== undefined && argv.includes(word))) await add(command, entry);
  }
};

/** Creates all commands. */
const createProgram = async (
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  host: CommandHost | undefined,
): Promise<Command> => {
  const program = new Command('broker-rating')
    .description('Broker transparency and rating service. Settings come from the environment: see docs/operating.md.')
    .version(version)
    .option('--token-file <path>', 'file with your token as an operator; else BROKER_RATING_TOKEN')
    .option('--context <name>', 'use the settings of this context; see context --help')
    .option('--no-context', 'use the settings of the environment alone')
    .option('--embedded', 'if no server runs, start the embedded database in DATA_DIR for this command')
    .configureOutput({
      writeOut: (text) => terminal().write(text),
      writeErr: (text) => terminal().writeError(text),
    });
  const [start, isBound] = [createStart(program, env, host), hasToken(argv, env)];
  const add = async (command: Command, { words, load }: CommandEntry) =>
    addCommands(command, words, await load(), start, isBound);
  for (const { heading, commands } of COMMAND_GROUPS) {
    program.commandsGroup(heading);
    await addEntries(program, commands, argv, add);
  }
  program.commandsGroup('Plumbing:');
  const admin = program
    .command('admin')
    .description('run what timers, installers and repairs need; people seldom type it');
  await addEntries(admin, ADMIN_COMMANDS, argv, add);
  setUp(program);
  return program;
};

/** Returns true if the command line has the token of an operator, who then acts. */
const hasToken = (argv: readonly string[], env: NodeJS.ProcessEnv): boolean =>
  env['BROKER_RATING_TOKEN'] !== undefined || argv.some((word) => /^--token-file(=|$)/.test(word));

/** Makes a command and its subcommands throw on wrong usage, instead of ending the process. */
const setUp = (command: Command): void => {
  command.exitOverride().showHelpAfterError('(--help lists what is possible)');
  for (const sub of command.commands) setUp(sub);
};

/** Returns the line on standard error for a command that was refused or failed. */
const formatErrorLine = async (error: unknown): Promise<string> => {
  const { describeRefusal } = await import('../../platform/refusal.rule.ts'); // successful commands need not load it
  const broken = error instanceof Error ? describeRefusal(error) : undefined;
  if (broken) return `The database refused what the command writes, by a fault of this release: ${broken.join(', ')}`;
  const message = error instanceof Error ? error.message : String(error);
  const isSetting = error instanceof DomainError && error.code === 'invalid_setting';
  return `${isSetting ? 'Wrong setting: ' : ''}${message.split('\n', 1)[0]}`;
};

/**
 * Returns a terminal that leaves out what a dry run says of its work: nothing of that has happened, and a token that it
 * shows works nowhere.
 */
const createDryTerminal = (env: NodeJS.ProcessEnv): Terminal => {
  const outer = terminal();
  return { ...outer, write: (text) => (findInvocation(env)?.foreseen ? undefined : outer.write(text)) };
};

/** Prints the effect that a dry run would have had. */
const printForeseen = async ({ audit, hasWrites }: ForeseenEffect, isJson: boolean): Promise<void> => {
  const { print, printError, printRows, toJson } = await import('./output.ts'); // successful commands need not load it
  if (audit.length === 0 && !isJson) print(hasWrites ? 'It would write no audit entry.' : 'Nothing would change.');
  else
    printRows(
      audit.map(({ action, subject, before, after, reason }) => ({ action, subject, before, after, reason })),
      [
        'action',
        ['subject', ({ subject }) => `${subject.kind} ${subject.id}`],
        ['before', (row) => row.before && toJson(row.before)],
        ['after', (row) => row.after && toJson(row.after)],
        'reason',
      ],
      isJson,
    );
  printError('Dry run: nothing was changed.');
};

/**
 * Runs the command line. Returns the exit code: 0 done, 1 refused or failed, 2 wrong usage.
 * @param host the service on whose database it runs; without one, the command opens the database that its settings name
 */
export const run = async (
  argv: readonly string[],
  settings: NodeJS.ProcessEnv,
  host?: CommandHost,
): Promise<number> => {
  const env = { ...settings };
  const program = await createProgram(argv, env, host);
  try {
    await withTerminal(createDryTerminal(env), () => program.parseAsync(argv));
    const { foreseen, isJson } = findInvocation(env) ?? {};
    if (foreseen) await printForeseen(foreseen, isJson === true);
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { printError } = await import('./output.ts'); // successful commands need not load it
    printError(await formatErrorLine(error));
    return error instanceof UsageError ? 2 : 1;
  }
};
