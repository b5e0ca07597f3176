/** Most bytes of one delivery. A prober's whole day has fewer. */
export const MOST_BYTES = 2 ** 20;
/** Requests a minute that one address may send for results: to deliver them, and to read a month of three probers. */
export const RESULTS_LIMIT = 120;
/** Most lines of a prober and day: a minute can be measured again after a restart, but not again and again. */
export const MOST_LINES = 3000;
/** Minutes that a result, or a mark, may be ahead of the service's clock. */
export const AHEAD_MINUTES = 1;
/** Minutes after which a mark is too old to say how fast anything is. */
export const MARK_MINUTES = 5;
/** Days for which lines are kept. After that their root and the figures of their month remain. */
export const KEPT_DAYS = 400;
