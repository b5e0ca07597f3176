import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTermIndex } from './term-index.ts';

const ALL = { most: 10_000, mostVague: 10_000 };
const exact = (term: string) => ({ term, isVague: false });

test('finds what a map of sets finds, whatever was put, replaced and removed', () => {
  const index = createTermIndex();
  const known = new Map<string, readonly string[]>();
  const [keys, terms] = [4000, 300];
  const random = fc.sample(fc.tuple(fc.nat(keys), fc.array(fc.nat(terms), { maxLength: 6 }), fc.nat(9)), {
    numRuns: 15_000,
    seed: 21,
  });
  for (const [key, own, chance] of random) {
    if (chance === 0) {
      index.remove(`k${key}`);
      known.delete(`k${key}`);
    } else {
      const put = own.map((term) => `t${term}`);
      index.put(`k${key}`, put);
      known.set(`k${key}`, put);
    }
  }
  expect(index.size()).toBe(known.size);
  for (let term = 0; term <= terms; term++) {
    const right = [...known].flatMap(([key, own]) => (own.includes(`t${term}`) ? [key] : []));
    expect(index.find([exact(`t${term}`)], ALL).sort()).toEqual(right.sort());
  }
});

test('returns those of the first terms first, and leaves out vague terms that too many have', () => {
  const index = createTermIndex();
  for (const key of ['a', 'b', 'c']) index.put(key, ['many', key]);
  const vague = { term: 'many', isVague: true };
  expect(index.find([exact('c'), vague], { most: 2, mostVague: 3 })).toEqual(['c', 'a']);
  expect(index.find([vague, exact('c')], { most: 2, mostVague: 2 })).toEqual(['c']);
  expect(index.find([exact('nothing')], ALL)).toEqual([]);
});

test('the index is worn once far more was put than it has', () => {
  const index = createTermIndex();
  for (let at = 0; at < 40_000; at++) index.put(`k${at}`, ['t']);
  expect(index.isWorn()).toBe(false);
  for (let at = 0; at < 130_000; at++) index.put(`k${at % 1000}`, ['t']);
  expect(index.isWorn()).toBe(true);
});
