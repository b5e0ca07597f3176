/** When what failed is tried again. */
export interface RetrySchedule {
  /** The delay after each failure in a row. The last one is repeated. */
  readonly delaysMs: readonly number[];
  /** Each delay is multiplied by a number between these, by chance, so that many do not come back at once. */
  readonly spread?: readonly [least: number, most: number];
}

/** A schedule whose tries end. */
export interface EndingSchedule extends RetrySchedule {
  /** Tries end so long after the first failure, and the last one is then. */
  readonly lastsMs: number;
}

/**
 * Returns the delay in milliseconds after so many failures in a row.
 * @param random from 0 to 1
 */
export const computeDelay = (
  { delaysMs, spread: [least, most] = [1, 1] }: RetrySchedule,
  failures: number,
  random: number,
): number => {
  const delay = delaysMs[Math.min(failures, delaysMs.length) - 1] ?? 0;
  return Math.round(delay * (least + random * (most - least)));
};

/** Returns when tries end that began at a time. */
export const computeRetryEnd = (since: Date, { lastsMs }: EndingSchedule): Date => new Date(since.getTime() + lastsMs);

/**
 * Returns when something is tried again that fails since a time, and has failed so often by now; null: not any more.
 * @param random from 0 to 1
 */
export const computeNextTry = (
  schedule: EndingSchedule,
  { since, failures, now }: { readonly since: Date; readonly failures: number; readonly now: Date },
  random: number,
): Date | null => {
  const end = computeRetryEnd(since, schedule);
  if (now >= end) return null;
  return new Date(Math.min(now.getTime() + computeDelay(schedule, failures, random), end.getTime()));
};
