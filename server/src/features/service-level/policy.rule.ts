/** Most bytes of one delivery. A prober's whole day has fewer. */
export const MOST_BYTES = 2 ** 20;
/**
 * Maximum requests for results by one address in a minute. Delivering and reading a month of three probers needs fewer.
 */
export const RESULTS_LIMIT = 120;
/** Maximum lines of a prober and day. A minute can be measured again after a restart, but not arbitrarily often. */
export const MOST_LINES = 3000;
/** Maximum minutes by which a result or a mark may be ahead of the service's clock. */
export const AHEAD_MINUTES = 1;
/** Minutes after which a mark is too old to measure a delay. */
export const MARK_MINUTES = 5;
/** Days for which lines are kept. After that their root and the figures of their month remain. */
export const KEPT_DAYS = 400;
