import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { describeDatabase, readConfig } from '../config.ts';
import { type ContextSettings, findNameFault } from './contexts.rule.ts';
import { addContext, chooseContext, listContexts, readChosenContext, readContext, removeContext } from './contexts.ts';
import { print, printJson, printRows } from './output.ts';

const parseName = (name: string): string => {
  const fault = findNameFault(name);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return name;
};

/** Returns the database of a context, without secrets. @throws DomainError invalid_setting */
const describeContextDatabase = (name: string, settings: ContextSettings): string =>
  describeDatabase(readConfig({ ...settings, BROKER_RATING_CONTEXT: name }));

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: Error) => {
    throw new DomainError('invalid_input', `"${path}" cannot be read: ${error.message}`, { cause: error });
  });

/** One context as it is shown. */
interface ContextRow {
  readonly name: string;
  readonly isUsed: boolean;
  readonly database: string;
}

const readRows = async (env: NodeJS.ProcessEnv): Promise<ContextRow[]> => {
  const chosen = await readChosenContext(env);
  const names = await listContexts(env);
  return Promise.all(
    names.map(async (name) => {
      const database = await readContext(env, name)
        .then((settings) => describeContextDatabase(name, settings))
        .catch((error: Error) => error.message);
      return { name, isUsed: name === chosen, database };
    }),
  );
};

const addShow = (context: Command, env: NodeJS.ProcessEnv): void => {
  context
    .command('show')
    .description('show the database of a context and the names of its settings, but no values, which can be secrets')
    .argument('[name]', 'as context list shows it; default: the one in use')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating context show prod')
    .action(async (given: string | undefined, { json }: { json?: boolean }) => {
      const name = given ?? (await readChosenContext(env));
      if (name === undefined)
        throw new DomainError('not_found', 'No context is in use. Choose one: broker-rating context use NAME');
      const settings = await readContext(env, name);
      const shown = { name, database: describeContextDatabase(name, settings), settings: Object.keys(settings) };
      if (json) printJson(shown);
      else print(`${name}: ${shown.database}\nSettings: ${shown.settings.join(', ')}`);
    });
};

/** Adds the commands about named settings. They open no database. */
export const addContextCommands = (context: Command, env: NodeJS.ProcessEnv): void => {
  context
    .command('add')
    .description('keep the settings of a file under a name, where only you can read them')
    .argument('<name>', 'small letters and digits', parseName)
    .argument('<file>', 'lines such as MONGODB_URL=mongodb://db/ratings?replicaSet=rs0')
    .addHelpText('after', '\nExample:\n  broker-rating context add prod prod.env')
    .action(async (name: string, path: string) => {
      const text = await readText(path);
      const settings = await addContext(env, name, text);
      print(`${name}: ${describeContextDatabase(name, settings)}\nTo work on it: context use ${name}`);
    });
  context
    .command('list')
    .description('list all contexts with their databases')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating context list')
    .action(async ({ json }: { json?: boolean }) => {
      const columns = {
        name: (row: ContextRow) => row.name,
        'in use': (row: ContextRow) => (row.isUsed ? 'yes' : ''),
        database: (row: ContextRow) => row.database,
      };
      printRows(await readRows(env), columns, json === true);
    });
  context
    .command('use')
    .description('work on the database of this context from now on')
    .argument('<name>', 'as context list shows it')
    .addHelpText('after', '\nExample:\n  broker-rating context use prod')
    .action(async (name: string) => {
      const settings = await chooseContext(env, name);
      print(`In use: ${name}, ${describeContextDatabase(name, settings)}`);
    });
  addShow(context, env);
  context
    .command('remove')
    .description('forget a context')
    .argument('<name>', 'as context list shows it')
    .addHelpText('after', '\nExample:\n  broker-rating context remove prod')
    .action(async (name: string) => {
      await removeContext(env, name);
      print(`The context "${name}" is removed.`);
    });
};
