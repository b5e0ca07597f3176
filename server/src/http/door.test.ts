import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDoor } from './door.ts';

const MANY = 20;
const ALWAYS = 16;

let now = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** How many of each group are let in, in a turn that ends after the last one. A group: when they are read in the turn, and how many. */
const turn = async (isOpen: () => boolean, ...groups: [ms: number, count: number][]): Promise<number[]> => {
  const began = now;
  const letIn = groups.map(([ms, count]) => {
    now = began + ms;
    return Array.from({ length: count }, isOpen).filter(Boolean).length;
  });
  await nextTurn();
  return letIn;
};

test('one long turn lets everybody in; in the next, whoever is read after 200 ms is refused', async () => {
  const isOpen = createDoor();
  expect(await turn(isOpen, [0, MANY], [1000, MANY])).toEqual([MANY, MANY]);
  expect(await turn(isOpen, [0, MANY], [199, MANY], [200, MANY], [900, MANY])).toEqual([MANY, MANY, 0, 0]);
  expect(await turn(isOpen, [0, MANY], [200, MANY])).toEqual([MANY, 0]);
});

test('after a turn in time everybody is let in again', async () => {
  const isOpen = createDoor();
  await turn(isOpen, [0, 1], [200, 1]);
  expect(await turn(isOpen, [0, 1], [199, MANY])).toEqual([1, MANY]);
  expect(await turn(isOpen, [0, 1], [1000, MANY])).toEqual([1, MANY]);
});

test('a few are let in, however long their turns are', async () => {
  const isOpen = createDoor();
  for (let n = 0; n < 3; n++)
    expect(await turn(isOpen, [0, 1], [5000, MANY])).toEqual([1, n === 0 ? MANY : ALWAYS - 1]);
});
