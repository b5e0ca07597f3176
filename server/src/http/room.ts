/** Whoever knocks waits for a turn of the event loop: with fewer requests at once it is shorter. */
const LATE_MS = 100;
/** Below this there is room for more. */
const CALM_MS = 50;
/** Enough to keep processor and database busy. */
const LEAST = 32;
/** What is added at a look in time: from the least to 200 it takes 16 of them, less than a second. */
const MORE = 1 / 8;

/**
 * How many requests may be worked on at once from now on, after a look at the event loop: half when it is late, an eighth more when it
 * is in time, up to `bound`.
 */
export const nextRoom = (room: number, bound: number, lagMs: number): number => {
  if (lagMs > LATE_MS) return Math.max(Math.min(LEAST, bound), Math.floor(room / 2));
  return lagMs > CALM_MS ? room : Math.min(bound, Math.ceil(room * (1 + MORE)));
};
