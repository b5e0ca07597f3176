import type { ProblemItem } from '@broker-transparency/contract';
import type { RequestValidationError } from '@ts-rest/express';
import leven from 'leven';
import { invalidRequest, type ProblemError } from './problems.ts';

/** A schema's complaint, as zod words it. */
export interface Issue {
  readonly code?: string;
  readonly path?: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
  readonly expected?: string;
  readonly params?: { readonly code?: string };
  readonly input?: unknown;
}

/** Where an issue lies: in the body by pointer, elsewhere by parameter. */
type Place = (path: readonly PropertyKey[]) => Pick<ProblemItem, 'pointer' | 'parameter'>;

const inBody: Place = (path) => ({
  pointer: `#${path.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`,
});
const inParameter: Place = (path) => ({ parameter: String(path[0] ?? '') });

/** The known name that a misspelt one probably means. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: leven(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.candidate;
};

const shown = (name: string): string => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);

const unknownNames = (issue: Issue, place: Place, known: readonly string[]): ProblemItem[] =>
  (issue.keys ?? []).slice(0, 20).map((key) => {
    const nearest = nearestName(key, known);
    return {
      ...place([...(issue.path ?? []), key.slice(0, 200)]),
      code: 'unknown',
      detail: `${shown(key)} is not known here${nearest ? `; did you mean "${nearest}"?` : '.'}`,
    };
  });

/** Zod's own codes, where ours differ. */
const CODES: Record<string, string> = {
  invalid_type: 'invalid_type',
  invalid_format: 'invalid_format',
  invalid_value: 'not_one_of',
  too_small: 'too_small',
  too_big: 'too_big',
};

const isMissing = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

const toItem = (issue: Issue, place: Place): ProblemItem => {
  const path = issue.path ?? [];
  const name = path.length > 0 ? `"${path.map(String).join('.')}"` : 'The body';
  const where = place(path);
  if (isMissing(issue)) return { ...where, code: 'required', detail: `${name} is required.` };
  const code = issue.params?.code ?? CODES[issue.code ?? ''] ?? 'invalid';
  const expectation = issue.values
    ? `must be one of ${issue.values.map(String).join(', ')}`
    : issue.message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be a $1, not $2');
  return { ...where, code, detail: `${name} ${expectation}.` };
};

/** Turns the issues of a schema into entries of `errors`. `known` are the names the place understands. */
export const problemItems = (
  issues: readonly Issue[],
  place: 'body' | 'parameter',
  known: readonly string[],
): ProblemItem[] => {
  const at = place === 'body' ? inBody : inParameter;
  return issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? unknownNames(issue, at, known) : [toItem(issue, at)],
  );
};

/** Property names of a zod object; none where it is something else. */
const namesOf = (schema: unknown): string[] =>
  typeof schema === 'object' && schema !== null && 'shape' in schema ? Object.keys(schema.shape as object) : [];

const issuesOf = (error: { issues: readonly unknown[] } | null): readonly Issue[] =>
  (error?.issues ?? []) as readonly Issue[];

/** A request that does not fit the route's schemas, as one problem that names every place. */
export const toInvalidRequest = (
  error: RequestValidationError,
  route: { query?: unknown; body?: unknown },
): ProblemError =>
  invalidRequest([
    ...problemItems(issuesOf(error.pathParams), 'parameter', []),
    ...problemItems(issuesOf(error.headers), 'parameter', []),
    ...problemItems(issuesOf(error.query), 'parameter', namesOf(route.query)),
    ...problemItems(issuesOf(error.body), 'body', namesOf(route.body)),
  ]);
