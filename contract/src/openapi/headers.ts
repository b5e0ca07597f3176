import type { OpenApiDocument, Reference } from './document.ts';
import type { NamedRoute } from './routes.ts';

const describeHeader = (description: string, example: string | number) => ({
  description,
  schema: { type: typeof example === 'number' ? 'integer' : 'string' },
  example,
});

/** Every response header that does not depend on the budget, by component name. */
const COMMON_HEADERS = {
  'X-Request-Id': describeHeader(
    'Names the request. Quote it when you ask for help.',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ),
  'Retry-After': describeHeader('Seconds to wait before the next attempt', 17),
  ETag: describeHeader('Version of this answer, for If-None-Match', '"4Xr0bW1c9kq2"'),
  'Cache-Control': describeHeader('How long any cache may keep this answer', 'public, max-age=30'),
  Location: describeHeader(
    'The same request with the current slug, as an absolute path',
    '/api/v1/brokers/beta-markets',
  ),
  Link: describeHeader(
    'Next and previous page, where there is one (RFC 8288)',
    '</api/v1/brokers?limit=20&offset=20>; rel="next"',
  ),
  'Idempotent-Replayed': describeHeader('`true`: the stored answer to an earlier request with the same key', 'true'),
  'WWW-Authenticate': describeHeader('What is wrong with the credential (RFC 6750)', 'Bearer error="invalid_token"'),
} satisfies OpenApiDocument['components']['headers'];

/** The budget that the headers of answers show, as far as a document can say it. */
export interface DocumentedBudget {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
}

const buildBudgetHeaders = ({ name, requests, windowSeconds }: DocumentedBudget) => {
  return {
    'RateLimit-Policy': describeHeader(
      'Requests allowed (q) per window of seconds (w). draft-ietf-httpapi-ratelimit-headers-10',
      `"${name}";q=${requests};w=${windowSeconds}`,
    ),
    RateLimit: describeHeader(
      'Requests left (r) and seconds until the window ends (t)',
      `"${name}";r=${requests - 1};t=${windowSeconds}`,
    ),
  } satisfies OpenApiDocument['components']['headers'];
};

/** Returns every documented response header, by component name. */
export const buildHeaders = (budget: DocumentedBudget) => {
  const { 'X-Request-Id': id, ...others } = COMMON_HEADERS;
  return { 'X-Request-Id': id, ...buildBudgetHeaders(budget), ...others };
};

type HeaderName = keyof ReturnType<typeof buildHeaders>;

const toReferences = (names: readonly HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const COMMON: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];
const CACHED: readonly HeaderName[] = ['ETag', 'Cache-Control'];

/** Returns the headers of a 304 answer. */
export const notModifiedHeaders = (): Record<string, Reference> => toReferences([...COMMON, ...CACHED]);

/** Returns the headers of a 308 answer. */
export const movedHeaders = (): Record<string, Reference> => toReferences([...COMMON, 'Location', 'Cache-Control']);

/** Returns the headers of a route's successful answer. */
export const successHeaders = (route: NamedRoute): Record<string, Reference> =>
  toReferences([
    ...COMMON,
    ...(route.policy.cache === 'none' ? [] : CACHED),
    ...('offset' in route.parameters.query || 'cursor' in route.parameters.query ? ['Link' as const] : []),
    ...(route.policy.idempotency === undefined ? [] : ['Idempotent-Replayed' as const]),
  ]);

const BY_STATUS: Readonly<Record<string, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};
/** Statuses of requests that the server refuses before it can read and count them. */
const UNCOUNTED: readonly string[] = ['408', '431'];

/** Returns the headers of an error answer. */
export const failureHeaders = (status: string): Record<string, Reference> =>
  toReferences([...(UNCOUNTED.includes(status) ? COMMON.slice(0, 1) : COMMON), ...(BY_STATUS[status] ?? [])]);
