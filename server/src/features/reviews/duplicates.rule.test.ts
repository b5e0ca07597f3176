import { expect, test } from 'vitest';
import { findDuplicates } from './duplicates.rule.ts';

const written = (id: number, accountId: string, broker: string) => ({ id, accountId, broker });

test.each([
  ['nothing', [], [], []],
  ['one review each of two people', [], [written(1, 'a', 'x'), written(2, 'b', 'x')], []],
  ['one review each of two accounts of a person', [['a', 'b']], [written(1, 'a', 'x'), written(2, 'b', 'x')], [1, 2]],
  ['reviews of different brokers', [['a', 'b']], [written(1, 'a', 'x'), written(2, 'b', 'y')], []],
  [
    'two people with two accounts each',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [written(1, 'd', 'y'), written(2, 'a', 'x'), written(3, 'c', 'y'), written(4, 'b', 'x'), written(5, 'c', 'x')],
    [2, 4, 1, 3],
  ],
])('finds the duplicates in %s', (_, persons, reviews, ids) => {
  expect(findDuplicates(persons, reviews).map(({ id }) => id)).toEqual(ids);
});
