/** Longest time in milliseconds for which a place is held. The deadline is over by then: the caller reads slowly. */
const HELD_MS = 2000;
/** Number of requests that may wait for their bodies, per place within the limit. */
const AWAITED_PER_PLACE = 4;

/** The place of one request within the concurrency limit. */
export interface ConcurrencySlot {
  /** Frees the place while the request waits for its body. */
  readonly leave: () => void;
  /** Takes a place again when the body has arrived. */
  readonly takeAgain: () => void;
  /** Frees the place for good: the request is answered, or its caller has left. */
  readonly giveUp: () => void;
}

/**
 * Counts running requests, and those that wait for their bodies. `limit` returns the current concurrency limit; `most`
 * is its bound.
 */
export const createInFlight = (most: number, limit: () => number) => {
  let count = 0;
  let awaited = 0;
  const work = (): (() => void) => {
    count++;
    let isCounted = true;
    const end = (): void => {
      if (!isCounted) return;
      isCounted = false;
      count--;
      clearTimeout(held);
    };
    const held = setTimeout(end, HELD_MS).unref();
    return end;
  };
  const awaitBody = (): (() => void) => {
    awaited++;
    return () => awaited--;
  };
  return {
    count: (): number => count,
    /** Number of requests that wait for their bodies. */
    awaited: (): number => awaited,
    isFull: (): boolean => count >= limit(),
    /** Returns whether no further request may wait for its body. */
    isFullOfBodies: (): boolean => awaited >= most * AWAITED_PER_PLACE,
    /**
     * Counts a request until its place is freed, except while it waits for its body. A place is held for two seconds at
     * most.
     */
    take: (): ConcurrencySlot => {
      let end: (() => void) | undefined = work();
      const moveTo = (next: () => () => void) => (): void => {
        if (!end) return;
        end();
        end = next();
      };
      return {
        leave: moveTo(awaitBody),
        takeAgain: moveTo(work),
        giveUp: () => {
          end?.();
          end = undefined;
        },
      };
    },
  };
};
