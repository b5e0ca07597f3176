/** Statuses that use no quota, besides server errors: the caller was refused. */
const FREE = new Set([401, 403, 429]);

/** Returns true if a request with this status counts against the monthly quota. */
export const usesQuota = (status: number): boolean => status < 500 && !FREE.has(status);

/** Returns the UTC month of a time, as `YYYY-MM`. */
export const formatMonth = (time: Date): string => time.toISOString().slice(0, 7);

/** Returns when the calendar month of a time ends. */
export const computeMonthEnd = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));

/** Returns the month before that of a time, as `YYYY-MM`. */
export const formatPreviousMonth = (time: Date): string =>
  formatMonth(new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() - 1)));
