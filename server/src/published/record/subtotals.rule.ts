import type { RatingMonth } from '@broker-transparency/contract';
import { type ReviewValue, ratingMonths } from '@broker-transparency/contract/record';
import { parseValue, type RecordedEntry } from './scores.rule.ts';

/** Published reviews, summed up by the month in which they were written. */
export type Sums = Map<string, RatingMonth>;

const STARS = [1, 2, 3, 4, 5] as const;

/** Adds a month to sums, or subtracts it. The numbers are integers, so a subtracted month leaves nothing. */
const addMonth = (sums: Sums, added: RatingMonth, sign: 1 | -1): void => {
  const known = sums.get(added.month);
  const count = (known?.count ?? 0) + sign * added.count;
  if (count === 0) {
    sums.delete(added.month);
    return;
  }
  const distribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const star of STARS) distribution[star] = (known?.distribution[star] ?? 0) + sign * added.distribution[star];
  sums.set(added.month, {
    month: added.month,
    count,
    sum: (known?.sum ?? 0) + sign * added.sum,
    sumOfSquares: (known?.sumOfSquares ?? 0) + sign * added.sumOfSquares,
    distribution,
  });
};

/** Adds a review to the sums of its broker, or subtracts it. It counts only while it is published. */
export const countReview = (sums: Sums, entry: RecordedEntry | undefined, sign: 1 | -1): void => {
  const review = entry && (parseValue(entry) as ReviewValue | null);
  const [added] = review?.state === 'published' ? ratingMonths([review]) : [];
  if (added) addMonth(sums, added, sign);
};

/** Adds up the sums of several brokers, oldest month first. */
export const addSums = ([first, ...others]: readonly Sums[]): RatingMonth[] => {
  const sums: Sums = new Map(first);
  for (const one of others) for (const month of one.values()) addMonth(sums, month, 1);
  return [...sums.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
};

/** Periods of a history, with the length of the time prefix that identifies each. */
const PERIOD_LENGTHS = { day: 'YYYY-MM-DD'.length, month: 'YYYY-MM'.length } as const;
export type Period = keyof typeof PERIOD_LENGTHS;

/** Returns the period in which an entry got its number. */
export const toPeriod = ({ time }: Pick<RecordedEntry, 'time'>, period: Period): string =>
  time.slice(0, PERIOD_LENGTHS[period]);

/** The sums of the reviews about a broker after one of its entries. */
export interface Subtotal {
  /** Key of the broker's own entry, which is the subject of all entries about it. */
  readonly subject: string;
  /** The number of the entry. */
  readonly number: number;
  /** The time of the entry. */
  readonly time: string;
  /** Entries about the broker since the subtotal before, this one included. */
  readonly entries: number;
  /** Periods whose last entry about the broker is this one. */
  readonly ends: readonly Period[];
  /**
   * Number of the first entry about a review that holds from its own time on. Earlier ones, with the cause `start`,
   * always hold.
   */
  readonly dated?: number;
  readonly sums: Sums;
}

/** Maximum number of entries about a broker between two subtotals, even within a day. */
export const MOST_BETWEEN = 128;

const ALL = Object.keys(PERIOD_LENGTHS) as Period[];

/** Returns the periods that end between two entries. */
const listEndedPeriods = (before: Pick<Subtotal, 'time'>, entry: RecordedEntry): Period[] =>
  ALL.filter((period) => toPeriod(before, period) !== toPeriod(entry, period));

/**
 * Continues the last subtotal of a broker with its next entries, by number. Returns the last subtotal in its final form
 * if it is settled, all further ones, and a new last one.
 * @param findFormer returns the entry of the same key before this one, if there is one
 */
export const foldEntries = (
  last: Subtotal | undefined,
  entries: readonly RecordedEntry[],
  findFormer: (entry: RecordedEntry) => RecordedEntry | undefined,
): Subtotal[] => {
  const settled: Subtotal[] = [];
  let open = last;
  let dated = last?.dated;
  const sums: Sums = new Map(last?.sums);
  for (const entry of entries) {
    const ends = open ? listEndedPeriods(open, entry) : [];
    const isFull = open !== undefined && (ends.length > 0 || open.entries >= MOST_BETWEEN);
    if (open && isFull) settled.push({ ...open, ends, sums: new Map(sums) });
    if (entry.kind === 'review') {
      countReview(sums, findFormer(entry), -1);
      countReview(sums, entry, 1);
      if (entry.cause !== 'start') dated ??= entry.number;
    }
    const { subject, number, time } = entry;
    const count = open && !isFull ? open.entries + 1 : 1;
    open = { subject, number, time, entries: count, ends: ALL, ...(dated !== undefined && { dated }), sums };
  }
  return open ? [...settled, open] : [];
};
