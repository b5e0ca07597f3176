import { parseEnv } from 'node:util';
import { DomainError } from '../../platform/domain-error.ts';

/** Settings by their names, as a context has them. */
export type ContextSettings = Readonly<Record<string, string>>;

/** Settings that say where data is. A command is refused where the environment and the context name two places. */
const PLACES = ['MONGODB_URL', 'DATA_DIR'] as const;

/** Letters that are the same in every file system. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** Returns a fault in the name of a context, or undefined. */
export const findNameFault = (name: string): string | undefined =>
  NAME.test(name)
    ? undefined
    : 'Give 1 to 40 small letters, digits, dots, hyphens and underscores; a letter or digit first.';

/**
 * Reads the settings of a context from lines such as `MONGODB_URL=mongodb://db/ratings`.
 * @param known names of all settings
 * @throws DomainError invalid_input if a line is not a setting, or if no setting names a database
 */
export const parseContext = (text: string, known: readonly string[]): ContextSettings => {
  const settings: ContextSettings = Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const unknown = Object.keys(settings).filter((name) => !known.includes(name) || name === 'BROKER_RATING_CONTEXT');
  if (unknown.length > 0)
    throw new DomainError(
      'invalid_input',
      `${unknown.join(', ')}: not a setting that a context can have. See docs/operating.md#settings; ` +
        'a token stays in a file of its own (--token-file).',
    );
  if (!PLACES.some((name) => name in settings))
    throw new DomainError('invalid_input', `A context names a database: add a line with ${PLACES.join(' or ')}.`);
  const { DATA_DIR } = settings;
  if (DATA_DIR !== undefined && !DATA_DIR.startsWith('/'))
    throw new DomainError(
      'invalid_input',
      `DATA_DIR must be an absolute path, since commands run in any folder (it is ${DATA_DIR})`,
    );
  return settings;
};

/** Returns the settings that say in the environment where data is, and say something else in the context. */
export const findContradictions = (env: NodeJS.ProcessEnv, settings: ContextSettings): string[] =>
  PLACES.filter((name) => {
    const given = env[name] ?? '';
    if (given === '' || given === settings[name]) return false;
    return name === 'MONGODB_URL' || settings[name] !== undefined;
  });
