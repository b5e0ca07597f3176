import { expect, test } from 'vitest';
import { secondsUntilNext, windowStart } from './budget.rule.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000);

test('complaints count for 24 hours', () => {
  expect(windowStart(NOW)).toEqual(ago(86_400));
});

test.each([
  [[], 3, 0],
  [[10, 20], 3, 0],
  [[10, 20, 30], 3, 86_370],
  [[10, 20, 30, 40], 3, 86_370],
  [[10, 20, 86_399.5], 3, 1],
  [[10, 20, 86_400], 3, 0],
  [[0], 1, 86_400],
])('a person with complaints %j seconds ago, of %d allowed, may send the next in %d seconds', (sent, most, seconds) => {
  expect(secondsUntilNext(sent.map(ago), most, NOW)).toBe(seconds);
});
