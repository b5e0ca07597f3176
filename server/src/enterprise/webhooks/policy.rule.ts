import { computeRetryEnd, type EndingSchedule } from '../../platform/delivery/retry.rule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Retries of one subject whose event is refused while others are taken. */
export const SUBJECT_RETRIES: EndingSchedule = {
  delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
  spread: [0.8, 1.2],
  lastsMs: 5 * DAY,
};

/** Retries of an endpoint that fails as a whole: one request each, so that it goes on soon after it is back. */
export const ENDPOINT_RETRIES: EndingSchedule = {
  ...SUBJECT_RETRIES,
  delaysMs: [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE],
};

/** The end of tries is announced so long before. */
const ANNOUNCED_MS = DAY;

/** How long a replaced secret signs beside the new one. */
export const OVERLAP_MS = DAY;

/**
 * Secrets that sign at most, the newest ones: each makes events longer, and costs every customer time of the process.
 */
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

/** Returns when tries end that began at a time: those of a subject last as long as those of its endpoint. */
export const computePauseTime = (since: Date): Date => computeRetryEnd(since, ENDPOINT_RETRIES);

/** Returns true once the end of tries has to be announced. */
export const isNoticeDue = (since: Date, now: Date): boolean =>
  now.getTime() >= computePauseTime(since).getTime() - ANNOUNCED_MS;
