import { describe, expect, test } from 'vitest';
import { nextRoom } from './room.ts';

const BOUND = 200;

/** The room after each look. */
const rooms = (lags: readonly number[], from = BOUND, bound = BOUND): number[] => {
  let room = from;
  return lags.map((lagMs) => {
    room = nextRoom(room, bound, lagMs);
    return room;
  });
};
const times = (count: number, lagMs: number): number[] => Array(count).fill(lagMs);

describe('room', () => {
  test.each<[name: string, lags: number[], from: number, bound: number, expected: number[]]>([
    ['is whole while the event loop is in time', times(3, 1), 200, 200, [200, 200, 200]],
    ['is whole while it is a little late', times(3, 100), 200, 200, [200, 200, 200]],
    ['halves at each look that finds it late', times(3, 101), 200, 200, [100, 50, 32]],
    ['loses no more than half by one long task', [60_000, 0, 0], 200, 200, [100, 113, 128]],
    ['is never less than keeps processor and database busy', times(3, 900), 33, 200, [32, 32, 32]],
    ['is not more than its bound, where that is less', [900, 0], 2, 2, [2, 2]],
    ['stays while it is late, but not too late', [100, 51, 100], 40, 200, [40, 40, 40]],
    ['grows by an eighth at each look in time', [50, 50, 0], 32, 200, [36, 41, 47]],
    ['grows from one', [0, 0], 1, 200, [2, 3]],
    ['grows up to its bound', times(2, 0), 190, 200, [200, 200]],
  ])('%s', (_, lags, from, bound, expected) => expect(rooms(lags, from, bound)).toEqual(expected));

  test('is whole again within a second of the last late look', () => {
    expect(rooms(times(1000 / 50, 0), 32).at(-1)).toBe(BOUND);
  });
});
