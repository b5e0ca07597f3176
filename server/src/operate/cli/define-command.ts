import type { Command } from 'commander';
import type * as z from 'zod';
import type { Rights } from '../../features/operators/policy.rule.ts';
import type { OutputColumn } from './output.ts';
import type { OpenDatabase } from './session.ts';

/**
 * Reads what somebody typed: a schema, or a function that throws an InvalidArgumentError. If an option is repeated, the
 * function also gets the earlier value.
 */
type ValueParser = z.ZodType | ((text: string, earlier: never) => unknown);

/** An argument, or an option with a value. */
export interface CommandValue {
  /** Placeholder as help shows it: `<id>`, `[file]` if it may be left out, `<ids...>` for several. */
  readonly value: `<${string}>` | `[${string}]`;
  readonly what: string;
  readonly choices?: readonly string[];
  readonly parse?: ValueParser;
  /** True if it may have several lines. Without this and without a parser, control characters are refused. */
  readonly lines?: true;
  /** Text that is parsed if nobody types one. */
  readonly default?: string;
  /** True for an option that must be given. */
  readonly required?: true;
  /** Name of an option that excludes this one. */
  readonly conflicts?: string;
}

/** An option without a value: its description, and the name of an option that excludes it. */
type CommandFlag = string | { readonly what: string; readonly conflicts?: string; readonly value?: undefined };

/** Arguments in their order, by name. */
export type CommandArguments = Readonly<Record<string, CommandValue>>;
/** Options by name: `asOf` is typed as `--as-of`. */
export type CommandOptions = Readonly<Record<string, CommandValue | CommandFlag>>;

type ParsedValue<V> = V extends { readonly parse: z.ZodType<infer T> }
  ? T
  : V extends { readonly parse: (text: string, earlier: never) => infer T }
    ? T
    : V extends { readonly choices: readonly (infer T)[] }
      ? T
      : string;
type ArgumentValue<V> = V extends { readonly value: `${string}...${string}` } ? ParsedValue<V>[] : ParsedValue<V>;
type OptionValue<V> = V extends { readonly value: `[${string}` }
  ? ParsedValue<V> | true
  : V extends { readonly value: string }
    ? ArgumentValue<V>
    : true;

type OptionalArgument<A> = { [K in keyof A]: A[K] extends { readonly value: `[${string}` } ? K : never }[keyof A];
type GivenOption<O> = {
  [K in keyof O]: O[K] extends { readonly required: true } | { readonly default: string } ? K : never;
}[keyof O];

/** The values of arguments and options that somebody typed. */
export type CommandInput<A, O = Record<never, never>> = {
  readonly [K in Exclude<keyof A, OptionalArgument<A>>]: ArgumentValue<A[K]>;
} & { readonly [K in OptionalArgument<A>]?: ArgumentValue<A[K]> } & {
  readonly [K in GivenOption<O>]: OptionValue<O[K]>;
} & { readonly [K in Exclude<keyof O, GivenOption<O>>]?: OptionValue<O[K]> };

/** The things that a running command uses. */
export interface CommandTools {
  readonly env: NodeJS.ProcessEnv;
  /** True if it prints JSON. */
  readonly json: boolean;
  /** Does work on the database, as whoever calls the command. */
  readonly database: OpenDatabase;
  /** Ends the command as wrong usage. */
  readonly refuse: (fault: string) => never;
  /** The whole command line. */
  readonly program: Command;
  /** Loads the rights of every command. */
  readonly policy: () => Promise<CommandPolicy>;
}

/** Rows of a list, and how many there are in all. */
interface TruncatedRows<T> {
  readonly rows: readonly T[];
  readonly total: number | 'more';
}

type RowOf<R> = R extends TruncatedRows<infer T> ? T : R extends readonly (infer T)[] ? T : never;

interface CommandRules<A, O, R, I, S = R> {
  /** The words that call it, such as `review publish`. */
  readonly words: string;
  /** Omitted by a command of one word, which the table of commands describes. */
  readonly description?: string;
  /** Who may run it, and whether it writes. */
  readonly rights: Rights;
  readonly args?: A;
  readonly options?: O;
  /** Adds `--json`, or describes it. A command that reads or has columns has it by itself. */
  readonly json?: true | string;
  /** Adds or removes `--actor`, or makes it necessary. Without this, a command that writes has it. */
  readonly actor?: boolean | 'required';
  /** The reason why a command that writes has no dry run. */
  readonly noDryRun?: string;
  /** Help after the options, such as the meanings of codes. */
  readonly help?: string | (() => string);
  /** The words after those of the command, or a whole line; several if it is a list. */
  readonly example: string | readonly string[];
  /** Returns a sentence, a record, rows for the columns, or nothing if it prints by itself. */
  readonly run: (tools: CommandTools, input: I) => R | Promise<R>;
  /** Returns the lines that people read in place of the record. */
  readonly format?: (record: S, input: I) => string;
  /** The columns of a list. */
  readonly columns?: readonly OutputColumn<RowOf<R>>[];
}

/** A command, its help, its row in the policy and its completion follow from this value. */
export type CommandDefinition = CommandRules<CommandArguments, CommandOptions, unknown, never, never>;

/** Commands that share their first words. */
export interface CommandFamily {
  readonly words: string;
  readonly description: string;
  readonly commands: readonly CommandDefinition[];
}

/** Declares a command: its only registration. */
export const defineCommand = <
  const A extends CommandArguments = Record<never, never>,
  const O extends CommandOptions = Record<never, never>,
  R = unknown,
>(
  command: CommandRules<A, O, R, CommandInput<A, O>>,
): CommandDefinition => command;

/** True if it writes to the database, so that it has a dry run or says why not. */
export const isWriting = ({ reads, open, writes }: Rights): boolean => writes || (!reads && !open);

/** The rights of commands, by their words. */
export type CommandPolicy = Readonly<Record<string, Rights>>;

export const flattenFamilies = (
  commands: readonly (CommandDefinition | CommandFamily)[],
): readonly CommandDefinition[] => commands.flatMap((one) => ('commands' in one ? one.commands : [one]));

export const toPolicy = (commands: readonly CommandDefinition[]): CommandPolicy =>
  Object.fromEntries(commands.map(({ words, rights }) => [words, rights]));

/** Returns the codes of a table, as choices. */
export const listCodes = <const T extends object>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as (keyof T & string)[];
