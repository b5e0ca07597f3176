import { beforeEach, expect, test } from 'vitest';
import { createTally } from './tally.ts';
import { packEntry } from './vocabulary.ts';

let tally: ReturnType<typeof createTally>;
beforeEach(() => {
  tally = createTally();
});

type Word = readonly [likeness: number, worthById: Readonly<Record<number, number>>];

/**
 * Returns the ids of the best matches if each term is matched by these words. Of equal matches, the lower id comes
 * first.
 */
const best = (terms: readonly (readonly Word[])[], limit = 20, brokers = 100): number[] => {
  tally.begin(brokers);
  for (const words of terms) {
    tally.nextTerm();
    for (const [likeness, worths] of words)
      tally.add(
        Object.entries(worths).map(([id, worth]) => packEntry(Number(id), worth)),
        likeness,
      );
  }
  return tally.best(terms.length, limit, (a, b) => a < b);
};

test.each<[string, Word[][], number[]]>([
  [
    'likeness times worth decides',
    [
      [
        [4, { 1: 1 }],
        [2, { 2: 3 }],
        [1, { 3: 4 }],
      ],
    ],
    [2, 1, 3],
  ],
  [
    'the best word for a term counts, not the sum',
    [
      [
        [2, { 1: 2, 2: 3 }],
        [2, { 1: 2 }],
        [1, { 1: 4 }],
      ],
    ],
    [2, 1],
  ],
  [
    'the order of the words does not count',
    [
      [
        [1, { 1: 4 }],
        [4, { 1: 4, 2: 3 }],
        [2, { 2: 4 }],
      ],
    ],
    [1, 2],
  ],
  ['terms add up', [[[4, { 1: 4, 2: 2 }]], [[4, { 1: 1, 2: 4 }]]], [2, 1]],
  ['brokers that match all terms hide the others', [[[4, { 1: 4, 2: 1 }]], [[1, { 2: 1 }]]], [2]],
  ['any term is enough if no broker matches all', [[[4, { 1: 1 }]], [[4, { 2: 2 }]], []], [2, 1]],
  ['equal matches come in the order of `tied`', [[[4, { 9: 1, 3: 1, 5: 1 }]]], [3, 5, 9]],
  ['nothing', [[]], []],
])('%s', (_, terms, ids) => {
  expect(best(terms)).toEqual(ids);
});

test('finds the best of many, whatever their order', () => {
  const worths = Object.fromEntries(Array.from({ length: 100 }, (_, id) => [id, 1 + ((id * 37) % 7)]));
  const expected = Array.from({ length: 100 }, (_, id) => id)
    .sort((a, b) => (worths[b] as number) - (worths[a] as number) || a - b)
    .slice(0, 5);
  expect(best([[[4, worths]]], 5)).toEqual(expected);
});

test('ranks the preferred broker before the highest possible sum', () => {
  tally.begin(3);
  for (let term = 0; term < 6; term++) {
    tally.nextTerm();
    tally.add([packEntry(1, 7), packEntry(2, 1)], 4);
  }
  tally.prefer(2);
  expect(tally.best(6, 20, (a, b) => a < b)).toEqual([2, 1]);
});

test('starts each query afresh, even with more brokers', () => {
  expect(best([[[4, { 1: 4, 2: 4 }]], [[4, { 1: 4 }]]])).toEqual([1]);
  expect(best([[[1, { 2: 1, 3: 2 }]]])).toEqual([3, 2]);
  expect(best([[[1, { 2: 1, 900: 2 }]]], 20, 901)).toEqual([900, 2]);
});
