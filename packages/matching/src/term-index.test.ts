import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTermIndex } from './term-index.ts';

const createVagueWord = (most: number) => ({ pattern: /^many/, most });

test('finds what a map of sets finds, whatever was put, replaced and removed', () => {
  const index = createTermIndex<string>();
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
    expect([...index.find([`t${term}`], createVagueWord(0))].sort()).toEqual(right.sort());
  }
});

test('returns those of the first terms first, and leaves out vague terms that too many have', () => {
  const index = createTermIndex<string>();
  for (const key of ['a', 'b', 'c']) index.put(key, ['many', key]);
  expect([...index.find(['c', 'many'], createVagueWord(3))]).toEqual(['c', 'a', 'b', 'c']);
  expect([...index.find(['many', 'c'], createVagueWord(2))]).toEqual(['c']);
  expect([...index.find(['nothing'], createVagueWord(2))]).toEqual([]);
});

test('keys that were taken out do not stay in memory, and those that were put with them are found', async () => {
  setFlagsFromString('--expose-gc');
  const index = createTermIndex<{ readonly at: number }>();
  const keys = Array.from({ length: 1000 }, (_, at) => ({ at }));
  for (const key of keys) index.put(key, ['t', `t${key.at}`]);
  const removed = keys.splice(0, 300).map((key) => {
    index.remove(key);
    return new WeakRef(key);
  });
  await setImmediate();
  runInNewContext('gc')();
  expect(removed.filter((key) => key.deref())).toEqual([]);
  expect(new Set(index.find(['t'], createVagueWord(0)))).toEqual(new Set(keys));
  for (const key of keys) expect([...index.find([`t${key.at}`], createVagueWord(0))]).toEqual([key]);
});
