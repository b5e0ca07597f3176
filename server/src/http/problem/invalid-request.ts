import type { ProblemItem } from '@broker-transparency/contract';
import leven from 'leven';
import type { RequestValidationError } from '../endpoints/rest.ts';
import { invalidRequest, type ProblemError } from './problem.ts';

/** An issue of a zod schema. */
export interface Issue {
  readonly code?: string;
  readonly path?: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
  readonly expected?: string;
  readonly params?: { readonly code?: string } | undefined;
  readonly input?: unknown;
}

/** Returns the place of an issue: a pointer in the body, a parameter elsewhere. */
type IssueLocator = (path: readonly PropertyKey[]) => Pick<ProblemItem, 'pointer' | 'parameter'>;

/** Returns a key as well-formed text: JSON may hold lone surrogates, which encoders refuse. */
const wellFormed = (key: PropertyKey): string => String(key).toWellFormed();

const locateInBody: IssueLocator = (path) => ({
  pointer: `#${path.map((key) => `/${encodeURIComponent(wellFormed(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`,
});
const locateInParameter: IssueLocator = (path) => ({ parameter: String(path[0] ?? '') });

/** Returns the known name that a misspelt name probably means. */
export const findNearestName = (name: string, known: readonly string[]): string | undefined => {
  const [nearest] = known
    .map((candidate) => {
      const most = Math.max(1, Math.floor(candidate.length / 3));
      return {
        candidate,
        most,
        distance: leven(name.toLowerCase(), candidate.toLowerCase(), { maxDistance: most + 1 }),
      };
    })
    .filter(({ most, distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.candidate;
};

const quoteName = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

const toUnknownItems = (issue: Issue, place: IssueLocator, known: readonly string[]): ProblemItem[] =>
  (issue.keys ?? []).slice(0, 20).map((key) => {
    const nearest = issue.path?.length ? undefined : findNearestName(key, known); // `known` are the names at the top
    return {
      ...place([...(issue.path ?? []), key.slice(0, 200)]),
      code: 'unknown',
      detail: `${quoteName(key)} is not known here${nearest ? `; did you mean "${nearest}"?` : '.'}`,
    };
  });

/** Our codes, by zod's codes. */
const CODES: Record<string, string> = {
  invalid_type: 'invalid_type',
  invalid_format: 'invalid_format',
  invalid_value: 'not_one_of',
  too_small: 'too_small',
  too_big: 'too_big',
};

/**
 * Returns whether a value is missing. Zod names the received type for a type, but not for an enumeration: `given` is
 * then needed.
 */
const isMissing = (issue: Issue, given: unknown): boolean =>
  (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) ||
  (issue.code === 'invalid_value' && given !== undefined && valueAt(given, issue.path ?? []) === undefined);

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((here, key) => (here as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

/** Returns the expectation of one of some values, and which one a misspelt value probably means. */
const describeValues = (values: readonly string[], given: unknown): string => {
  const nearest = typeof given === 'string' ? findNearestName(given.slice(0, 60), values) : undefined;
  return `must be one of ${values.join(', ')}${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`;
};

const toItem = (issue: Issue, place: IssueLocator, given: unknown): ProblemItem => {
  const path = issue.path ?? [];
  const name = path.length > 0 ? `"${path.map(String).join('.')}"` : 'The body';
  const where = place(path);
  if (isMissing(issue, given)) return { ...where, code: 'required', detail: `${name} is required.` };
  const code = issue.params?.code ?? CODES[issue.code ?? ''] ?? 'invalid';
  const expectation = issue.values
    ? describeValues(issue.values.map(String), valueAt(given, path))
    : issue.message
        .replace(/^Invalid input: expected ([aeio]\w+), received (\w+)$/, 'must be an $1, not $2')
        .replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be a $1, not $2')
        .replace(/^(?!must )/, 'is not valid: ');
  return { ...where, code, detail: `${name} ${expectation}${expectation.endsWith('?') ? '' : '.'}` };
};

/**
 * Converts the issues of a schema to entries of `errors`.
 * @param known valid names at this place
 * @param given the checked value, if available
 */
export const toProblemItems = (
  issues: readonly Issue[],
  place: 'body' | 'parameter',
  known: readonly string[],
  given?: unknown,
): ProblemItem[] => {
  const at = place === 'body' ? locateInBody : locateInParameter;
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? toUnknownItems(issue, at, known) : [toItem(issue, at, given)],
  );
};

/** Returns the property names of a zod object; an empty list for other schemas. */
const listPropertyNames = (schema: unknown): string[] =>
  typeof schema === 'object' && schema !== null && 'shape' in schema ? Object.keys(schema.shape as object) : [];

const listIssues = (error: { issues: readonly unknown[] } | null): readonly Issue[] =>
  (error?.issues ?? []) as readonly Issue[];

/** Returns one problem for all faults of a request against the route's schemas. */
export const toInvalidRequest = (
  error: RequestValidationError,
  route: { query?: unknown; body?: unknown },
  { query, body }: { readonly query?: unknown; readonly body?: unknown },
): ProblemError =>
  invalidRequest([
    ...toProblemItems(listIssues(error.pathParams), 'parameter', []),
    ...toProblemItems(listIssues(error.headers), 'parameter', []),
    ...toProblemItems(listIssues(error.query), 'parameter', listPropertyNames(route.query), query),
    ...toProblemItems(listIssues(error.body), 'body', listPropertyNames(route.body), body),
  ]);
