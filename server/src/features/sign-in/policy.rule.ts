const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Time after which a session ends that nobody uses. */
export const IDLE_MS = 2 * HOUR;
/** Maximum time of a session. */
export const SESSION_MS = 24 * HOUR;
/** How long after a proof of who they are a person may erase themselves, or change where they are told. */
export const FRESH_MS = 10 * MINUTE;
/** Shortest time between two notes of a session's last use, so that pages do not cause writes. */
export const NOTED_MS = 5 * MINUTE;
/** How long the database keeps a session that has ended, in case its clock is ahead of that of the service. */
export const ENDED_KEPT_SECONDS = 3600;

/** How long a browser has to end a sign-in that it began: by a link, or at the identity provider. */
export const REQUEST_MS = 10 * MINUTE;
/** How often the code of a link may be wrong. */
export const CODE_TRIES = 5;
