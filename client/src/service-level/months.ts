const DAY_MS = 86_400_000;
const formatDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The days of a month. */
export interface MonthDates {
  /** The last day before it. */
  readonly eve: string;
  readonly dates: readonly string[];
  /** The first day after it. */
  readonly end: string;
}

/** Returns the days of a month. @throws RangeError if it is none */
export const listMonthDates = (month: string): MonthDates => {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month))
    throw new RangeError(`the month must be such as 2026-10, not "${month}"`);
  const first = Date.parse(`${month}-01`);
  const days = Array.from({ length: 31 }, (_, at) => formatDate(first + at * DAY_MS));
  const dates = days.filter((date) => date.startsWith(month));
  return { eve: formatDate(first - DAY_MS), dates, end: formatDate(first + dates.length * DAY_MS) };
};
