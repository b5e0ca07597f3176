import { expect, test } from 'vitest';
import { FRESH_DAYS, freshDays, freshUntil, isStale } from './staleness.rule.ts';

const LOOKED = '2026-01-01T00:00:00.000Z';

test.each([
  ['asic', FRESH_DAYS.file],
  ['fsc-vg', FRESH_DAYS.byHand],
  ['no-such-code', FRESH_DAYS.byHand],
])('a look at the register of %s counts for %d days', (code, days) => {
  expect(freshDays(code)).toBe(days);
  const end = freshUntil(LOOKED, code);
  expect((end.getTime() - Date.parse(LOOKED)) / 86_400_000).toBe(days);
  expect(isStale(LOOKED, code, new Date(end.getTime() - 1))).toBe(false);
  expect(isStale(LOOKED, code, end)).toBe(true);
});

test('a register at which nobody ever looked is stale', () => {
  expect(isStale(null, 'asic', new Date(LOOKED))).toBe(true);
});
