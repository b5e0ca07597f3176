import type { RequestTiming } from './admission.rule.ts';

/** Follows turns of the event loop. The returned function tells when, within its turn, the current request is read. */
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
