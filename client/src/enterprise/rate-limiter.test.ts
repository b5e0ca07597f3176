import { expect, test } from 'vitest';
import { EnterpriseRateLimiter } from './rate-limiter.ts';

const NOW = Date.parse('2026-11-02T09:30:00.000Z');
const POLICY = '"enterprise";q=60;w=60, "month";q=9000;w=2678400, "record";q=20;w=60';

const read = (ratelimit: string, policy = POLICY): EnterpriseRateLimiter => {
  const limiter = new EnterpriseRateLimiter();
  limiter.read(new Headers({ ratelimit, 'ratelimit-policy': policy }), NOW);
  return limiter;
};

test.each([
  ['the first', '"enterprise";r=2;t=50, "month";r=80;t=900, "record";r=7;t=40', [60, 2, 50], 0],
  ['the second', '"enterprise";r=29;t=50, "month";r=3;t=900, "record";r=7;t=40', [9000, 3, 900], 0],
  ['the last', '"enterprise";r=29;t=50, "month";r=80;t=900, "record";r=0;t=40', [20, 0, 40], 40_000],
  [
    'the longest of two used up',
    '"enterprise";r=0;t=50, "month";r=0;t=900, "record";r=1;t=40',
    [9000, 0, 900],
    900_000,
  ],
  ['the only', '"enterprise";r=0;t=50', [60, 0, 50], 50_000],
])('a client knows and waits for the budget that is nearest to its end: %s', (_, header, state, waitMs) => {
  const [limit, remaining, seconds] = state as [number, number, number];
  const limiter = read(header);
  expect(limiter.state).toEqual({ limit, remaining, resetsAt: new Date(NOW + seconds * 1000) });
  expect(limiter.take(NOW)).toBe(waitMs);
});

test('a request counts against each budget, one that waits against none, and a budget that is over begins anew', () => {
  const limiter = read('"enterprise";r=2;t=50, "record";r=1;t=40');
  expect(limiter.take(NOW)).toBe(0);
  expect(limiter.take(NOW)).toBe(40_000);
  expect(limiter.take(NOW + 40_000)).toBe(0);
  expect(limiter.take(NOW + 40_000)).toBe(10_000);
  expect(limiter.take(NOW + 50_000)).toBe(0);
});

test('a budget that the latest answer does not state delays no request', () => {
  const limiter = read('"enterprise";r=29;t=50, "record";r=0;t=40');
  limiter.read(new Headers({ ratelimit: '"enterprise";r=28;t=49', 'ratelimit-policy': POLICY }), NOW + 1000);
  expect(limiter.take(NOW + 1000)).toBe(0);
});

test('an answer of a shared cache, and one without budgets, change nothing', () => {
  const limiter = read('"enterprise";r=29;t=50, "record";r=0;t=40');
  limiter.read(new Headers({ ratelimit: '"enterprise";r=1;t=49', age: '3' }), NOW);
  limiter.read(new Headers(), NOW);
  expect(limiter.take(NOW)).toBe(40_000);
});
