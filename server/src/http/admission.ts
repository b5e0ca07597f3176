/** What share of requests is let in, and what led to it. */
export interface Admission {
  /** 0–1. */
  readonly share: number;
  /** How long the event loop has been late, in milliseconds; kept while less than all is let in. */
  readonly lateMs: number;
  /** How long it has been in time since. */
  readonly calmMs: number;
}

/** One look at the event loop. */
export interface Look {
  /** How late a timer came. */
  readonly lagMs: number;
  /** Since the look before. */
  readonly elapsedMs: number;
}

/** Callers would feel more. */
const LATE_MS = 200;
/** Below this there is room for more. */
const CALM_MS = 100;
/** One long task is no overload. */
const LATE_FOR_MS = 1000;
/** One look says this much at most: a process that was suspended is not overloaded. */
const LOOK_MS = 500;
const CALM_FOR_MS = 250;
/** Never nothing: what is let in shows whether it is over. From here to all it takes five steps, 1.25 s. */
const LEAST = 1 / 32;

export const ALL: Admission = { share: 1, lateMs: 0, calmMs: 0 };

/**
 * Halves what is let in at each look that finds the event loop late, once it has been late for a second; doubles it for each quarter
 * of a second in time. In between it stays, so that under a steady load it settles.
 */
export const nextAdmission = ({ share, lateMs, calmMs }: Admission, { lagMs, elapsedMs }: Look): Admission => {
  if (lagMs > LATE_MS) {
    const late = lateMs + Math.min(elapsedMs, LOOK_MS);
    return { share: late < LATE_FOR_MS ? share : Math.max(LEAST, share / 2), lateMs: late, calmMs: 0 };
  }
  if (lagMs > CALM_MS) return { share, lateMs, calmMs: 0 };
  const calm = calmMs + elapsedMs;
  if (calm < CALM_FOR_MS) return { share, lateMs, calmMs: calm };
  return share < 1 ? { share: Math.min(1, share * 2), lateMs, calmMs: 0 } : ALL;
};
