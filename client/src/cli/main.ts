import { type ClientOptions, createClient, type Fetch } from '@broker-transparency/client';
import { VERSION } from '../generated/version.ts';
import { COMMANDS, type Command } from './commands.ts';
import { KEY_VARIABLE } from './enterprise.ts';
import { buildFromAnswer, EXIT, formatFailure, toFailure } from './failures.ts';
import { toJson } from './table.ts';
import { checkArguments, formatHelp, parse, UsageError, type Values } from './usage.ts';

/** The environment of the command line. */
export interface CommandTerminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file; `-` stands for the standard input. */
  readonly read: (file: string) => Promise<string>;
  readonly print: (output: string) => void;
  readonly printError: (output: string) => void;
  /** Replaces the platform's `fetch` in tests. */
  readonly fetch?: Fetch;
}

/** The address at which `pnpm start` serves. */
const DEFAULT_BASE = 'http://127.0.0.1:3000';

const createCliClient = (options: ClientOptions) => {
  try {
    return createClient(options);
  } catch (error) {
    const names = { baseUrl: '--base-url or BROKER_TRANSPARENCY_URL', token: 'BROKER_TRANSPARENCY_TOKEN' };
    const named = (error as Error).message.replace(/^(baseUrl|token)/, (name) => names[name as keyof typeof names]);
    throw new UsageError(named);
  }
};

const findCommand = (name: string | undefined): Command => {
  const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name ?? ''] : undefined;
  if (command !== undefined) return command;
  const all = Object.keys(COMMANDS).join(', ');
  throw new UsageError(
    name === undefined ? `a command is missing: ${all}` : `there is no command "${name}"; there are ${all}`,
  );
};

/**
 * Turns the client's complaint about arguments into a usage error.
 * @throws UsageError, or the error itself if it has another cause
 */
const rethrowAsUsage = (error: unknown): never => {
  throw error instanceof TypeError || error instanceof RangeError ? new UsageError(error.message) : error;
};

const run = async (
  args: readonly string[],
  base: string,
  values: Values,
  terminal: CommandTerminal,
): Promise<number> => {
  const isPair = Object.hasOwn(COMMANDS, args.slice(0, 2).join(' '));
  const [name, ...words] = isPair ? [args.slice(0, 2).join(' '), ...args.slice(2)] : args;
  const command = findCommand(name);
  const given = checkArguments(name ?? '', command, { words, values });
  const { env, read, print, printError, fetch } = terminal;
  const timeoutMs = values.timeout === undefined ? undefined : values.timeout * 1000;
  const token = env['BROKER_TRANSPARENCY_TOKEN'] || undefined;
  const client = createCliClient({ baseUrl: base, token, timeoutMs, store: false, fetch });
  const { pieces, answer, text, differs } = await command
    .run({
      client,
      base: values['base-url'] ?? (env['BROKER_TRANSPARENCY_URL'] || undefined),
      anyBase: base,
      customerKey: env[KEY_VARIABLE] || undefined,
      given,
      values,
      read,
      fetch: fetch ?? globalThis.fetch,
      note: printError,
    })
    .catch(rethrowAsUsage);
  try {
    for await (const piece of pieces ?? []) print(piece);
  } catch (error) {
    rethrowAsUsage(error);
  }
  if (text) print(`${values.json ? toJson(answer) : buildFromAnswer(text)}\n`);
  return differs ? EXIT.differs : EXIT.done;
};

/**
 * Runs the command line.
 * @returns the exit code
 */
export const main = async (args: readonly string[], terminal: CommandTerminal): Promise<number> => {
  let base = terminal.env['BROKER_TRANSPARENCY_URL'] || DEFAULT_BASE;
  try {
    const { words, values } = parse(args);
    base = values['base-url'] ?? base;
    if (values.version) terminal.print(`${VERSION}\n`);
    else if (values.help) terminal.print(formatHelp(COMMANDS));
    else return await run(words, base, values, terminal);
    return EXIT.done;
  } catch (error) {
    const failure = toFailure(error, base);
    terminal.printError(formatFailure(failure));
    return failure.code;
  }
};
