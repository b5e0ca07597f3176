import type { ComplaintCounts } from '../facts.ts';
import type { ComplaintMonth } from '../schema.ts';
import { type ComponentResult, count, nano } from './components.ts';
import { COMPLAINT_PRIOR } from './methodology.ts';

/** Months are compared as numbers: those since the year 0. */
const monthNumber = (month: string): number => {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new RangeError(`month ${month} is not a month of the calendar`);
  return 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
};

const monthName = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;

/** The first and the last month that count at a time: its own month and the 36 before. */
const windowAt = (at: Date): { readonly first: number; readonly last: number } => {
  const last = 12 * at.getUTCFullYear() + at.getUTCMonth();
  if (Number.isNaN(last)) throw new RangeError('at is not a date');
  return { first: last - COMPLAINT_PRIOR.windowMonths, last };
};

/** Returns the counts of a month. Throws if they cannot be counts of the same complaints. */
const checkedMonth = ({ month, ...counts }: ComplaintMonth): ComplaintCounts => {
  const closed = count(`closed of ${month}`, counts.closed);
  return {
    closed,
    resolved: count(`resolved of ${month}`, counts.resolved, closed),
    timely: count(`timely of ${month}`, counts.timely, closed),
  };
};

/**
 * Returns the complaints that count in a score: the sums over the month of `at` and the 36 months before. Other months
 * do not count. The order of the months does not matter.
 * @example complaintCounts(broker.complaintsByMonth, new Date(broker.updatedAt)) // { closed: 5, resolved: 4, timely: 4 }
 * @throws RangeError for an invalid date or month, for a count that is negative or fractional, and for more resolved or
 * timely complaints than closed ones, also in months that do not count
 * @see docs/methodology/2026-1.md#complaints
 */
export const complaintCounts = (months: readonly ComplaintMonth[], at: Date): ComplaintCounts => {
  const { first, last } = windowAt(at);
  const sums = { closed: 0, resolved: 0, timely: 0 };
  for (const one of months) {
    const number = monthNumber(one.month);
    const { closed, resolved, timely } = checkedMonth(one);
    if (number < first || number > last) continue;
    sums.closed += closed;
    sums.resolved += resolved;
    sums.timely += timely;
  }
  return sums;
};

const explainComplaints = ({ closed, resolved, timely }: ComplaintCounts, at: Date): string => {
  const { first, last } = windowAt(at);
  const months = `from ${monthName(first)} to ${monthName(last)}`;
  return closed === 0
    ? `No complaint of a verified person was closed or became overdue ${months}.`
    : `Of ${closed} complaints that were closed or became overdue ${months}, ${resolved} were resolved and ` +
        `${timely} answered in time.`;
};

/**
 * The complaints component: the shares of resolved and of timely answers, shrunk toward the best case.
 * @throws RangeError for a count that is negative or fractional, and for more resolved or timely complaints than closed
 * ones
 */
export const complaintsComponent = (counts: ComplaintCounts, at: Date): ComponentResult => {
  const closed = count('closed', counts.closed);
  const resolved = count('resolved', counts.resolved, closed);
  const timely = count('timely', counts.timely, closed);
  const { count: prior, resolvedShare, timelyShare } = COMPLAINT_PRIOR;
  const rate = (part: number) => (part + prior) / (closed + prior);
  return {
    score: nano(100 * (resolvedShare * rate(resolved) + timelyShare * rate(timely))),
    inputs: { closed, resolved, timely },
    explanation: explainComplaints({ closed, resolved, timely }, at),
  };
};
