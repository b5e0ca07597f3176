import { InvalidArgumentError } from 'commander';
import { DomainError } from '../../platform/domain-error.ts';
import { describeDatabase, readConfig } from '../config.ts';
import { type ContextSettings, findNameFault } from './contexts.rule.ts';
import { addContext, chooseContext, listContexts, readChosenContext, readContext, removeContext } from './contexts.ts';
import { defineCommand } from './define-command.ts';
import { readTextFile } from './text-file.ts';

const parseName = (name: string): string => {
  const fault = findNameFault(name);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return name;
};

/** Returns the database of a context, without secrets. @throws DomainError invalid_setting */
const describeContextDatabase = (name: string, settings: ContextSettings): string =>
  describeDatabase(readConfig({ ...settings, BROKER_RATING_CONTEXT: name }));

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

export const contextCommands = [
  defineCommand({
    words: 'context add',
    description: 'keep the settings of a file under a name, where only you can read them',
    rights: { open: true },
    args: {
      name: { value: '<name>', what: 'small letters and digits', parse: parseName },
      file: { value: '<file>', what: 'lines such as MONGODB_URL=mongodb://db/ratings?replicaSet=rs0' },
    },
    example: 'prod prod.env',
    run: async ({ env }, { name, file: path }) => {
      const text = readTextFile(path);
      const settings = await addContext(env, name, text);
      return `${name}: ${describeContextDatabase(name, settings)}\nTo work on it: context use ${name}`;
    },
  }),
  defineCommand({
    words: 'context list',
    description: 'list all contexts with their databases',
    rights: { open: true },
    example: '',
    run: ({ env }) => readRows(env),
    columns: ['name', ['in use', (row) => (row.isUsed ? 'yes' : '')], 'database'],
  }),
  defineCommand({
    words: 'context use',
    description: 'work on the database of this context from now on',
    rights: { open: true },
    args: { name: { value: '<name>', what: 'as context list shows it' } },
    example: 'prod',
    run: async ({ env }, { name }) => {
      const settings = await chooseContext(env, name);
      return `In use: ${name}, ${describeContextDatabase(name, settings)}`;
    },
  }),
  defineCommand({
    words: 'context show',
    description: 'show the database of a context and the names of its settings, but no values, which can be secrets',
    rights: { open: true },
    args: { name: { value: '[name]', what: 'as context list shows it; default: the one in use' } },
    json: true,
    example: 'prod',
    run: async ({ env }, { name: given }) => {
      const name = given ?? (await readChosenContext(env));
      if (name === undefined)
        throw new DomainError('not_found', 'No context is in use. Choose one: broker-rating context use NAME');
      const settings = await readContext(env, name);
      return { name, database: describeContextDatabase(name, settings), settings: Object.keys(settings) };
    },
    format: ({ name, database, settings }) => `${name}: ${database}\nSettings: ${settings.join(', ')}`,
  }),
  defineCommand({
    words: 'context remove',
    description: 'forget a context',
    rights: { open: true },
    args: { name: { value: '<name>', what: 'as context list shows it' } },
    example: 'prod',
    run: async ({ env }, { name }) => {
      await removeContext(env, name);
      return `The context "${name}" is removed.`;
    },
  }),
];
