import type { EndingSchedule, RetrySchedule } from '../../platform/delivery/retry.rule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When a message that was not taken is tried again. */
export const NOTICE_RETRIES: EndingSchedule = {
  delaysMs: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR],
  lastsMs: 3 * DAY,
};
/** While the mail server itself fails, one message asks for it after these delays, and the others wait. */
export const TRANSPORT_RETRIES: RetrySchedule = { delaysMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 5 * MINUTE] };

/** How long a process has for one message. It ends the connection then. */
export const SEND_MS = 60 * SECOND;
/** How long a message, and the address it goes to, belong to the process that took them: longer than it sends. */
export const LEASE_MS = 75 * SECOND;
/** When a message is tried again that another one to the same address goes before. */
export const BUSY_MS = SECOND;
/** Messages that a process sends at once. */
export const AT_ONCE = 5;

/** Milliseconds for which sent messages are kept, for bounces and questions. */
export const SENT_KEPT_MS = 30 * DAY;
/** Milliseconds for which failed messages are kept, for the operator to try again. */
export const FAILED_KEPT_MS = 90 * DAY;

/** How long a code confirms an address, and how often it may be wrong. */
export const CODE_LASTS_MS = DAY;
export const CODE_TRIES = 5;
/**
 * Codes within a day: those that one account may ask for, those of them to one address, and those that accounts
 * together may have sent to one address. Operators are not counted: nobody else's requests keep a contact from being
 * confirmed.
 */
export const CODES_A_DAY = { account: 5, sameAddress: 3, address: 12 } as const;

/** Most requests to confirm a follower that are mailed within an hour, to all addresses together. */
export const REQUESTS_AN_HOUR = 500;

/**
 * First mails about reports without an account, to one mailbox within a day; the decision is told about each of them.
 */
export const FIRST_MAILS_A_DAY = 5;

/**
 * Links to sign in: within a day to one mailbox, in all and for one network address, so that nobody keeps its owner
 * out; and within an hour for one network address, and to all addresses together.
 */
export const SIGN_IN_LINKS = { ofMailbox: 30, ofMailboxForAsker: 5, ofAsker: 10, ofAll: 500 } as const;

/**
 * How long ago a message about a warning counts as due: it goes before those of a weekly round that began earlier.
 */
export const URGENT_MS = 7 * DAY;

/** Letters of a reply that is kept. */
export const MOST_REPLY = 300;
