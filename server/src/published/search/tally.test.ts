import { beforeEach, expect, test } from 'vitest';
import { createTally } from './tally.ts';
import { entryOf } from './vocabulary.ts';

let tally: ReturnType<typeof createTally>;
beforeEach(() => {
  tally = createTally();
});

type Word = readonly [likeness: number, worthById: Readonly<Record<number, number>>];

/** Ids of the best, where each term is answered by these words. Of equal ones the lower id comes first. */
const best = (terms: readonly (readonly Word[])[], limit = 20, brokers = 100): number[] => {
  tally.begin(brokers);
  for (const words of terms) {
    tally.nextTerm();
    for (const [likeness, worths] of words)
      tally.add(
        Object.entries(worths).map(([id, worth]) => entryOf(Number(id), worth)),
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
    'of a term the best word counts, not the sum',
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
  ['who matches all hides the others', [[[4, { 1: 4, 2: 1 }]], [[1, { 2: 1 }]]], [2]],
  ['where nobody matches all, any is enough', [[[4, { 1: 1 }]], [[4, { 2: 2 }]], []], [2, 1]],
  ['what is equal comes in its own order', [[[4, { 9: 1, 3: 1, 5: 1 }]]], [3, 5, 9]],
  ['nothing', [[]], []],
])('%s', (_, terms, ids) => {
  expect(best(terms)).toEqual(ids);
});

test('the best of many, whatever their order', () => {
  const worths = Object.fromEntries(Array.from({ length: 100 }, (_, id) => [id, 1 + ((id * 37) % 7)]));
  const expected = Array.from({ length: 100 }, (_, id) => id)
    .sort((a, b) => (worths[b] as number) - (worths[a] as number) || a - b)
    .slice(0, 5);
  expect(best([[[4, worths]]], 5)).toEqual(expected);
});

test('the preferred one comes first, even before the best sum there can be', () => {
  tally.begin(3);
  for (let term = 0; term < 6; term++) {
    tally.nextTerm();
    tally.add([entryOf(1, 7), entryOf(2, 1)], 4);
  }
  tally.prefer(2);
  expect(tally.best(6, 20, (a, b) => a < b)).toEqual([2, 1]);
});

test('one query leaves nothing for the next one, also when there are more brokers', () => {
  expect(best([[[4, { 1: 4, 2: 4 }]], [[4, { 1: 4 }]]])).toEqual([1]);
  expect(best([[[1, { 2: 1, 3: 2 }]]])).toEqual([3, 2]);
  expect(best([[[1, { 2: 1, 900: 2 }]]], 20, 901)).toEqual([900, 2]);
});
