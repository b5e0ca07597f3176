import { expect, test } from 'vitest';
import { type DelayHistogram, measureDelay } from './delays.rule.ts';

const histogram = (...days: number[]): DelayHistogram => days.map((one) => ({ days: one, count: 1 }));

test.each([
  [[], { decided: 0, medianDays: null, p90Days: null }],
  [histogram(0), { decided: 1, medianDays: 1, p90Days: 1 }],
  [histogram(3, 0), { decided: 2, medianDays: 1, p90Days: 4 }],
  [histogram(9, 8, 7, 6, 5, 4, 3, 2, 1, 0), { decided: 10, medianDays: 5, p90Days: 9 }],
  [
    [
      { days: 40, count: 1 },
      { days: 0, count: 9 },
    ],
    { decided: 10, medianDays: 1, p90Days: 1 },
  ],
  [
    [
      { days: 40, count: 2 },
      { days: 0, count: 9 },
      { days: 2, count: 0 },
    ],
    { decided: 11, medianDays: 1, p90Days: 41 },
  ],
])('the delays %j are %j', (given, delay) => expect(measureDelay(given)).toEqual(delay));
