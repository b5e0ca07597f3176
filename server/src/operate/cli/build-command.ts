import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { parseActor } from './actor.ts';
import {
  type CommandDefinition,
  type CommandFamily,
  type CommandOptions,
  type CommandTools,
  type CommandValue,
  isWriting,
} from './define-command.ts';

/** Begins a call of a command. Returns the tools that it runs with. */
export type StartCommand = (definition: CommandDefinition, command: Command) => Promise<CommandTools>;

type TextParser = (text: string, earlier: never) => unknown;
/** Commander gives a parser its own earlier results. */
type UnknownParser = (text: string, earlier: unknown) => unknown;

const toParser = (parse: NonNullable<CommandValue['parse']>): TextParser => {
  if (typeof parse === 'function') return parse;
  return (text) => {
    const result = parse.safeParse(text);
    if (result.success) return result.data;
    const message = result.error.issues[0]?.message ?? 'is not valid';
    throw new InvalidArgumentError(/^[A-Z]/.test(message) ? `${message}.` : `It ${message}.`);
  };
};

const parseLine = (text: string): string => {
  if (/\p{Cc}/u.test(text)) throw new InvalidArgumentError('Leave out line feeds and other control characters.');
  return text;
};

/** Returns the parser of a value; undefined if any text is good, or commander knows the choices. */
const chooseParser = ({ value, choices, parse, lines }: CommandValue): TextParser | undefined => {
  if (parse) return toParser(parse);
  if (choices || lines) return undefined;
  return value.includes('...')
    ? (text, earlier: readonly string[] | undefined) => [...(earlier ?? []), parseLine(text)]
    : parseLine;
};

const toArgument = (rules: CommandValue): Argument => {
  const argument = new Argument(rules.value, rules.what);
  if (rules.choices) argument.choices(rules.choices);
  const parser = chooseParser(rules);
  if (parser) argument.argParser<unknown>(parser as UnknownParser);
  return argument;
};

const toFlag = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (sign) => `-${sign.toLowerCase()}`)}`;

/** Sets the default of an option. Help shows it as people type it. */
const setDefault = (option: Option, text: string, parse: TextParser | undefined): Option => {
  const value = parse ? parse(text, undefined as never) : text;
  return option.default(value, typeof value === 'string' ? undefined : text);
};

const toValueOption = (flag: string, rules: CommandValue): Option => {
  const { value, what, required, choices, default: text } = rules;
  const option = new Option(`${flag} ${value}`, required ? `${what} (required)` : what);
  option.makeOptionMandatory(required === true);
  const parser = chooseParser(rules);
  if (choices) option.choices(choices);
  if (parser) option.argParser(parser as UnknownParser);
  return text === undefined ? option : setDefault(option, text, parser);
};

const toOption = (name: string, rules: CommandOptions[string]): Option => {
  if (typeof rules === 'string') return new Option(toFlag(name), rules);
  const option = rules.value === undefined ? new Option(toFlag(name), rules.what) : toValueOption(toFlag(name), rules);
  return rules.conflicts === undefined ? option : option.conflicts(rules.conflicts);
};

/** The option of commands that do not say by themselves what they would do. */
const DRY_RUN = ['--dry-run', 'list the audit entries that it would write; change nothing'] as const;

/** Adds the options that follow from rights and columns. @param isBound true if a token says who acts */
const addDerivedOptions = (command: Command, definition: CommandDefinition, isBound: boolean): void => {
  const { rights, columns, options, noDryRun, json = rights.reads || columns !== undefined } = definition;
  const { actor = isWriting(rights) } = definition;
  if (json) command.option('--json', typeof json === 'string' ? json : 'print JSON');
  if (actor) {
    const option = new Option('--actor <name>', 'who acts, for the audit trail').argParser(parseActor);
    command.addOption(actor === 'required' ? option.makeOptionMandatory(!isBound) : option.default('system'));
  }
  if (isWriting(rights) && !options?.['dryRun'])
    command.addOption(new Option(...DRY_RUN).hideHelp(noDryRun !== undefined));
};

const toExampleLine = (words: string, example: string): string =>
  example.includes('broker-rating ') ? example : `broker-rating ${words} ${example}`.trimEnd();

const formatExamples = ({ words, example }: CommandDefinition): string =>
  `\nExample:\n${[example]
    .flat()
    .map((one) => `  ${toExampleLine(words, one)}`)
    .join('\n')}`;

/** Returns the values of arguments and options by name; without those that nobody typed. */
const toInput = ({ args = {}, options = {} }: CommandDefinition, given: readonly unknown[], command: Command) => {
  const typed = command.opts();
  const values = [
    ...Object.keys(args).map((name, at) => [name, given[at]] as const),
    ...Object.keys(options).map((name) => [name, typed[name]] as const),
  ];
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
};

const configureCommand = (
  command: Command,
  definition: CommandDefinition,
  start: StartCommand,
  isBound: boolean,
): void => {
  const { description, args = {}, options = {}, help, format } = definition;
  if (description !== undefined) command.description(description);
  for (const rules of Object.values(args)) command.addArgument(toArgument(rules));
  for (const [name, rules] of Object.entries(options)) command.addOption(toOption(name, rules));
  addDerivedOptions(command, definition, isBound);
  if (typeof help === 'function') command.addHelpText('after', () => help());
  else if (help !== undefined) command.addHelpText('after', help);
  command.addHelpText('after', formatExamples(definition));
  command.action(async (...given: readonly unknown[]) => {
    const tools = await start(definition, command);
    const input = toInput(definition, given, command) as never;
    const result = await definition.run(tools, input);
    if (result === undefined) return;
    const { print, printResult } = await import('./output.ts'); // help and wrong usage print nothing by it
    if (format && !tools.json) print(format(result as never, input));
    else printResult(result, definition.columns, tools.json);
  });
};

/** Adds commands to the one that has their first words. */
export const addCommands = (
  parent: Command,
  words: string,
  definitions: readonly (CommandDefinition | CommandFamily)[],
  start: StartCommand,
  isBound: boolean,
): void => {
  for (const definition of definitions) {
    const name = definition.words.slice(words.length).trim();
    const command = name === '' ? parent : parent.command(name);
    if (!('commands' in definition)) configureCommand(command, definition, start, isBound);
    else
      addCommands(command.description(definition.description), definition.words, definition.commands, start, isBound);
  }
};
