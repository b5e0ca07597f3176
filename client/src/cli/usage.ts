import { parseArgs } from 'node:util';

/** A mistake in a command line. */
export class UsageError extends Error {}

interface Option {
  readonly type: 'string' | 'boolean';
  /** Placeholder for the value in the help text. */
  readonly value?: string;
  readonly about: string;
}

const OPTIONS = {
  color: { type: 'string', value: 'COLOR', about: 'only green, yellow, red or gray brokers' },
  country: { type: 'string', value: 'CODE', about: 'only brokers whose firm is in this country, such as GB' },
  regulator: { type: 'string', value: 'CODE', about: 'only brokers with a licence of this regulator, such as fca' },
  status: { type: 'string', value: 'STATUS', about: 'only operating, ceased, merged or suspected_clone brokers' },
  residence: { type: 'string', value: 'CODE', about: 'only brokers confirmed for clients who live there, such as DE' },
  license: {
    type: 'string',
    value: 'CHOICE',
    about: 'only brokers with any confirmed licence (confirmed), with this best tier (1 to 4), or without one (none)',
  },
  warnings: {
    type: 'string',
    value: 'CHOICE',
    about: 'only brokers with a warning in force (standing), or of which none is known (unknown)',
  },
  sort: { type: 'string', value: 'ORDER', about: 'newest_change: newest change first' },
  slugs: { type: 'string', value: 'SLUGS', about: 'only these brokers, with commas between them' },
  'updated-since': {
    type: 'string',
    value: 'N',
    about: 'only brokers that changed since, as the answer before says; 0 gives all',
  },
  limit: { type: 'string', value: 'N', about: 'how many items a page has' },
  offset: { type: 'string', value: 'N', about: 'how many items to skip' },
  cursor: { type: 'string', value: 'TEXT', about: 'where to go on, as the page before says' },
  all: { type: 'boolean', about: 'every page, by 100 items unless --limit says otherwise; waits for the budget' },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'the key of an earlier try, so that nothing is sent twice',
  },
  policy: { type: 'string', value: 'FILE', about: 'which logs and witnesses you trust (c2sp.org/tlog-policy)' },
  key: { type: 'string', value: 'VKEY', about: 'instead of a policy: the verifier key of one log' },
  since: { type: 'string', value: 'FILE', about: 'a checkpoint that you kept: the log must continue it' },
  sample: { type: 'string', value: 'N', about: 'how many live answers to compare with the log; 20 by default' },
  month: { type: 'string', value: 'YYYY-MM', about: 'which month of a folder that has several' },
  only: { type: 'string', value: 'NAMES', about: 'count these probers alone, with commas between them' },
  'prober-key': { type: 'string', value: 'VKEYS', about: 'verifier keys of probers that you know from elsewhere' },
  json: { type: 'boolean', about: 'the answer as JSON' },
  'base-url': { type: 'string', value: 'URL', about: 'address of the service, with or without /api/v1' },
  timeout: { type: 'string', value: 'SECONDS', about: 'for the whole call; 30 by default' },
  help: { type: 'boolean', about: 'this text' },
  version: { type: 'boolean', about: 'the version of this package' },
} as const satisfies Record<string, Option>;

type OptionName = keyof typeof OPTIONS;

/** Options of every command. */
const COMMON: readonly OptionName[] = ['json', 'base-url', 'timeout', 'help', 'version'];

/** The values of the options, parsed. */
export interface Values {
  readonly color?: string;
  readonly country?: string;
  readonly regulator?: string;
  readonly status?: string;
  readonly residence?: string;
  readonly sort?: string;
  readonly license?: string;
  readonly warnings?: string;
  readonly slugs?: string;
  readonly 'updated-since'?: number;
  readonly limit?: number;
  readonly offset?: number;
  readonly cursor?: string;
  readonly all?: boolean;
  readonly 'idempotency-key'?: string;
  readonly policy?: string;
  readonly key?: string;
  readonly since?: string;
  readonly sample?: number;
  readonly month?: string;
  readonly only?: string;
  readonly 'prober-key'?: string;
  readonly json?: boolean;
  readonly 'base-url'?: string;
  readonly timeout?: number;
  readonly help?: boolean;
  readonly version?: boolean;
}

/** The argument and options of a command. */
export interface Signature {
  /**
   * Placeholders for the arguments in the help text; undefined if there is none. With `…`, several words form one
   * argument.
   */
  readonly argument?: string;
  readonly options?: readonly OptionName[];
}

export interface ParsedArguments {
  readonly words: readonly string[];
  readonly values: Values;
}

const formatOptionNames = (names: readonly string[]): string => names.map((name) => `--${name}`).join(', ');

const parseWholeNumber = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`);
  return Number(text);
};

const parseSeconds = (name: string, text: string): number => {
  const seconds = /^\d{1,6}(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0) return seconds;
  throw new UsageError(`--${name} must be a number of seconds above 0, not "${text}"`);
};

/**
 * Parses words and options in any order.
 * @throws UsageError for an unknown option, and for a missing or malformed value
 */
export const parse = (args: readonly string[]): ParsedArguments => {
  const parseOptions = () => {
    try {
      return parseArgs({
        args: [...args],
        options: { ...OPTIONS, help: { type: 'boolean', short: 'h' } },
        allowPositionals: true,
      });
    } catch (error) {
      const unknown = /^Unknown option '([^']+)'/.exec((error as Error).message)?.[1];
      if (unknown === undefined) throw new UsageError((error as Error).message.replaceAll('\n', ' '));
      throw new UsageError(`there is no option ${unknown}; there are ${formatOptionNames(Object.keys(OPTIONS))}`);
    }
  };
  const { positionals: words, values } = parseOptions();
  const { limit, offset, sample, timeout, 'updated-since': updatedSince, ...rest } = values;
  return {
    words,
    values: {
      ...rest,
      ...(limit !== undefined && { limit: parseWholeNumber('limit', limit) }),
      ...(offset !== undefined && { offset: parseWholeNumber('offset', offset) }),
      ...(updatedSince !== undefined && { 'updated-since': parseWholeNumber('updated-since', updatedSince) }),
      ...(sample !== undefined && { sample: parseWholeNumber('sample', sample) }),
      ...(timeout !== undefined && { timeout: parseSeconds('timeout', timeout) }),
    },
  };
};

/**
 * Returns the argument of a command, and checks that the command takes the options.
 * @throws UsageError that names what is missing or too much
 */
export const checkArguments = (name: string, signature: Signature, { words, values }: ParsedArguments): string => {
  const { argument, options = [] } = signature;
  const taken = [...options, ...COMMON];
  const foreign = Object.keys(values).filter((option) => !taken.includes(option as OptionName));
  if (foreign.length > 0)
    throw new UsageError(`${name} takes no ${formatOptionNames(foreign)}; it takes ${formatOptionNames(taken)}`);
  const wanted = argument?.split(' ') ?? [];
  const most = argument?.endsWith('…') ? Infinity : wanted.length;
  if (words.length > most) throw new UsageError(`"${words[most]}" is too much: write ${name} ${argument ?? ''}`.trim());
  const given = words.join(' ');
  const missing = given === '' ? wanted[0] : wanted[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing: write ${name} ${argument}`);
  return given;
};

const alignRows = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
};

/** Returns the help text: the commands, then the options. */
export const formatHelp = (commands: Readonly<Record<string, Signature & { readonly about: string }>>): string => `\
What is published about forex brokers, from an API of broker transparency.

Usage: broker-transparency COMMAND [OPTIONS]

Commands:
${alignRows(Object.entries(commands).map(([name, { argument = '', about }]) => [`${name} ${argument}`, about]))}

Options:
${alignRows(Object.entries<Option>(OPTIONS).map(([name, { value = '', about }]) => [`--${name} ${value}`, about]))}

Environment:
${alignRows([
  ['BROKER_TRANSPARENCY_URL', 'as --base-url, which goes before it'],
  ['BROKER_TRANSPARENCY_TOKEN', 'bearer token; submitting needs one'],
  ['BROKER_TRANSPARENCY_ENTERPRISE_KEY', 'your key, for the commands of customers'],
  ['BROKER_TRANSPARENCY_DEBUG', 'any value: writes each answer and retry to the error output'],
])}

Exit codes:
${alignRows([
  ['0', 'done'],
  [
    '1',
    'a score is not what the methodology makes of the answer, a proof proves nothing, or a log, copy or month is not sound',
  ],
  ['2', 'wrong usage'],
  ['3', 'the API refused, or there is no proof at the address'],
  ['4', 'no answer, or none of this API'],
])}
`;
