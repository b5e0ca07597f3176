import type { ProblemItem } from '@broker-transparency/client';
import { CallRefusal, type NamedRoute, type RequestIssue, type RouteSchema } from './policy.ts';

/** Codes that the contract uses in place of zod's. */
const CODES: Readonly<Record<string, string>> = { invalid_value: 'not_one_of' };
const KEPT = new Set(['invalid_type', 'invalid_format', 'too_small', 'too_big']);

const toPointer = (path: readonly PropertyKey[]): string =>
  `#${path.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;

const findValue = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((here, key) => (here as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

const toIssueCode = ({ code = '', params }: RequestIssue): string =>
  params?.code ?? CODES[code] ?? (KEPT.has(code) ? code : 'invalid');

type PlaceFormatter = (path: readonly PropertyKey[]) => Pick<ProblemItem, 'pointer' | 'parameter'>;
const toBodyPlace: PlaceFormatter = (path) => ({ pointer: toPointer(path) });
const toParameterPlace: PlaceFormatter = (path) => ({ parameter: String(path[0] ?? '') });

/** Returns the Levenshtein distance of two words. */
const computeDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  [...from].forEach((letter, line) => {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++)
      next.push(Math.min((row[at] ?? 0) + (letter === to[at] ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    row = next;
  });
  return row[to.length] ?? 0;
};

/** Returns the known name that a misspelt name probably means. */
const findNearestName = (name: string, known: readonly string[]): string | undefined =>
  known
    .map((candidate) => ({ candidate, far: computeDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.far - b.far)[0]?.candidate;

const quoteName = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

const toUnknownItems = (
  { keys = [], path }: RequestIssue,
  place: PlaceFormatter,
  known: readonly string[],
): ProblemItem[] =>
  keys.slice(0, 20).map((key) => {
    const nearest = path.length > 0 ? undefined : findNearestName(key, known);
    const hint = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
    return {
      ...place([...path, key.slice(0, 200)]),
      code: 'unknown',
      detail: `${quoteName(key)} is not known here${hint}`,
    };
  });

const describeValues = (values: readonly string[], given: unknown): string => {
  const nearest = typeof given === 'string' ? findNearestName(given.slice(0, 60), values) : undefined;
  return `must be one of ${values.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
};

/** Returns the expectation in the words of the service. */
const describeExpectation = ({ values, message }: RequestIssue, given: unknown): string =>
  values
    ? describeValues(values.map(String), given)
    : message
        .replace(/^Invalid input: expected ([aeio]\w+), received (\w+)$/, 'must be an $1, not $2')
        .replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be a $1, not $2')
        .replace(/^(?!must )/, 'is not valid: ');

const toProblemItems = (
  issue: RequestIssue,
  place: PlaceFormatter,
  given: unknown,
  known: readonly string[],
): ProblemItem[] => {
  if (issue.code === 'unrecognized_keys') return toUnknownItems(issue, place, known);
  const name = issue.path.length === 0 ? 'The body' : `"${issue.path.map(String).join('.')}"`;
  const value = findValue(given, issue.path);
  if (value === undefined) return [{ ...place(issue.path), code: 'required', detail: `${name} is required.` }];
  const expectation = describeExpectation(issue, value);
  const detail = `${name} ${expectation}${expectation.endsWith('?') ? '' : '.'}`;
  return [{ ...place(issue.path), code: toIssueCode(issue), detail }];
};

const toRefusal = (items: readonly ProblemItem[]): CallRefusal =>
  new CallRefusal('invalid_request', items.map(({ detail }) => detail).join(' '), { errors: items });

/**
 * Refuses a parameter.
 * @throws CallRefusal that names the parameter
 */
const refuseParameter = (parameter: string, code: string, detail: string): never => {
  throw toRefusal([{ parameter, code, detail: `"${parameter}" ${detail}.` }]);
};

/**
 * Requires that a filter names something that exists.
 * @throws CallRefusal that names the parameter, and the name that is probably meant
 */
export const requireKnown = (parameter: string, name: string, known: readonly string[]): void => {
  if (known.includes(name)) return;
  const nearest = findNearestName(name, known);
  const hint = nearest ? `; did you mean "${nearest}"?` : '. /regulators lists all codes.';
  throw toRefusal([{ parameter, code: 'not_one_of', detail: `"${parameter}" is the code of no ${parameter}${hint}` }]);
};

const decodeText = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/**
 * Parses a query string into plain strings.
 * @throws CallRefusal for a repeated name or an invalid encoding
 */
export const parseQuery = (search: string): Record<string, string> => {
  const query: Record<string, string> = Object.create(null);
  for (const part of search.replace(/^\?/, '').split('&').filter(Boolean)) {
    const [name, value] = (part.includes('=') ? part.replace('=', '\0') : `${part}\0`).split('\0').map(decodeText);
    if (name === undefined || value === undefined)
      return refuseParameter(name ?? 'query', 'invalid_encoding', 'has an invalid percent-encoding');
    if (name in query) refuseParameter(name, 'repeated', 'may be given once only');
    query[name] = value;
  }
  return query;
};

/** The parts of a request before validation. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The parts of a request after validation by the contract. */
export interface ValidRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Validates a request against the schemas of its route.
 * @throws CallRefusal that names every invalid place
 */
export const validate = (route: NamedRoute, asked: RawRequest): ValidRequest => {
  const items: ProblemItem[] = [];
  const check = (schema: RouteSchema | undefined, given: unknown, place: PlaceFormatter): unknown => {
    if (schema === undefined) return given;
    const { data, error } = schema.safeParse(given);
    const known = Object.keys(schema.shape ?? {});
    items.push(...(error?.issues ?? []).flatMap((issue) => toProblemItems(issue, place, given, known)));
    return data;
  };
  const params = check(route.pathParams, asked.params, toParameterPlace) as Record<string, string>;
  check(route.headers, asked.headers, toParameterPlace);
  const query = check(route.query, asked.query, toParameterPlace);
  const body = check(route.body, asked.body, toBodyPlace);
  if (items.length > 0) throw toRefusal(items);
  return { params, query, body };
};
