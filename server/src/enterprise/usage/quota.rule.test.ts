import { expect, test } from 'vitest';
import { computeMonthEnd, formatMonth, formatPreviousMonth, usesQuota } from './quota.rule.ts';

test.each([
  [200, true],
  [206, true],
  [304, true],
  [400, true],
  [404, true],
  [499, true],
  [401, false],
  [403, false],
  [429, false],
  [500, false],
  [503, false],
])('an answer %i uses quota: %s', (status, uses) => {
  expect(usesQuota(status)).toBe(uses);
});

test.each([
  ['2026-11-23T10:00:00Z', '2026-11', '2026-12-01', '2026-10'],
  ['2026-01-01T00:00:00Z', '2026-01', '2026-02-01', '2025-12'],
  ['2026-12-31T23:59:59Z', '2026-12', '2027-01-01', '2026-11'],
  ['2028-03-31T00:00:00Z', '2028-03', '2028-04-01', '2028-02'],
])('%s is in the month %s, which ends %s; before it was %s', (time, month, end, before) => {
  const at = new Date(time);
  expect([formatMonth(at), computeMonthEnd(at).toISOString().slice(0, 10), formatPreviousMonth(at)]).toEqual([
    month,
    end,
    before,
  ]);
});
