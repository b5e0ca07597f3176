import { canonicalJson } from '@broker-transparency/log';
import { isUnopened } from './texts.ts';

/** A field of an answer that is another one than in the log. */
export interface Difference {
  /** Path of the field, such as `licenses[2].sourceUrl`. */
  readonly path: string;
  /** The value in the API's answer; undefined where it has no such field. */
  readonly answer: unknown;
  /** The value in the log; undefined where it has no such field. */
  readonly log: unknown;
}

/** The names of fields, each with those below it; an empty one has its value compared as a whole. */
interface Names {
  readonly [name: string]: Names;
}

/** Returns the fields that paths name. */
const namesIn = (paths: readonly string[]): Names => {
  const root: Record<string, Names> = {};
  for (const path of paths) {
    let at: Record<string, Names> = root;
    for (const name of path.replaceAll('[]', '').split('.')) {
      at[name] ??= {};
      at = at[name] as Record<string, Names>;
    }
  }
  return root;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other);

const compareValues = (answer: unknown, log: unknown, names: Names, path: string): Difference[] => {
  const fields = Object.entries(names);
  if (fields.length > 0 && Array.isArray(answer) && Array.isArray(log)) {
    if (answer.length !== log.length) return [{ path, answer: `${answer.length} items`, log: `${log.length} items` }];
    return answer.flatMap((item, at) => compareValues(item, log[at], names, `${path}[${at}]`));
  }
  if (fields.length > 0 && isObject(answer) && isObject(log))
    return fields.flatMap(([name, below]) =>
      compareValues(answer[name], log[name], below, path === '' ? name : `${path}.${name}`),
    );
  return isSame(answer, log) ? [] : [{ path, answer, log }];
};

/** Compares the fields of an answer at these paths with the log. */
export const compareFields = (answer: object, log: object, paths: readonly string[]): Difference[] =>
  compareValues(answer, log, namesIn(paths), '');

const JSON_LENGTH = 120;
/** Returns the JSON of a value, cut. */
export const formatValue = (value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (isUnopened(value)) return value.unopened;
  const text = JSON.stringify(value);
  return text.length > JSON_LENGTH ? `${text.slice(0, JSON_LENGTH)}…` : text;
};

/** Says what the answer and the log have. */
export const formatDifference = (about: string, { path, answer, log }: Difference): string =>
  `${about}: the API says ${path} ${formatValue(answer)}, the log ${formatValue(log)}`;
