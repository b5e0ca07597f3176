import { expect, test } from 'vitest';
import { formatCounts, toJobCounts } from './counts.rule.ts';

test.each<[unknown, object, string]>([
  [undefined, {}, ''],
  [null, {}, ''],
  [7, {}, ''],
  [['a'], {}, ''],
  [{ expired: 0 }, { expired: 0 }, '0 expired'],
  [{ corrected: 2, days: ['a', 'b', 'c'], note: 'x' }, { corrected: 2, days: 3 }, '2 corrected, 3 days'],
])('the result %o of a job gives the counts %o', (report, counts, words) => {
  expect(toJobCounts(report)).toEqual(counts);
  expect(formatCounts(toJobCounts(report))).toBe(words);
});
