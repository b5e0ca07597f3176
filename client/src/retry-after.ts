/** A date in one of HTTP's three formats (RFC 9110, 5.6.7). The oldest format omits GMT. */
const HTTP_DATE = /^[A-Z][a-z]+,? .+:\d\d (GMT|\d{4})$/;

/**
 * Returns the milliseconds that `Retry-After` asks for, from a number of seconds or a date. A date counts from the
 * answer's own `Date`, because the clock of this machine may be wrong. Ignores anything else: `Date.parse` would take
 * `37.5` for a year.
 */
export const retryAfterMs = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = HTTP_DATE.test(value) ? value.replace(/\d{4}$/, '$& GMT') : '';
  const ms = Date.parse(date) - (Date.parse(headers.get('date') as string) || Date.now());
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};
