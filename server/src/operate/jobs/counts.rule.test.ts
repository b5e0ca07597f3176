import { expect, test } from 'vitest';
import { countsInWords, jobCounts } from './counts.rule.ts';

test.each<[unknown, object, string]>([
  [undefined, {}, ''],
  [null, {}, ''],
  [7, {}, ''],
  [['a'], {}, ''],
  [{ expired: 0 }, { expired: 0 }, '0 expired'],
  [{ corrected: 2, days: ['a', 'b', 'c'], note: 'x' }, { corrected: 2, days: 3 }, '2 corrected, 3 days'],
])('of %o a job reports the counts %o', (report, counts, words) => {
  expect(jobCounts(report)).toEqual(counts);
  expect(countsInWords(jobCounts(report))).toBe(words);
});
