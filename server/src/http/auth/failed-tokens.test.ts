import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLimitCounts } from '../../platform/observe/limiter.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import type { ProblemError } from '../problem/problem.ts';
import { computeBudget } from '../rate-limit/budgets.rule.ts';
import { createLimit } from '../rate-limit/limit.ts';
import type { Credential, Principal } from './access.ts';
import { createFailedTokens, requireGoodTokens } from './failed-tokens.ts';

const limitCounts = createLimitCounts(createMetrics());

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const BAD: Credential = { principal: undefined, given: true };
const GOOD: Credential = { principal: { accountId: 'a1' } as Principal };

const setUp = (publicRequests = 60) => {
  const { look, judge } = createFailedTokens(
    createLimit(limitCounts, computeBudget('bad-tokens', publicRequests), undefined, 'bad-tokens'),
  );
  const authenticate = vi.fn(async (header: string) => (header.startsWith('Bearer good') ? GOOD : BAD));
  return {
    authenticate,
    look: (header: string, address = 'ip:a') => look(header, address, () => authenticate(header)),
    /** Judges a credential as a route that is not public does. */
    judge: async (credential: Credential) => {
      const budget = await judge(credential, 'ip:a');
      try {
        if (budget) requireGoodTokens(budget, { allowed: true, headers: { RateLimit: 'r', 'RateLimit-Policy': 'p' } });
      } catch (error) {
        const { code, headers } = error as ProblemError;
        return { code, ...headers };
      }
    },
  };
};

test('a caller with too many bad tokens gets the headers of that budget beside those of the public one', async () => {
  const { judge } = setUp();
  for (let n = 0; n < 30; n++) expect(await judge(BAD)).toBeUndefined();
  expect(await judge(BAD)).toEqual({
    code: 'rate_limited',
    RateLimit: 'r, "bad-tokens";r=0;t=60',
    'RateLimit-Policy': 'p, "bad-tokens";q=30;w=60',
    'Retry-After': '60',
  });
});

test('a good token and none are never refused, and cost nothing', async () => {
  const { judge } = setUp();
  for (let n = 0; n < 40; n++) {
    expect(await judge(GOOD)).toBeUndefined();
    expect(await judge({ principal: undefined, given: false })).toBeUndefined();
  }
  expect(await judge(BAD)).toBeUndefined();
});

test('a flood of bad tokens is not looked at any more; those known good are, from everywhere, and all in a minute', async () => {
  const { look, authenticate } = setUp(1);
  expect(await look('Bearer good-1')).toBe(GOOD);
  for (let n = 0; n < 30; n++) expect(await look(`Bearer bad-${n}`)).toEqual(BAD);
  const looked = authenticate.mock.calls.length;
  expect(looked).toBe(21); // twenty times the budget of one bad token, and the good one
  expect(await look('Bearer good-1')).toBe(GOOD);
  expect(await look('Bearer good-2')).toEqual(BAD);
  expect(await look('Bearer good-2', 'ip:b')).toBe(GOOD);
  expect(await look('Bearer good-2')).toBe(GOOD);
  vi.advanceTimersByTime(60_000);
  expect(await look('Bearer good-3')).toBe(GOOD);
});
