import * as z from 'zod';

interface ProblemKind {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Short, constant summary. */
  readonly title: string;
  /** What the code means and what the caller should do next. The page behind `type` shows it. */
  readonly cure: string;
}

/**
 * Every error of this API, by its stable code. The set of codes is closed within v1, so callers can switch over it. The
 * server explains each one on a page, `/problems/{code}`.
 */
export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    cure:
      'Each entry of `errors` names a query parameter, a header or a JSON pointer into the body, and says what ' +
      'is expected there. Correct it and send the request again.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not JSON',
    cure: 'Send one JSON object, encoded as UTF-8.',
  },
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    cure:
      'The bytes sent do not form an HTTP/1.1 request that this server accepts. Check the request line, the ' +
      'Host header and the framing of the body.',
  },
  authentication_required: {
    status: 401,
    title: 'Authentication is required',
    cure:
      'Send `Authorization: Bearer <token>` with a token issued by the operator. Tokens in the query or the ' +
      'body are ignored.',
  },
  invalid_token: {
    status: 401,
    title: 'The token is not valid',
    cure: 'The token is malformed, unknown, expired or revoked. Ask the operator for a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The token lacks a scope',
    cure:
      'The scope that is needed stands in `WWW-Authenticate` and in `detail`. Ask the operator for a token ' +
      'that has it.',
  },
  kyc_required: {
    status: 403,
    title: 'Identity verification is required',
    cure:
      'Reviews are accepted only from people whose identity is verified (KYC). Complete the verification with ' +
      'the operator, then send the request again with the same token.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this path',
    cure: 'Paths are case-sensitive, have no trailing slash and start with /api/v1. The reference lists them all.',
  },
  broker_not_found: {
    status: 404,
    title: 'There is no such broker',
    cure: 'Find the slug with GET /search or GET /brokers.',
  },
  regulator_not_found: {
    status: 404,
    title: 'There is no such regulator',
    cure: 'Find the code with GET /regulators.',
  },
  review_not_found: {
    status: 404,
    title: 'There is no such review',
    cure: 'Take the id of a published review from GET /reviews, or of your own from your account.',
  },
  report_not_found: {
    status: 404,
    title: 'There is no such report',
    cure: 'Take the id from the list of your own reports.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not have this method',
    cure: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    title: 'Only JSON is available',
    cure: 'Accept application/json (and application/problem+json), or leave the Accept header out.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    cure: 'Headers must arrive within 10 seconds and the whole request within 15. Send it again.',
  },
  review_exists: {
    status: 409,
    title: 'You already have a review of this broker',
    cure: 'A person has one live review per broker. Withdraw the other one first.',
  },
  report_exists: {
    status: 409,
    title: 'You already have an open report about this review',
    cure: 'It waits for a decision. The list of your own reports shows it.',
  },
  appeal_exists: {
    status: 409,
    title: 'You already have an appeal against this decision',
    cure: 'A decision can be appealed once. The list of your own reviews or reports shows what came of it.',
  },
  state_conflict: {
    status: 409,
    title: 'The state of the record does not allow this',
    cure: 'The detail says in which state it is and what is possible from there.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'A request with this idempotency key is still running',
    cure: 'Wait for a second and send the same request with the same key again: it answers with the stored result.',
  },
  content_too_large: {
    status: 413,
    title: 'The body is too large',
    cure: 'Bodies have at most 64 kB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a media type or coding that is not accepted',
    cure: 'Send `Content-Type: application/json` in UTF-8, without Content-Encoding.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    cure: 'Only `Expect: 100-continue` is understood.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The idempotency key belongs to another request',
    cure: 'A key stands for one request body on one route for 24 hours. Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    cure: 'Wait for the seconds in `Retry-After`. `RateLimit` on every answer tells what is left.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    cure: 'Request line and headers have at most 16 kB together.',
  },
  internal_error: {
    status: 500,
    title: 'The server failed',
    cure: 'This is a fault of the service. Report it with the `requestId`.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available for a moment',
    cure:
      'Send the request again after the seconds in `Retry-After`; a POST with the same Idempotency-Key, since ' +
      'its outcome may be unknown.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Stable code of an error answer. */
export type ProblemCode = keyof typeof PROBLEMS;
/** The codes of all {@link PROBLEMS}. */
export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

/**
 * One invalid place in a request: a `parameter` (name of a query or path parameter, or of a header) or a `pointer` into
 * the body.
 */
export const ProblemItem = z
  .object({
    pointer: z
      .string()
      .optional()
      .meta({ description: 'JSON Pointer into the body, as a URI fragment (RFC 6901).', examples: ['#/rating'] }),
    parameter: z
      .string()
      .optional()
      .meta({ description: 'Name of the query or path parameter, or of the header.', examples: ['limit'] }),
    code: z
      .string()
      .meta({ description: 'What is wrong, as a stable word; there can be more.', examples: ['too_big'] }),
    detail: z.string().meta({
      description: 'The same for a person, with what is expected.',
      examples: ['"limit" must be at most 100.'],
    }),
  })
  .meta({
    id: 'ProblemItem',
    description: 'One place in a request that is not valid: a `parameter`, or a `pointer` into the body.',
  });
export type ProblemItem = z.infer<typeof ProblemItem>;

/** An error answer: `application/problem+json` (RFC 9457), with this API's stable `code`. */
export const Problem = z
  .object({
    type: z.string().describe('Address of the page that explains this code.'),
    title: z.string().describe('Short summary, the same for each code. For people: it may change.'),
    status: z.int().describe('HTTP status.'),
    detail: z.string().describe('What went wrong this time. For people: it may change.'),
    instance: z.string().describe('Path of the request.'),
    code: z
      .enum(PROBLEM_CODES)
      .meta({ id: 'ProblemCode', description: 'Stable code of an error.' })
      .describe('Which error it is, for programs.'),
    requestId: z.string().describe('As in `X-Request-Id`. Quote it when you ask for help.'),
    errors: z.array(ProblemItem).optional().describe('The places that are not valid; absent where none is at fault.'),
  })
  .meta({
    id: 'Problem',
    description: 'An error answer: `application/problem+json` (RFC 9457) with a stable `code`.',
    examples: [
      {
        type: 'http://127.0.0.1:3000/problems/broker_not_found',
        title: PROBLEMS.broker_not_found.title,
        status: 404,
        detail: 'No broker has the slug "alpha-market".',
        instance: '/api/v1/brokers/alpha-market',
        code: 'broker_not_found',
        requestId: '0f8fad5b-d9cb-469f-a165-70867728950e',
      },
    ],
  });
export type Problem = z.infer<typeof Problem>;

/** Codes that every route can answer. */
const COMMON = [
  'invalid_request',
  'bad_request',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
] as const satisfies ProblemCode[];

/** Codes that a route with a JSON body can answer in addition. */
export const BODY_PROBLEMS = [
  'malformed_json',
  'content_too_large',
  'unsupported_media_type',
] as const satisfies ProblemCode[];

/** Codes that a route that needs a token can answer in addition. */
export const AUTH_PROBLEMS = [
  'authentication_required',
  'invalid_token',
  'insufficient_scope',
] as const satisfies ProblemCode[];

/** Codes that a route that takes an Idempotency-Key can answer in addition. */
export const IDEMPOTENCY_PROBLEMS = [
  'idempotency_in_progress',
  'idempotency_key_reused',
] as const satisfies ProblemCode[];

type StatusOf<C extends ProblemCode> = (typeof PROBLEMS)[C]['status'];
type CodeOf<S extends number> = { [C in ProblemCode]: StatusOf<C> extends S ? C : never }[ProblemCode];
/**
 * An error answer with one of the codes `C`. It is an interface because declarations refer to an interface by name.
 * They would spell out an alias for every status of every route, which made up most of a megabyte.
 */
export interface ProblemWith<C extends ProblemCode>
  extends z.ZodObject<Omit<(typeof Problem)['shape'], 'code'> & { code: z.ZodEnum<{ [K in C]: K }> }> {}
/** Error answers by status, for the codes `C`. */
export type ProblemResponses<C extends ProblemCode> = {
  [S in StatusOf<C>]: ProblemWith<Extract<C, CodeOf<S>>>;
};

/**
 * Returns the error responses of a route by status: those with the given codes and those that every route shares.
 * @example problems('broker_not_found')[404].shape.code.options // ['broker_not_found']
 */
export const problems = <const C extends ProblemCode = never>(
  ...codes: C[]
): ProblemResponses<C | (typeof COMMON)[number]> => {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...COMMON, ...codes]) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  // The type of `Object.fromEntries` has no keys; the return type states what the loop above computes.
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      Problem.extend({ code: z.enum(list as [ProblemCode, ...ProblemCode[]]) }).meta({ problemCodes: list }),
    ]),
  ) as unknown as ProblemResponses<C | (typeof COMMON)[number]>;
};
