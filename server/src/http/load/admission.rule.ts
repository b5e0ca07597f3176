/** The event loop is looked at so often. Milliseconds. */
export const LOOK_MS = 50;
/** A look that is later than this says that callers wait; one that is no later than the second, that nobody does. */
const LATE_MS = 100;
const CALM_MS = 50;
/** A turn of the event loop that takes longer is long. */
const TURN_MS = 200;
/** So few in a turn are no overload, however long they take. */
const ALWAYS = 16;
/** Enough to keep processor and database busy. */
const LEAST = 32;
/** What a calm look gives back, of the limit and of the burst: from the least to 200 it takes 16 of them, less than a second. */
const MORE = 1 / 8;

/** What a process takes on. */
export interface Admission {
  /** Concurrency limit: how many requests may be worked on at once, for now. */
  readonly limit: number;
  /** Requests that came together: while no look found the event loop calm. Up to the bound. */
  readonly together: number;
  /** Requests that came since the last look. */
  readonly came: number;
}

export const idle = (bound: number): Admission => ({ limit: bound, together: 0, came: 0 });

export const withOneMore = ({ limit, together, came }: Admission): Admission => ({ limit, together, came: came + 1 });

/** When a request is read. */
export interface Reading {
  /** The how manyth it is in its turn of the event loop. */
  readonly count: number;
  /** How long after the first one. */
  readonly ms: number;
  /** How long the turn before took. */
  readonly beforeMs: number;
}

/** No more came together than the process may work on: they wait for each other alone. */
const isBurst = ({ together, came }: Admission, bound: number): boolean => together + came <= bound;

/**
 * After a look at the event loop, `elapsedMs` after the one before: the limit is halved where the loop is late for more than a burst,
 * and an eighth larger where it is calm, up to `bound`.
 */
export const afterLook = (now: Admission, bound: number, elapsedMs: number): Admission => {
  const { limit, together, came } = now;
  const lateMs = elapsedMs - LOOK_MS;
  if (lateMs <= CALM_MS) {
    const more = Math.min(bound, Math.ceil(limit * (1 + MORE)));
    return { limit: more, together: Math.max(0, Math.floor(together - bound * MORE)), came: 0 };
  }
  const isHalved = lateMs > LATE_MS && !isBurst(now, bound);
  return {
    limit: isHalved ? Math.max(Math.min(LEAST, bound), Math.floor(limit / 2)) : limit,
    together: Math.min(bound, together + came),
    came: 0,
  };
};

/**
 * Whether a request is let in. Whoever is read late in a turn of the event loop has waited all the while, and what is let in makes those
 * of the next turn wait. One long turn is no overload: that is two in a row.
 */
export const isAdmitted = (now: Admission, bound: number, { count, ms, beforeMs }: Reading): boolean =>
  isBurst(now, bound) || count <= ALWAYS || beforeMs < TURN_MS || ms < TURN_MS;
