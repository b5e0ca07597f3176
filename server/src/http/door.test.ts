import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createDoor } from './door.ts';

test('whoever is read in the first 200 ms of a turn is let in, whoever is read later is not, and the next turn begins anew', async () => {
  let now = 1000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const isOpen = createDoor();
  const at = (ms: number): boolean => {
    now = ms;
    return isOpen();
  };
  expect([1000, 1001, 1199, 1200, 1300].map(at)).toEqual([true, true, true, false, false]);
  await nextTurn();
  expect([2500, 2699, 2700].map(at)).toEqual([true, true, false]);
  await nextTurn();
  expect(at(2701)).toBe(true);
  clock.mockRestore();
});
