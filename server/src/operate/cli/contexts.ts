import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../platform/domain-error.ts';
import { readPrivate } from '../../platform/private-file.ts';
import { replaceFile } from '../../platform/replace-file.ts';
import { resolveContextDir, SETTING_NAMES } from '../config.ts';
import { type ContextSettings, findContradictions, parseContext } from './contexts.rule.ts';
import type { Invocation } from './invocation.ts';
import { UsageError } from './usage-error.ts';

const toContextsFolder = (env: NodeJS.ProcessEnv): string => join(resolveContextDir(env), 'contexts');
const toContextFile = (env: NodeJS.ProcessEnv, name: string): string => join(toContextsFolder(env), name);
/** Holds the name of the context in use. */
const toChoiceFile = (env: NodeJS.ProcessEnv): string => join(resolveContextDir(env), 'context');

const returnIfMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };

/** Returns the names of all contexts, in order. */
export const listContexts = async (env: NodeJS.ProcessEnv): Promise<string[]> =>
  (await readdir(toContextsFolder(env)).catch(returnIfMissing<string[]>([]))).sort();

/** Returns the name of the context in use, or undefined. */
export const readChosenContext = async (env: NodeJS.ProcessEnv): Promise<string | undefined> =>
  (await readFile(toChoiceFile(env), 'utf8').catch(returnIfMissing(''))).trim() || undefined;

/** Returns the settings of a context. @throws UsageError if there is none, or if others can read or break its file */
export const readContext = async (env: NodeJS.ProcessEnv, name: string): Promise<ContextSettings> => {
  if (!(await listContexts(env)).includes(name))
    throw new UsageError(`There is no context "${name}". See: broker-rating context list`);
  try {
    return parseContext(await readPrivate(toContextFile(env, name)), SETTING_NAMES);
  } catch (error) {
    throw new UsageError(`The context "${name}" cannot be used: ${(error as Error).message}`, { cause: error });
  }
};

/** Writes a new context, which only its owner can read. @throws DomainError if there is one, or if the text is none */
export const addContext = async (env: NodeJS.ProcessEnv, name: string, text: string): Promise<ContextSettings> => {
  const settings = parseContext(text, SETTING_NAMES);
  if ((await listContexts(env)).includes(name))
    throw new DomainError('state_conflict', `There is a context "${name}". To replace it: context remove ${name}`);
  await replaceFile(toContextFile(env, name), text.endsWith('\n') ? text : `${text}\n`);
  return settings;
};

/** Makes commands use a context from now on. @throws UsageError if it cannot be used */
export const chooseContext = async (env: NodeJS.ProcessEnv, name: string): Promise<ContextSettings> => {
  const settings = await readContext(env, name);
  await replaceFile(toChoiceFile(env), `${name}\n`);
  return settings;
};

/** Removes a context. If it was in use, none is. @throws UsageError if there is none */
export const removeContext = async (env: NodeJS.ProcessEnv, name: string): Promise<void> => {
  if (!(await listContexts(env)).includes(name))
    throw new UsageError(`There is no context "${name}". See: broker-rating context list`);
  if ((await readChosenContext(env)) === name) await rm(toChoiceFile(env));
  await rm(toContextFile(env, name));
};

/** Returns the context whose settings a command takes, or undefined. `serve` takes only one that is named. */
const findContext = async (
  env: NodeJS.ProcessEnv,
  command: string,
  given: string | undefined,
): Promise<string | undefined> =>
  given ?? (env['BROKER_RATING_CONTEXT'] || (command === 'serve' ? undefined : await readChosenContext(env)));

/**
 * Adds the settings of the context that a command uses to its environment. Settings of the environment stay, unless
 * both say where the data is and disagree.
 * @param given the name after `--context`; false for `--no-context`
 * @throws UsageError if the context cannot be used, or contradicts the environment
 */
export const applyContext = async (
  env: NodeJS.ProcessEnv,
  { command, host }: Pick<Invocation, 'command' | 'host'>,
  given: string | false | undefined,
): Promise<void> => {
  if (host || command.startsWith('context ')) return;
  const name = given === false ? undefined : await findContext(env, command, given);
  delete env['BROKER_RATING_CONTEXT'];
  if (name === undefined) return;
  const settings = await readContext(env, name);
  const [contradiction] = findContradictions(env, settings);
  if (contradiction !== undefined)
    throw new UsageError(
      `${contradiction} in the environment names another place than the context "${name}". ` +
        `Unset ${contradiction}, or add --no-context to use the environment.`,
    );
  for (const [setting, value] of Object.entries(settings)) env[setting] ||= value;
  env['BROKER_RATING_CONTEXT'] = name;
};
