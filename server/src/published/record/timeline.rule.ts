import type { RatingMonth } from '@broker-transparency/contract';
import {
  type AsKnown,
  type BrokerValue,
  entryAt,
  type ReviewValue,
  ratingMonths,
} from '@broker-transparency/contract/record';
import {
  complaintsIn,
  parsedValue,
  type Recorded,
  type RecordedEntry,
  scoreCounted,
  subjectsMerged,
  type Winner,
} from './scores.rule.ts';

/** Sums by month. */
type Sums = Map<string, RatingMonth>;

const STARS = [1, 2, 3, 4, 5] as const;

/** Adds a month to sums, or takes it away again. The numbers are whole, so nothing is left of what was taken away. */
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

const monthsOf = (sums: Sums): RatingMonth[] => [...sums.values()].sort((a, b) => (a.month < b.month ? -1 : 1));

/** What a review adds to the sums of its month; nothing unless it is published. */
const countedOf = (entry: RecordedEntry | undefined): RatingMonth | undefined => {
  const review = entry && (parsedValue(entry) as ReviewValue | null);
  return review?.state === 'published' ? ratingMonths([review])[0] : undefined;
};

/** What is published of a broker and of those that are merged into it, while their entries come by number. */
export interface Timeline {
  /** Takes the entry with the next number. */
  readonly add: (entry: RecordedEntry) => void;
  /** Returns the score after the last entry, at its time; undefined if nothing is published of the broker then. */
  readonly score: (
    common: Pick<Recorded, 'tiers' | 'version'>,
    times: AsKnown,
  ) => ReturnType<typeof scoreCounted> | undefined;
}

/**
 * Follows a broker through its entries. Each entry changes the sums of reviews by month, so that a score after an entry
 * costs as little for thousands of reviews as for none. At the time of an entry every one before it has begun to hold: the
 * last one of a key wins, unless it ended.
 */
export const createTimeline = (subject: string): Timeline => {
  /** The winning entry of each key; undefined where all of its entries ended. */
  const facts = new Map<string, RecordedEntry | undefined>();
  const reviews = new Map<string, RecordedEntry | undefined>();
  /** Sums of published reviews, by the broker that they were written about. */
  const ratings = new Map<string, Sums>();
  /** All entries of keys that have one with an end. */
  const ending = new Map<string, RecordedEntry[]>();

  const count = (entry: RecordedEntry | undefined, sign: 1 | -1): void => {
    const added = countedOf(entry);
    if (!entry || !added) return;
    const sums = ratings.get(entry.subject) ?? new Map<string, RatingMonth>();
    ratings.set(entry.subject, sums);
    addMonth(sums, added, sign);
  };
  const put = (key: string, kind: RecordedEntry['kind'], entry: RecordedEntry | undefined): void => {
    if (kind !== 'review') {
      facts.set(key, entry);
      return;
    }
    count(reviews.get(key), -1);
    count(entry, 1);
    reviews.set(key, entry);
  };
  const settle = (times: AsKnown): void => {
    for (const [key, entries] of ending) put(key, (entries[0] as RecordedEntry).kind, entryAt(entries, times));
  };
  /** Facts of these brokers. */
  const valuesOf = (isAsked: (subject: string) => boolean): Winner[] =>
    [...facts.values()].flatMap((entry) => {
      const value = entry && isAsked(entry.subject) ? parsedValue(entry) : null;
      return entry && value !== null ? [{ kind: entry.kind, entry, value }] : [];
    });

  return {
    add: (entry) => {
      const { key, kind } = entry;
      const before = (kind === 'review' ? reviews : facts).get(key);
      if (ending.has(key)) ending.get(key)?.push(entry);
      else if (entry.validTo !== undefined) ending.set(key, before ? [before, entry] : [entry]);
      put(key, kind, entry);
    },
    score: (common, times) => {
      settle(times);
      const values = valuesOf((one) => one === subject);
      const broker = values.find(({ kind }) => kind === 'broker')?.value as BrokerValue | undefined;
      if (!broker) return undefined;
      const merged = subjectsMerged(broker);
      const counted = [subject, ...merged].flatMap((one) => ratings.get(one) ?? []);
      const [first = new Map(), ...others] = counted;
      const sums: Sums = new Map(first);
      for (const other of others) for (const month of other.values()) addMonth(sums, month, 1);
      const complaintsByMonth = complaintsIn(valuesOf((one) => one === subject || merged.has(one)));
      return scoreCounted(
        { ...common, broker, values, ratingsByMonth: monthsOf(sums), complaintsByMonth },
        times.validAt,
      );
    },
  };
};
