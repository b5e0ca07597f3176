const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Zone names of RFC 822, in minutes from UTC. Other names are ambiguous. */
const ZONES: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

/** No feed is older. An earlier date counts as missing. */
const EARLIEST = Date.UTC(1995, 0);

const RFC822 =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]{0,6}\.?,?\s+(\d{4}|\d{2})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([a-z]{1,5}|[+-]\d{2}:?\d{2}))?|\s+[+-]\d{2}:?\d{2})?$/i;
/** A date as Drupal writes it: `Wednesday, September 30, 2026 - 17:17`. */
const IN_WORDS =
  /^(?:[a-z]{3,9},?\s+)?([a-z]{3})[a-z]{0,6}\.?\s+(\d{1,2}),?\s+(\d{4})(?:(?:\s+-)?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([a-z]{1,5}|[+-]\d{2}:?\d{2}))?)?$/i;
const RFC3339 =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[t\s]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(z|[+-]\d{2}:?\d{2})?)?)?$/i;

const parseOffset = (zone: string): number | undefined => {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return ZONES[zone.toLowerCase()];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

const toFullYear = (year: string): number => Number(year) + (year.length === 4 ? 0 : Number(year) < 50 ? 2000 : 1900);

/** Returns the moment, or undefined if the day, time or zone does not exist. */
const toDate = (year: number, month: number, [day, hour, minute, second]: number[], zone: string): Date | undefined => {
  const offset = parseOffset(zone);
  const utc = new Date(Date.UTC(year, month, day, hour, minute, Math.min(second ?? 0, 59)));
  const exists = utc.getUTCMonth() === month && utc.getUTCHours() === hour && utc.getUTCMinutes() === minute;
  if (offset === undefined || Math.abs(offset) > 14 * 60 || !exists || (second ?? 0) > 60) return undefined;
  const result = new Date(utc.getTime() - offset * 60_000);
  return result.getTime() < EARLIEST ? undefined : result;
};

type TimeParts = readonly (string | undefined)[];

const toDateInMonth = (year: string, month: string, day: string, clock: TimeParts): Date | undefined => {
  const index = MONTHS.indexOf(month.toLowerCase());
  const [hour = '0', minute = '0', second = '0', zone = 'z'] = clock;
  return index < 0 ? undefined : toDate(toFullYear(year), index, [day, hour, minute, second].map(Number), zone);
};

/** Returns the date in the markup of a text, such as `<time datetime="…">`. */
export const findDateText = (markup: string): string | undefined =>
  /<time\b[^<>]{0,300}?\bdatetime\s*=\s*["']([^"'<>]{1,60})/i.exec(markup)?.[1];

/**
 * Parses the date of an item in the form of RSS (RFC 822), Atom (RFC 3339) or in English words. Without a zone it
 * counts as UTC, which is off by hours at most; a day without a time is that day, whatever the zone. Returns undefined
 * if the text is no date, or its zone is ambiguous.
 */
export const parseDate = (text: string): Date | undefined => {
  const trimmed = text.trim().slice(0, 60);
  const [, d, mon, y, ...time822] = RFC822.exec(trimmed) ?? [];
  if (d !== undefined && mon !== undefined && y !== undefined) return toDateInMonth(y, mon, d, time822);
  const [, name, ofMonth, inYear, ...clock] = IN_WORDS.exec(trimmed) ?? [];
  if (name !== undefined && ofMonth !== undefined && inYear !== undefined)
    return toDateInMonth(inYear, name, ofMonth, clock);
  const [, year, month, day = '1', hour = '0', minute = '0', second = '0', zone = 'z'] = RFC3339.exec(trimmed) ?? [];
  if (year === undefined || month === undefined) return undefined;
  return toDate(Number(year), Number(month) - 1, [day, hour, minute, second].map(Number), zone);
};
