import { setImmediate as nextTurn } from 'node:timers/promises';

/** Usual work between two turns of the event loop, in milliseconds. */
const TURN_MS = 10;

/**
 * Returns a function that yields to the event loop if the last turn was long ago, so that the process keeps serving.
 * @param everyMs work between two turns, in milliseconds
 */
export const createTurns = (everyMs = TURN_MS) => {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < everyMs) return;
    await nextTurn();
    since = performance.now();
  };
};
