import type { RequestTiming } from './admission.rule.ts';

/** Follows turns of the event loop. Returns a function that gives the timing of the current request within its turn. */
export const followLoopTicks = (): (() => RequestTiming) => {
  let isTurn = false;
  let [began, count, beforeMs] = [0, 0, 0];
  const end = (): void => {
    isTurn = false;
    beforeMs = performance.now() - began;
  };
  return () => {
    const now = performance.now();
    if (!isTurn) {
      isTurn = true;
      [began, count] = [now, 0];
      setImmediate(end);
    }
    return { count: ++count, ms: now - began, beforeMs };
  };
};
