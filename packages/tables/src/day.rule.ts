import type { DATE_FORMS } from './mapping.rule.ts';

type DateForm = (typeof DATE_FORMS)[number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const toIsoDay = (year: string, month: string, ofMonth: string): string | undefined => {
  const iso = `${year}-${month.padStart(2, '0')}-${ofMonth.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : undefined;
};

const findNumbers = (text: string): string[] =>
  /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[\sT].*)?$/.exec(text)?.slice(1) ?? [];

/** Finds a day such as `30 September 2026` or `September 30, 2026` within a text. */
const findDayInWords = (text: string): string | undefined => {
  const [, before, name, after, year] =
    /(\d{1,2})?(?:st|nd|rd|th)?[\s-]*\b([a-z]{3,9})\.?[\s-]+(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b/i.exec(text) ??
    [];
  const month = MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;
  const ofMonth = before ?? after;
  return month === 0 || year === undefined || ofMonth === undefined
    ? undefined
    : toIsoDay(year, String(month), ofMonth);
};

const FORMS: Readonly<Record<DateForm, (text: string) => string | undefined>> = {
  iso: () => undefined,
  dmy: (text) => {
    const [d, m, y] = findNumbers(text);
    return d && m && y ? toIsoDay(y, m, d) : undefined;
  },
  mdy: (text) => {
    const [m, d, y] = findNumbers(text);
    return d && m && y ? toIsoDay(y, m, d) : undefined;
  },
  words: findDayInWords,
  // days since 30 December 1899, as Excel counts them
  excel: (text) =>
    /^\d{4,5}(\.\d+)?$/.test(text)
      ? new Date((Math.floor(Number(text)) - 25_569) * 86_400_000).toISOString().slice(0, 10)
      : undefined,
};

/** Returns a day as YYYY-MM-DD; undefined if the text has another form. Every form accepts ISO. */
export const parseDay = (text: string, form: DateForm): string | undefined => {
  const [, y, m, d] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s].*)?$/.exec(text) ?? [];
  return y && m && d ? toIsoDay(y, m, d) : FORMS[form](text);
};

const NAMES: Readonly<Record<DateForm, string>> = {
  iso: 'yyyy-mm-dd',
  dmy: 'dd/mm/yyyy',
  mdy: 'mm/dd/yyyy',
  words: '30 September 2026',
  excel: 'Excel keeps it, a number of days',
};

export const describeDateForm = (form: DateForm): string => NAMES[form];
