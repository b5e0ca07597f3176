import { expect, test } from 'vitest';
import { allOverlap, findLeaders, isTooClose } from './leader.rule.ts';

const ranged = (value: number | null, low: number | null = null, high: number | null = null) => ({ value, low, high });

test.each([
  ['ranges that overlap', [ranged(80, 75, 85), ranged(84, 80, 90)], true, true],
  ['ranges that touch', [ranged(80, 75, 85), ranged(90, 85, 95)], true, true],
  ['ranges apart', [ranged(80, 75, 85), ranged(90, 85.1, 95)], false, false],
  ['ranges of which nobody knows one', [ranged(80, 75, 85), ranged(84)], false, false],
  ['a score that is not known', [ranged(80, 75, 85), ranged(null, 75, 85)], false, true],
  ['the best of three apart', [ranged(50, 45, 55), ranged(90, 85, 95), ranged(52, 40, 60)], false, false],
  ['the best two of three together', [ranged(50, 45, 55), ranged(90, 85, 95), ranged(88, 80, 92)], true, false],
  ['three together', [ranged(80, 70, 90), ranged(82, 70, 90), ranged(84, 70, 90)], true, true],
])('scores with %s', (_, scores, isClose, doOverlap) => {
  expect(isTooClose(scores)).toBe(isClose);
  expect(allOverlap(scores)).toBe(doOverlap);
});

test.each([
  [[1, 3, 2], [1]],
  [
    [3, 1, 3],
    [0, 2],
  ],
  [
    [0, 0],
    [0, 1],
  ],
])('the largest of %j are at %j', (values, leaders) => {
  expect(findLeaders(values)).toEqual(leaders);
});
