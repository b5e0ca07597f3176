import { describe, expect, test } from 'vitest';
import { BURN_ALERTS, OBJECTIVES, OBJECTIVES_VERSION, objectivesFor } from './objectives.ts';

test('the version that is promised is among all', () => {
  expect(Object.keys(OBJECTIVES).at(-1)).toBe(OBJECTIVES_VERSION);
});

test.each([
  ['2025-12', 'one'],
  ['2026-01', 'one'],
  ['2026-06', 'one'],
  ['2026-07', 'two'],
  ['2027-01', 'two'],
])('the month %s is counted by the version %s', (month, version) => {
  expect(objectivesFor(month, { one: { from: '2026-01' }, two: { from: '2026-07' } })).toBe(version);
});

describe.each(Object.entries(OBJECTIVES))('the objectives %s', (_, { from, availability, credits, ...speeds }) => {
  test('the objectives are integers, so that no figure depends on rounding', () => {
    const numbers = [
      availability,
      ...credits.flatMap(({ below, percent }) => [below, percent]),
      ...Object.values(speeds).flatMap(({ percentile, limitMs }) => [percentile, limitMs]),
    ];
    expect(numbers.every(Number.isInteger)).toBe(true);
    expect(from).toMatch(/^\d{4}-\d\d$/);
  });

  test('credit more for less, beginning where the promise ends', () => {
    expect(credits[0]?.below).toBe(availability);
    expect(credits.map(({ below }) => below)).toEqual(credits.map(({ below }) => below).toSorted((a, b) => b - a));
    expect(credits.map(({ percent }) => percent)).toEqual(
      credits.map(({ percent }) => percent).toSorted((a, b) => a - b),
    );
  });
});

test('alerts look at a long and a short window, and the faster one is for people who sleep', () => {
  for (const { longMinutes, shortMinutes } of BURN_ALERTS) expect(longMinutes).toBe(shortMinutes * 12);
  expect(BURN_ALERTS.map(({ rate, severity }) => [rate, severity])).toEqual([
    [14.4, 'page'],
    [6, 'ticket'],
  ]);
});
