/** As HTTP writes a date, in one of its three ways (RFC 9110, 5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d (GMT|\d{4})$/;

/**
 * Milliseconds that `Retry-After` asks for: a number of seconds or a date. Anything else says nothing: `Date.parse`
 * takes `37.5` for a year.
 */
export const retryAfterMs = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const [, zone] = HTTP_DATE.exec(value) ?? [];
  if (zone === undefined) return undefined;
  const ms = Date.parse(zone === 'GMT' ? value : `${value} GMT`) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
};
