import { expect, test } from 'vitest';
import { computeDueAt } from './due.rule.ts';

const AT = new Date('2026-11-01T00:00:00Z');
const countHours = (date: Date): number => (date.getTime() - AT.getTime()) / 3_600_000;

test.each([
  [0, 24, 24],
  [1, 24, 1],
  [2, 24, 2],
  [4, 24, 8],
  [9, 24, 24],
  [9, 1, 1],
])('a list with %d failures that is asked for every %d h waits %d h', (failures, everyHours, hours) => {
  expect(countHours(computeDueAt({ checkedAt: AT, triedAt: AT, failures }, everyHours))).toBe(hours);
});

test('a list that was never asked for is due', () => {
  expect(computeDueAt({ checkedAt: null, triedAt: null, failures: 0 }, 24).getTime()).toBe(0);
});
