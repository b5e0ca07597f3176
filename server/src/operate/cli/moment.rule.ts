/** A value, or the fault of the text as sentences that say how to write it. */
type MomentReading<T> = { readonly value: T } | { readonly fault: string };

/** Returns the time that a text names, given the present one. */
export type Moment = (now: Date) => Date;

const MINUTE = 60_000;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE };
const FIRST_YEAR = 1800;
const LAST_YEAR = 9999;
const MOST_OFFSET_HOURS = 14;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;
const SPAN = /^(\d{1,5})([mhd])$/;
/** A day as people write it by hand: 11/12/2026, 1.2.2026. */
const WRITTEN_DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

const DAY_EXAMPLE = 'Give a day such as 2026-11-28.';
const SPAN_EXAMPLE = 'Give a span such as 90d, 12h or 30m.';
const MOMENT_EXAMPLE = 'Give a day such as 2026-11-28, a time such as 2026-11-28T10:00Z, or a span such as 7d or 12h.';

const pad = (number: number): string => String(number).padStart(2, '0');

/** Returns the number of days of a month, which counts from 1. */
const countDays = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Returns what is wrong with the numbers of a day, or undefined. */
const findDayFault = (year: number, month: number, day: number): string | undefined => {
  if (year < FIRST_YEAR || year > LAST_YEAR)
    return `The year must be from ${FIRST_YEAR} to ${LAST_YEAR}, as in 2026-11-28.`;
  if (month < 1 || month > 12) return 'The month must be from 01 to 12, as in 2026-11-28.';
  const last = countDays(year, month);
  if (day < 1 || day > last) return `That month has ${last} days: its last is ${year}-${pad(month)}-${last}.`;
  return undefined;
};

/** Returns how to write a day that begins with the day or the month; undefined for another text. */
const findOrderFault = (text: string): string | undefined => {
  const [, first, , second, year] = WRITTEN_DAY.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const orders = [
    `${year}-${pad(Number(second))}-${pad(Number(first))}`,
    `${year}-${pad(Number(first))}-${pad(Number(second))}`,
  ];
  const possible = [...new Set(orders)].filter((day) => 'value' in readDay(day));
  return possible.length === 0 ? undefined : `Write the year first: ${possible.join(' or ')}.`;
};

const findYearFault = (text: string): string | undefined =>
  /^\d{5,}-\d{2}-\d{2}/.test(text) ? 'The year must have four digits, as in 2026-11-28.' : undefined;

/** Reads a day as 2026-11-28. Returns its first moment in UTC. */
export const readDay = (text: string): MomentReading<Date> => {
  const [, ...numbers] = DAY.exec(text) ?? [];
  if (numbers.length === 0) return { fault: findOrderFault(text) ?? findYearFault(text) ?? DAY_EXAMPLE };
  const [year = 0, month = 0, day = 0] = numbers.map(Number);
  const fault = findDayFault(year, month, day);
  return fault === undefined ? { value: new Date(`${text}T00:00:00Z`) } : { fault };
};

/** Reads a time with its zone; undefined if the text has another form. */
const readTime = (text: string): MomentReading<Date> | undefined => {
  const [, day, hour, minute, second = '0', zone] = TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const onDay = readDay(day);
  if ('fault' in onDay) return onDay;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return { fault: 'The time of day must be from 00:00 to 23:59:59, as in 2026-11-28T10:00Z.' };
  if (zone === undefined || zone === '-00:00') {
    const local = text.replace(/-00:00$/, '');
    return { fault: `Add its zone: ${local}Z for UTC, or an offset such as ${local}+01:00.` };
  }
  const [hours = 0, minutes = 0] = zone === 'Z' ? [] : zone.slice(1).split(':').map(Number);
  if (hours * 60 + minutes > MOST_OFFSET_HOURS * 60 || minutes > 59)
    return { fault: `The offset must be at most ${MOST_OFFSET_HOURS}:00, as in 2026-11-28T10:00+01:00.` };
  return { value: new Date(text) };
};

/** Reads a span such as 90d, 12h or 30m. Returns milliseconds. */
export const readSpan = (text: string): MomentReading<number> => {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  return count === undefined ? { fault: SPAN_EXAMPLE } : { value: Number(count) * (UNITS[unit] ?? 0) };
};

/** Reads a day, a time, or a span before or after now. */
const readMoment = (text: string, direction: 1 | -1): MomentReading<Moment> => {
  const span = readSpan(text);
  if ('value' in span) return { value: (now) => new Date(now.getTime() + direction * span.value) };
  const named = readTime(text) ?? readDay(text);
  if ('fault' in named) return { fault: named.fault === DAY_EXAMPLE ? MOMENT_EXAMPLE : named.fault };
  return { value: () => named.value };
};

/** Reads a day, a time, or a span before now. */
export const readPastMoment = (text: string): MomentReading<Moment> => readMoment(text, -1);

/** Reads a time, or a span before now. A day is refused, since a clock of hours begins or ends at this time. */
export const readPastTime = (text: string): MomentReading<Moment> =>
  'value' in readDay(text) ? { fault: `Add the time of day with its zone: ${text}T10:00Z.` } : readPastMoment(text);

/** Reads a day, a time, or a span from now, which must be in the future. */
export const readExpiry = (text: string, now: Date): MomentReading<Date> => {
  const read = readMoment(text, 1);
  if ('fault' in read) return read;
  const value = read.value(now);
  return value > now
    ? { value }
    : { fault: `That is not in the future: it is ${now.toISOString()}. Give a later day, or a span such as 90d.` };
};
