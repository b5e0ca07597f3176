import { describe, expect, test } from 'vitest';
import { type Admission, addRequest, adjustAdmission, createIdleAdmission, isAdmitted } from './admission.rule.ts';

const LOOK_MS = 50;
const BOUND = 200;

/** Returns the states after looks, each so late and after so many requests. */
const after = (
  looks: readonly (readonly [lateMs: number, came: number])[],
  from: Admission,
  bound = BOUND,
): Admission[] => {
  let now = from;
  return looks.map(([lateMs, came]) => {
    for (let n = 0; n < came; n++) now = addRequest(now);
    now = adjustAdmission(now, bound, LOOK_MS + lateMs);
    return now;
  });
};
const limits = (...[looks, from, bound]: Parameters<typeof after>): number[] =>
  after(looks, from, bound).map(({ limit }) => limit);
const times = (count: number, lateMs: number, came = 0) => Array.from({ length: count }, () => [lateMs, came] as const);
/** Behind by more than a burst. */
const overloaded = (limit: number, bound = BOUND): Admission => ({ limit, together: bound, came: 1 });

describe('the concurrency limit', () => {
  test.each<
    [name: string, looks: readonly (readonly [number, number])[], from: Admission, bound: number, expected: number[]]
  >([
    ['is whole while the event loop is calm', times(3, 1, 1000), createIdleAdmission(200), 200, [200, 200, 200]],
    ['is whole while it is a little late', times(3, 100, 1000), createIdleAdmission(200), 200, [200, 200, 200]],
    [
      'stays through a burst of as many as it lets in, however late',
      times(4, 900, 50),
      createIdleAdmission(200),
      200,
      [200, 200, 200, 200],
    ],
    [
      'stays through one long task, however many wait behind it',
      [
        [60_000, 0],
        [0, 5000],
      ],
      createIdleAdmission(200),
      200,
      [200, 200],
    ],
    [
      'halves at each late look once more came together',
      times(4, 101, 150),
      createIdleAdmission(200),
      200,
      [200, 100, 50, 32],
    ],
    ['is never less than keeps processor and database busy', times(3, 900, 1), overloaded(33), 200, [32, 32, 32]],
    ['is not more than its bound, where that is less', times(2, 900, 1), overloaded(2, 2), 2, [2, 2]],
    [
      'stays while the loop is late, but not too late',
      [
        [100, 1],
        [51, 1],
      ],
      overloaded(40),
      200,
      [40, 40],
    ],
    ['grows by an eighth at each calm look', times(3, 50, 1), overloaded(32), 200, [36, 41, 47]],
    ['grows from one', times(2, 0), overloaded(1), 200, [2, 3]],
    ['grows up to its bound', times(2, 0), overloaded(190), 200, [200, 200]],
    [
      'halves again after a calm look, while as many come',
      [
        [0, 50],
        [101, 50],
      ],
      overloaded(100),
      200,
      [113, 56],
    ],
  ])('%s', (_, looks, from, bound, expected) => expect(limits(looks, from, bound)).toEqual(expected));

  test('the limit is whole again, and lets a whole burst in, within a second of the last late look', () => {
    expect(after(times(1000 / LOOK_MS, 0), overloaded(32)).at(-1)).toEqual(createIdleAdmission(BOUND));
  });
});

describe('a request', () => {
  const late = { count: 17, ms: 200, beforeMs: 200 };
  test.each<[name: string, now: Admission, reading: typeof late, expected: boolean]>([
    [
      'of a burst is let in, however late it is read',
      { limit: 32, together: 100, came: 100 },
      { ...late, ms: 5000 },
      true,
    ],
    ['beyond it is refused when it is read late in the second of two long turns', overloaded(200), late, false],
    ['is let in as one of the first 16 of a turn', overloaded(200), { ...late, count: 16 }, true],
    ['is let in when it is read early in its turn', overloaded(200), { ...late, ms: 199 }, true],
    ['is let in when the turn before was short', overloaded(200), { ...late, beforeMs: 199 }, true],
  ])('%s', (_, now, reading, expected) => expect(isAdmitted(now, BOUND, reading)).toBe(expected));
});
