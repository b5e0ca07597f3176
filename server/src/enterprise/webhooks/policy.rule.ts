const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When what failed is tried again: the delays after each failure, the last of which is repeated. */
interface RetrySchedule {
  readonly delaysMs: readonly number[];
  /** Each delay is longer or shorter by up to this share, so that many do not come back at once. */
  readonly jitter: number;
  /** Tries end so long after the first failure, and the last one is then. */
  readonly lastsMs: number;
  /** What happens at the end is announced so long before. */
  readonly announcedMs: number;
}

/** Retries of one subject whose event is refused while others are taken. */
export const SUBJECT_RETRIES: RetrySchedule = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  jitter: 0.2,
  lastsMs: 5 * DAY,
  announcedMs: DAY,
};

/** Retries of an endpoint that fails as a whole: one request each, so that it goes on soon after it is back. */
export const ENDPOINT_RETRIES: RetrySchedule = {
  ...SUBJECT_RETRIES,
  delaysMs: [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE],
};

/** How long a replaced secret signs beside the new one. */
export const OVERLAP_MS = DAY;

/** Secrets that sign at most, the newest ones: each makes events longer, and costs every customer time of the process. */
export const MOST_SECRETS = 5;

/** Requests to one endpoint at the same time. Each is about another subject. */
export const MOST_AT_ONCE = 10;

/** Of these, requests about subjects whose events wait: new events of others need places, too. */
export const MOST_RETRIES_AT_ONCE = 5;

/** So many subjects in a row whose event is refused count as a failure of the endpoint. */
export const REFUSALS_IN_A_ROW = 3;

/** Subjects of one endpoint that can be blocked. What is refused beyond that counts as a failure of the endpoint. */
export const MOST_BLOCKED = 100;

/** Entries that an endpoint has read ahead. */
export const MOST_QUEUED = 200;

/** Failures that are kept for the customer to see. */
export const FAILURES_KEPT = 10;

/** When a failure that began at `since`, and has now happened `attempts` times, is tried again; null: not any more. */
export const computeNextAttempt = (
  { delaysMs, jitter, lastsMs }: RetrySchedule,
  { since, attempts, now }: { readonly since: Date; readonly attempts: number; readonly now: Date },
  random: number,
): Date | null => {
  const last = since.getTime() + lastsMs;
  if (now.getTime() >= last) return null;
  const delay = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
  return new Date(Math.min(now.getTime() + delay * (1 + jitter * (2 * random - 1)), last));
};

/** When tries end that began at a time. */
export const computeRetryEnd = (since: Date, { lastsMs }: RetrySchedule = ENDPOINT_RETRIES): Date =>
  new Date(since.getTime() + lastsMs);

/** Whether the end of tries has to be announced by now. */
export const isNoticeDue = (
  since: Date,
  now: Date,
  { lastsMs, announcedMs }: RetrySchedule = ENDPOINT_RETRIES,
): boolean => now.getTime() >= since.getTime() + lastsMs - announcedMs;
