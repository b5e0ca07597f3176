import { expect, test } from 'vitest';
import { computeOffset, computeWait, isCanaryDue } from './tick.rule.ts';

const at = (time: string): Date => new Date(`2026-11-23T${time}Z`);
const minute = (time: string): number => at(`${time}:00`).getTime() / 60_000;

test('a prober asks at its own second, which is fixed and within the first twenty', () => {
  const names = Array.from({ length: 100 }, (_, n) => `prober-${n}`);
  const offsets = names.map(computeOffset);
  expect(new Set(offsets).size).toBe(20);
  expect(Math.max(...offsets)).toBe(19_000);
  expect(offsets).toEqual(names.map(computeOffset));
});

test.each([
  ['before its second', '10:05:00.000', minute('10:04'), 4000],
  ['at its second', '10:05:04.000', minute('10:04'), 0],
  ['late in the minute', '10:05:59.999', minute('10:04'), 0],
  ['in the first minute of all', '10:05:59.999', undefined, 0],
  ['after the minute is measured', '10:05:58.000', minute('10:05'), 6000],
  ['long before the next one: it looks at the clock again', '10:05:10.000', minute('10:05'), 10_000],
  ['when the clock has gone back: that minute is measured again', '10:03:30.000', minute('10:05'), 0],
  ['when the clock has gone on by an hour', '11:05:04.000', minute('10:05'), 0],
])('%s', (_when, now, last, wait) => {
  expect(computeWait(at(now), last, 4000)).toBe(wait);
});

test('a canary is due once in so many minutes, whatever the prober is called', () => {
  for (const name of ['a', 'frankfurt-1', 'oslo-2']) {
    const due = Array.from({ length: 60 }, (_, n) => isCanaryDue(29_000_000 + n, 5, name)).filter(Boolean);
    expect(due).toHaveLength(12);
    expect(isCanaryDue(29_000_001, 1, name)).toBe(true);
  }
});
