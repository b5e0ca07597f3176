/** After its deadline a request has its answer. Whoever holds a place for longer reads the answer slowly. */
const HELD_MS = 2000;
/** How many requests may wait for their bodies, for each place within the limit. */
const AWAITED_PER_PLACE = 4;

/** The place of one request within the concurrency limit. */
export interface ConcurrencySlot {
  /** The request waits for its own body: another request can have the place. */
  readonly leave: () => void;
  /** The body is there. */
  readonly takeAgain: () => void;
  /** The request is answered, or its caller has left. */
  readonly giveUp: () => void;
}

/**
 * Counts requests that are worked on, and those that wait for their bodies. `limit` is the concurrency limit for now,
 * `most` its bound.
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
    /** How many requests wait for their bodies. */
    awaited: (): number => awaited,
    isFull: (): boolean => count >= limit(),
    /** Whether no more requests may wait for their bodies. */
    isFullOfBodies: (): boolean => awaited >= most * AWAITED_PER_PLACE,
    /**
     * Counts a request until its place is given up, except while it waits for its body. A place is held for two seconds
     * at most.
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
