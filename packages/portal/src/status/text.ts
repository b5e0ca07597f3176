import { type Html, html } from '../html.ts';
import type { Language } from '../languages.ts';

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

/** Returns the minutes from one time to another. */
export const minutesBetween = (from: string, to: string): number =>
  Math.max(0, Math.floor(Date.parse(to) / MINUTE_MS) - Math.floor(Date.parse(from) / MINUTE_MS));

/** Texts of the page, and its numbers, in a language. */
export interface StatusTexts extends Pick<Language, 'texts' | 'format'> {
  readonly said: Language['texts']['status'];
  /** Formats a number with non-breaking blanks between thousands. */
  readonly number: (value: number) => string;
  readonly minutes: (count: number) => string;
  /** Returns a span of time in its two largest units: `3 days 2 hours`. */
  readonly lasting: (minutes: number) => string;
  /** Returns a share in hundredths, rounded down, so that a share below the promise never seems to meet it. */
  readonly share: (part: number, whole: number) => string;
}

export const createStatusTexts = ({ texts, format }: Language): StatusTexts => {
  const said = texts.status;
  const spell = (given: string): string =>
    given.replace(/[.,]/g, (sign) => (sign === ',' ? '\u00a0' : texts.decimalSign));
  const number = (value: number): string => spell(value.toLocaleString('en', { maximumFractionDigits: 20 }));
  const plural = (count: number, spellOut: typeof said.minutes): string =>
    spellOut({ count }).replace(format.number(count), () => number(count));
  const minutes = (count: number): string => plural(count, said.minutes);
  return {
    texts,
    format,
    said,
    number,
    minutes,
    lasting: (lost) => {
      if (lost < 60) return minutes(Math.max(0, lost));
      const isLong = lost >= 1440;
      const [size, small] = isLong ? [1440, 60] : [60, 1];
      const rest = Math.floor((lost % size) / small);
      const whole = plural(Math.floor(lost / size), isLong ? said.daysLong : said.hours);
      return rest === 0 ? whole : `${whole} ${plural(rest, isLong ? said.hours : said.minutes)}`;
    },
    share: (part, whole) =>
      whole === 0 ? '–' : `${spell((Math.floor((part * 100_000) / whole) / 1000).toFixed(3))} %`,
  };
};
