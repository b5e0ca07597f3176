import { type Html, html } from '../html.ts';

const MINUTE_MS = 60_000;

/**
 * Returns a time in UTC.
 * @example timeHtml('2026-11-23T10:05Z') // <time datetime="2026-11-23T10:05Z">2026-11-23 10:05 UTC</time>
 */
export const timeHtml = (time: string): Html => {
  const minute = new Date(Math.floor(Date.parse(time) / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16);
  return html`<time datetime="${minute}Z">${minute.replace('T', ' ')} UTC</time>`;
};

export const dayHtml = (date: string): Html => html`<time datetime="${date}">${date}</time>`;

/** Formats a number with non-breaking blanks between thousands. */
export const number = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 20 }).replaceAll(',', '\u00a0');

const plural = (count: number, word: string): string => `${number(count)} ${word}${count === 1 ? '' : 's'}`;

export const minutesText = (count: number): string => plural(count, 'minute');

/** Returns a span of time in its two largest units: `3 days 2 hours`. */
export const lastingText = (minutes: number): string => {
  if (minutes < 60) return plural(Math.max(0, minutes), 'minute');
  const [unit, size, small, word] = minutes < 1440 ? ['hour', 60, 1, 'minute'] : ['day', 1440, 60, 'hour'];
  const rest = Math.floor((minutes % Number(size)) / Number(small));
  const whole = plural(Math.floor(minutes / Number(size)), String(unit));
  return rest === 0 ? whole : `${whole} ${plural(rest, String(word))}`;
};

/** Returns the minutes from one time to another. */
export const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor(Date.parse(to) / MINUTE_MS) - Math.floor(Date.parse(from) / MINUTE_MS));

/** Returns a share in hundredths, rounded down, so that a share below the promise never seems to meet it. */
export const shareText = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${(Math.floor((part * 100_000) / whole) / 1000).toFixed(3)} %`;
