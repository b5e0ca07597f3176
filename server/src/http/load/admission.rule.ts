/** Milliseconds between two checks of the event loop. */
export const LOOK_MS = 50;
/** Delays of a check in milliseconds. Above `LATE_MS` callers wait; up to `CALM_MS` nobody does. */
const LATE_MS = 100;
const CALM_MS = 50;
/** Length in milliseconds from which a turn of the event loop counts as long. */
const TURN_MS = 200;
/** Number of requests per turn that are always admitted. */
const ALWAYS = 16;
/** Lower bound of the limit: this many requests keep processor and database busy. */
const LEAST = 32;
/**
 * Share by which a calm check raises the limit and reduces a burst. From the lower bound to 200 takes 16 calm checks,
 * less than a second.
 */
const MORE = 1 / 8;

/** Current admission state of a process. */
export interface Admission {
  /** Concurrency limit: number of requests that may run at once. */
  readonly limit: number;
  /** Requests that came while no check found the event loop calm, up to the bound. */
  readonly together: number;
  /** Requests since the last check. */
  readonly came: number;
}

export const createIdleAdmission = (bound: number): Admission => ({ limit: bound, together: 0, came: 0 });

export const addRequest = ({ limit, together, came }: Admission): Admission => ({ limit, together, came: came + 1 });

/** Position of a request within its turn of the event loop. */
export interface RequestTiming {
  /** Index among the requests of the turn, from 1. */
  readonly count: number;
  /** Milliseconds since the first request of the turn. */
  readonly ms: number;
  /** Milliseconds that the turn before took. */
  readonly beforeMs: number;
}

/** Returns whether at most `bound` requests came together: they wait only for each other. */
const isBurst = ({ together, came }: Admission, bound: number): boolean => together + came <= bound;

/**
 * Returns the state after a check of the event loop, `elapsedMs` after the last one. If the loop is late and more than
 * a burst came, the limit is halved. If the loop is calm, the limit grows by an eighth, up to `bound`.
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
 * Returns whether a request is admitted. A request that is read late in a long turn has waited that long, and admitting
 * it makes requests of the next turn wait. One long turn is no overload; two in a row are.
 */
export const isAdmitted = (now: Admission, bound: number, { count, ms, beforeMs }: RequestTiming): boolean =>
  isBurst(now, bound) || count <= ALWAYS || beforeMs < TURN_MS || ms < TURN_MS;
