import type { MeasuredDay } from '@broker-transparency/service-level';
import { describe, expect, test } from 'vitest';
import { countVotes, findDecidedEnd, isDecided, toShownVotes } from './newest.ts';

test.each<[of: number, reported: number, up: number, decided: boolean]>([
  [0, 0, 0, false],
  [1, 0, 0, false],
  [1, 1, 1, true],
  [1, 1, 0, true],
  [2, 1, 1, false],
  [2, 1, 0, true], // one of two cannot be a majority any more
  [2, 2, 1, true],
  [3, 1, 1, false],
  [3, 2, 2, true],
  [3, 2, 1, false],
  [3, 2, 0, true],
  [4, 2, 0, true],
  [4, 2, 2, false],
])('a minute with %i votes, %i reported, %i of them up: decided is %s', (of, reported, up, decided) => {
  expect(isDecided({ of, reported, up })).toBe(decided);
});

test('shows who says so', () => {
  expect(toShownVotes({ of: 3, reported: 3, up: 2 })).toEqual({ said: 2, of: 3 });
  expect(toShownVotes({ of: 3, reported: 2, up: 1 })).toEqual({ said: 2, of: 3 });
});

describe('the newest minute', () => {
  const checks = (ok: boolean) => ({ public: { ok, ms: 1 } });
  const result = (prober: string, minute: string, ok = true) => ({
    prober,
    minute: `2026-11-23T${minute}Z`,
    checks: checks(ok),
    previous: null,
  });
  const day = (...results: ReturnType<typeof result>[]): MeasuredDay[] => [
    {
      date: '2026-11-23',
      probers: ['a', 'b', 'c'].map((name) => ({
        name,
        since: '2026-11-23T10:00Z',
        results: results.filter(({ prober }) => prober === name),
      })),
    },
  ];
  const now = new Date('2026-11-23T10:10:20Z');
  const endFor = (days: MeasuredDay[]): string =>
    new Date(findDecidedEnd(days, now) * 60_000).toISOString().slice(11, 16);

  test('the newest minute is the last settled one where nothing younger is decided', () => {
    expect(endFor(day())).toBe('10:07');
    expect(endFor(day(result('a', '10:07')))).toBe('10:07');
  });
  test('the newest minute is younger where the missing results cannot change it, without a gap', () => {
    expect(endFor(day(result('a', '10:07'), result('b', '10:07')))).toBe('10:08');
    expect(endFor(day(result('a', '10:07', false), result('c', '10:07', false)))).toBe('10:08');
    expect(endFor(day(result('a', '10:08'), result('b', '10:08')))).toBe('10:07');
  });
  test('counts only probers with a vote, and of two results the worst', () => {
    expect(countVotes(day(result('a', '09:59')), Date.parse('2026-11-23T09:59Z') / 60_000)).toEqual({
      of: 0,
      reported: 0,
      up: 0,
    });
    const twice = day(result('a', '10:05'), result('a', '10:05', false), result('b', '10:05'));
    expect(countVotes(twice, Date.parse('2026-11-23T10:05Z') / 60_000)).toEqual({ of: 3, reported: 2, up: 1 });
  });
});
