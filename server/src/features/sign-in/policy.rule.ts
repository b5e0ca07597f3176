const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long a session lasts that nobody uses. */
export const IDLE_MS = 2 * HOUR;
/** How long a session lasts at the most. */
export const SESSION_MS = 24 * HOUR;
/** How exactly the last use of a session is noted, so that pages do not cause writes. */
export const NOTED_MS = 5 * MINUTE;
/** How long the database keeps a session that has ended, in case its clock is ahead of that of the service. */
export const ENDED_KEPT_SECONDS = 3600;

/** How long a browser has to end a sign-in that it began: by a link, or at the identity provider. */
export const REQUEST_MS = 10 * MINUTE;
/** How often the code of a link may be wrong. */
export const CODE_TRIES = 5;
