import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

/** Starts work that ends when the test says so, and notes which pieces have begun. */
const begin = (limit: number, count: number) => {
  const limited = limitConcurrency(limit);
  const begun: number[] = [];
  const works = Array.from({ length: count }, () => Promise.withResolvers<number>());
  const ends = works.map(({ promise }, n) =>
    limited(() => {
      begun.push(n);
      return promise;
    }),
  );
  return { begun, works, ends };
};

test('runs at most `limit` pieces at once and the others in turn, whether earlier ones fail or not', async () => {
  const { begun, works, ends } = begin(2, 5);
  expect(begun).toEqual([0, 1]);
  works[1]?.resolve(10);
  expect(await ends[1]).toBe(10);
  await turn();
  expect(begun).toEqual([0, 1, 2]);
  works[0]?.reject(new Error('failed'));
  await expect(ends[0]).rejects.toThrow('failed');
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of works) resolve(0);
  await Promise.all(ends.slice(2));
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

test('frees every place when all work has ended', async () => {
  const limited = limitConcurrency(1);
  await Promise.allSettled([limited(async () => 1), limited(() => Promise.reject(new Error('failed')))]);
  expect(await limited(async () => 2)).toBe(2);
});
