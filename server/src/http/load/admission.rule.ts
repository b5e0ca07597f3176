/** Milliseconds between two looks at the event loop. */
export const LOOK_MS = 50;
/** A look later than the first says that callers wait. A look no later than the second says that nobody does. */
const LATE_MS = 100;
const CALM_MS = 50;
/** A turn of the event loop is long from here on. */
const TURN_MS = 200;
/** Up to this many requests per turn are always admitted. */
const ALWAYS = 16;
/** The limit falls no lower: this many requests keep processor and database busy. */
const LEAST = 32;
/**
 * Share of the limit and of a burst that a calm look gives back. From the least to 200 takes 16 calm looks, less than a
 * second.
 */
const MORE = 1 / 8;

/** What a process admits for now. */
export interface Admission {
  /** Concurrency limit: how many requests may be worked on at once. */
  readonly limit: number;
  /** Requests that came while no look found the event loop calm. Counted up to the bound. */
  readonly together: number;
  /** Requests that came since the last look. */
  readonly came: number;
}

export const createIdleAdmission = (bound: number): Admission => ({ limit: bound, together: 0, came: 0 });

export const addRequest = ({ limit, together, came }: Admission): Admission => ({ limit, together, came: came + 1 });

/** When a request is read within its turn of the event loop. */
export interface RequestTiming {
  /** Its number among the requests of the turn, from 1. */
  readonly count: number;
  /** How long after the first request of the turn. */
  readonly ms: number;
  /** How long the turn before took. */
  readonly beforeMs: number;
}

/** Whether no more requests came together than may be worked on at once: these wait for nobody but each other. */
const isBurst = ({ together, came }: Admission, bound: number): boolean => together + came <= bound;

/**
 * After a look at the event loop, `elapsedMs` after the last one. Where the loop is late and more than a burst came,
 * the limit is halved. Where it is calm, the limit grows by an eighth, up to `bound`.
 */
export const adjustAdmission = (now: Admission, bound: number, elapsedMs: number): Admission => {
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
 * Whether a request is let in. A request that is read late in a long turn has waited that long, and letting it in makes
 * requests of the next turn wait. One long turn is no overload; two in a row are.
 */
export const isAdmitted = (now: Admission, bound: number, { count, ms, beforeMs }: RequestTiming): boolean =>
  isBurst(now, bound) || count <= ALWAYS || beforeMs < TURN_MS || ms < TURN_MS;
