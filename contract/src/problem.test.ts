import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import { accountContract } from './account.ts';
import { contract } from './contract.ts';
import {
  AUTH_PROBLEMS,
  BODY_PROBLEMS,
  IDEMPOTENCY_PROBLEMS,
  PROBLEM_CODES,
  PROBLEMS,
  Problem,
  type ProblemCode,
  ProblemItem,
  problems,
} from './problem.ts';

/** Codes that are answered outside any route, so that no route of the contract can state them. */
const GLOBAL: readonly ProblemCode[] = ['not_found', 'method_not_allowed', 'expectation_failed'];

/** Codes that every route answers. They are written out here to check `problems()`. */
const COMMON: readonly ProblemCode[] = [
  'invalid_request',
  'bad_request',
  'not_acceptable',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** The codes are a promise to callers, who would break if one vanished or changed its status. */
const STATUSES: Record<ProblemCode, number> = {
  invalid_request: 400,
  malformed_json: 400,
  bad_request: 400,
  authentication_required: 401,
  invalid_token: 401,
  insufficient_scope: 403,
  kyc_required: 403,
  not_found: 404,
  broker_not_found: 404,
  regulator_not_found: 404,
  review_not_found: 404,
  report_not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  review_exists: 409,
  report_exists: 409,
  appeal_exists: 409,
  state_conflict: 409,
  idempotency_in_progress: 409,
  content_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
};

/** Returns the codes of a route's error responses by status. */
const codesByStatus = (responses: object): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, schema]) => [status, (schema as typeof Problem).shape.code.options]),
  );
const listCodes = (responses: object): string[] => Object.values(codesByStatus(responses)).flat();

const byStatus = (codes: readonly ProblemCode[]): Record<string, ProblemCode[]> =>
  Object.fromEntries(
    [...new Set(codes.map((code) => PROBLEMS[code].status))].map((status) => [
      String(status),
      codes.filter((code) => PROBLEMS[code].status === status),
    ]),
  );

const routes = [
  contract.search,
  ...[contract.brokers, contract.regulators, contract.reviews, contract.complaints, contract.news].flatMap((feature) =>
    Object.values(feature),
  ),
  ...Object.values(accountContract).flatMap((feature) => Object.values(feature)),
];

test('the table has every code', () => expect(Object.keys(STATUSES).sort()).toEqual([...PROBLEM_CODES].sort()));

describe.each(PROBLEM_CODES)('%s', (code) => {
  const { status, title, cure } = PROBLEMS[code];

  test('a problem has its status, a title and a cure', () => {
    expect(status).toBe(STATUSES[code]);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(title).toMatch(/^[A-Z][^.]{5,80}$/);
    expect(cure).toMatch(/^[A-Z].{10,}\.$/s);
  });

  test('a problem is answered by a route or is global', () => {
    const inRoutes = routes.some((route) => listCodes(route.responses).includes(code));
    expect(inRoutes).toBe(!GLOBAL.includes(code));
  });

  test('the response of a problem accepts its code alone', () => {
    const schema = (problems(code) as Record<number, z.ZodType>)[status];
    const body = { type: 'x', title, status, detail: 'd', instance: '/', requestId: 'r' };
    expect(schema?.safeParse({ ...body, code }).success).toBe(true);
    const foreign = PROBLEM_CODES.find((other) => PROBLEMS[other].status !== status);
    expect(schema?.safeParse({ ...body, code: foreign }).success).toBe(false);
    expect(Problem.safeParse({ ...body, code }).success).toBe(true);
  });
});

test('each title names one problem only', () => {
  expect(new Set(PROBLEM_CODES.map((code) => PROBLEMS[code].title)).size).toBe(PROBLEM_CODES.length);
});

describe('problems()', () => {
  test('problems() has a type with exactly the given codes and the common ones', () => {
    const none = problems();
    expectTypeOf<keyof typeof none>().toEqualTypeOf<400 | 406 | 408 | 429 | 431 | 500 | 503>();
    const some = problems('broker_not_found', 'review_exists', 'state_conflict');
    expectTypeOf<keyof typeof some>().toEqualTypeOf<keyof typeof none | 404 | 409>();
    expectTypeOf<z.infer<(typeof some)[409]>['code']>().toEqualTypeOf<'review_exists' | 'state_conflict'>();
    expectTypeOf<z.infer<(typeof some)[400]>['code']>().toEqualTypeOf<'invalid_request' | 'bad_request'>();
  });

  test('includes the common codes', () => {
    expect(codesByStatus(problems())).toEqual(byStatus(COMMON));
  });

  test('groups codes by status, in order, and adds no others', () => {
    expect(
      codesByStatus(problems('broker_not_found', 'regulator_not_found', ...BODY_PROBLEMS, ...AUTH_PROBLEMS)),
    ).toEqual(byStatus([...COMMON, 'broker_not_found', 'regulator_not_found', ...BODY_PROBLEMS, ...AUTH_PROBLEMS]));
    expect(codesByStatus(problems('kyc_required', ...IDEMPOTENCY_PROBLEMS))).toMatchObject({
      403: ['kyc_required'],
      409: ['idempotency_in_progress'],
      422: ['idempotency_key_reused'],
    });
  });

  test('lists the codes in its metadata, for the OpenAPI document', () => {
    const responses = problems('malformed_json');
    expect(responses[400].meta()).toEqual({ problemCodes: ['invalid_request', 'bad_request', 'malformed_json'] });
  });

  test('problems() has types for its statuses and codes', () => {
    const responses = problems('broker_not_found', 'malformed_json');
    expectTypeOf<z.infer<(typeof responses)[404]>['code']>().toEqualTypeOf<'broker_not_found'>();
    expectTypeOf<z.infer<(typeof responses)[400]>['code']>().toEqualTypeOf<
      'invalid_request' | 'bad_request' | 'malformed_json'
    >();
    expectTypeOf(responses).not.toHaveProperty(409);
    expect(responses).not.toHaveProperty('409');
  });
});

test('an answer may lack its errors alone, and each of them needs a code and a detail', () => {
  const whole = {
    type: 'http://127.0.0.1:3000/problems/invalid_request',
    title: 'The request is not valid',
    status: 400,
    detail: 'limit must be at most 100',
    instance: '/api/v1/brokers',
    code: 'invalid_request',
    requestId: 'r',
  };
  expect(Problem.parse(whole)).toEqual(whole);
  for (const key of Object.keys(whole))
    expect(Problem.safeParse({ ...whole, [key]: undefined }).success, `without ${key}`).toBe(false);
  const item = { code: 'too_big', detail: 'must be at most 100' };
  expect(
    Problem.safeParse({
      ...whole,
      errors: [
        { ...item, parameter: 'limit' },
        { ...item, pointer: '#/a' },
      ],
    }).success,
  ).toBe(true);
  for (const key of Object.keys(item)) expect(ProblemItem.safeParse({ ...item, [key]: undefined }).success).toBe(false);
});

test('docs/api.md lists every code with its status and title', () => {
  const doc = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const rows = [...doc.matchAll(/^\| (\d{3}) \| `(\w+)` \| ([^|]+) \|/gm)].map(([, status, code, title]) => [
    status,
    code,
    title,
  ]);
  expect(rows).toEqual(PROBLEM_CODES.map((code) => [String(PROBLEMS[code].status), code, PROBLEMS[code].title]));
});
