import { describe, expect, test } from 'vitest';
import { computeDelay, computeNextTry, computeRetryEnd, type RetrySchedule } from './retry.rule.ts';

const DELAYS: RetrySchedule = { delaysMs: [10, 20, 60] };
const SPREAD: RetrySchedule = { ...DELAYS, spread: [0.5, 2] };
const START = new Date('2026-11-23T12:00:00Z');
const after = (ms: number): Date => new Date(START.getTime() + ms);

describe('the delay after a failure', () => {
  test.each<[RetrySchedule, number, number, number]>([
    [DELAYS, 1, 0, 10],
    [DELAYS, 2, 1, 20],
    [DELAYS, 3, 0.5, 60],
    [DELAYS, 100_000, 0.5, 60],
    [SPREAD, 1, 0, 5],
    [SPREAD, 1, 1, 20],
    [SPREAD, 2, 0.5, 25],
    [{ delaysMs: [] }, 1, 0.5, 0],
  ])('%j delays failure %d by chance %d for %d ms', (schedule, failures, random, delay) => {
    expect(computeDelay(schedule, failures, random)).toBe(delay);
  });
});

describe('the next try', () => {
  const ending = { ...DELAYS, lastsMs: 100 };
  test.each([
    ['comes after the delay', 1, 0, 10],
    ['comes at the end at the latest', 3, 70, 100],
    ['does not come once the end is there', 3, 100, null],
    ['does not come after the end', 3, 101, null],
  ])('the next try %s', (_, failures, passed, expected) => {
    const next = computeNextTry(ending, { since: START, failures, now: after(passed) }, 0);
    expect(next).toEqual(expected === null ? null : after(expected));
  });

  test('tries end so long after the first failure', () => {
    expect(computeRetryEnd(START, ending)).toEqual(after(100));
  });
});
