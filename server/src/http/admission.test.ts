import { describe, expect, test } from 'vitest';
import { type Admission, ALL, type Look, nextAdmission } from './admission.ts';

/** The share after each look. */
const shares = (looks: readonly Look[], from: Admission = ALL): number[] => {
  let now = from;
  return looks.map((look) => {
    now = nextAdmission(now, look);
    return now.share;
  });
};
const times = (count: number, lagMs: number, elapsedMs = 50 + lagMs): Look[] =>
  Array.from({ length: count }, () => ({ lagMs, elapsedMs }));
const SHEDDING: Admission = { share: 1 / 8, lateMs: 3000, calmMs: 0 };

describe('all are let in', () => {
  test.each<[name: string, looks: Look[]]>([
    ['while timers come in time', times(100, 1)],
    ['while they are a little late', times(100, 200)],
    ['through one long task', [...times(1, 900), ...times(20, 0)]],
    [
      'through long tasks with a quarter of a second between',
      Array(20)
        .fill([...times(1, 400), ...times(5, 0)])
        .flat(),
    ],
    ['after the process was suspended', times(1, 3_600_000)],
    ['for a second of being late', times(3, 250)],
  ])('%s', (_, looks) => expect(new Set(shares(looks))).toEqual(new Set([1])));
});

describe('fewer are let in', () => {
  test.each<[name: string, looks: Look[], expected: number[]]>([
    ['after a second of being late', times(5, 250), [1, 1, 1, 0.5, 0.25]],
    ['after fewer looks where each is later', times(3, 700), [1, 0.5, 0.25]],
    ['a look in time between changes nothing', [...times(3, 250), ...times(1, 0), ...times(1, 250)], [1, 1, 1, 1, 0.5]],
    ['never fewer than one of 32', times(12, 700), [1, 1 / 2, 1 / 4, 1 / 8, 1 / 16, ...Array(7).fill(1 / 32)]],
  ])('%s', (_, looks, expected) => expect(shares(looks)).toEqual(expected));
});

describe('once fewer are let in', () => {
  test('the share stays while timers are late, but not too late', () => {
    expect(shares([...times(10, 150), ...times(4, 0), ...times(1, 101)], SHEDDING)).toEqual(Array(15).fill(1 / 8));
  });

  test('it doubles for each quarter of a second in time', () => {
    expect(shares(times(11, 0), SHEDDING).filter((_, look) => look % 5 === 4)).toEqual([1 / 4, 1 / 2]);
  });

  test('a late look halves it at once', () => {
    expect(shares(times(1, 201), SHEDDING)).toEqual([1 / 16]);
  });

  test('from the least share all are let in again within two seconds', () => {
    const least = shares(times(40, 0), { ...SHEDDING, share: 1 / 32 });
    expect(least.indexOf(1)).toBeLessThan(2000 / 50);
    expect(least.at(-1)).toBe(1);
  });

  test('and then it takes a second of being late again', () => {
    const looks = [...times(30, 0), ...times(4, 250)];
    expect(shares(looks, SHEDDING).slice(-4)).toEqual([1, 1, 1, 0.5]);
  });
});
