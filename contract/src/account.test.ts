import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { ACCOUNT_BASE_PATH, accountContract } from './account.ts';
import type { RouteMeta } from './metadata.ts';
import { REASON_CODES, REASONS } from './moderation.ts';
import { NoBody } from './primitives.ts';
import { TRANSPARENCY_BASE_PATH, transparencyContract } from './transparency.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly pathParams?: unknown;
  readonly query: unknown;
  readonly body?: unknown;
  readonly metadata: RouteMeta;
}

const routes: Route[] = Object.values(accountContract).flatMap((group) => Object.values(group));

test('account routes and public figures each have a path prefix of their own', () => {
  expect(routes.map(({ method, path }) => `${method} ${ACCOUNT_BASE_PATH}${path}`)).toEqual([
    'GET /account/v1/reviews',
    'GET /account/v1/reviews/:id/proof',
    'POST /account/v1/reviews/:id/withdrawal',
    'POST /account/v1/reviews/:id/appeal',
    'GET /account/v1/complaints',
    'GET /account/v1/reports',
    'POST /account/v1/reports',
    'POST /account/v1/reports/:id/appeal',
    'GET /account/v1/mail',
    'POST /account/v1/mail',
    'POST /account/v1/mail/confirmation',
    'POST /account/v1/mail/removal',
  ]);
  const { method, path, metadata } = transparencyContract.moderation;
  expect(`${method} ${TRANSPARENCY_BASE_PATH}${path}`).toBe('GET /transparency/v1/moderation/:slug');
  const shows = ['moderation:{slug}', 'operators'];
  expect(metadata).toEqual({ access: 'public', limit: 'public', cache: 'catalog', shows, moved: 'slug' });
});

/** A wrong code counts even where it is refused, so a confirmation is not answered from memory. */
const WITHOUT_KEY = ['/mail/confirmation'];

describe.each(routes)('$method $path', ({ method, path, metadata, headers, pathParams, query, body }) => {
  test('needs the scope to read or write, is never cached, and if it writes, takes an idempotency key', () => {
    const takesKey = method === 'POST' && !WITHOUT_KEY.includes(path);
    const scope = method === 'POST' ? 'account:write' : 'account:read';
    const idempotency = takesKey ? { idempotency: 'key' } : {};
    expect(metadata).toEqual({ access: { scope, kyc: false }, limit: 'public', cache: 'none', ...idempotency });
    expect(headers !== undefined).toBe(takesKey);
  });

  test('refuses unknown parameters and fields', () => {
    for (const schema of [pathParams, query, body].filter((part) => typeof part === 'object' && part !== NoBody)) {
      const issues = (schema as z.ZodType).safeParse({ surprise: '1' }).error?.issues ?? [];
      expect(issues.filter(({ code }) => code === 'unrecognized_keys')).toMatchObject([{ keys: ['surprise'] }]);
    }
  });
});

describe.each(REASON_CODES)('the reason %s', (code) => {
  test('a reason has a public description and a ground', () => {
    const { description, ground } = REASONS[code];
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(description).toMatch(/^[A-Z].{20,}\.$/);
    expect(['terms', 'law']).toContain(ground);
  });
});
