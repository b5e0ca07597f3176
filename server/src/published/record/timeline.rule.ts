import { type BrokerValue, entryAt, type QueryTimes } from '@broker-transparency/contract/record';
import {
  computeScore,
  listMergedSubjects,
  parseValue,
  type RecordedEntry,
  type RecordedFacts,
  sumComplaints,
  type Winner,
} from './scores.rule.ts';
import { addSums, countReview, type Subtotal, type Sums } from './subtotals.rule.ts';

/** Facts about a broker and those merged into it, updated entry by entry. */
export interface Timeline {
  /** Adds the entry with the next number. */
  readonly add: (entry: RecordedEntry) => void;
  /** Adds a review that is counted in a subtotal, so that a later entry of the review can replace it. */
  readonly know: (review: RecordedEntry) => void;
  /** Starts from a subtotal in place of all entries about reviews of its broker up to its number. */
  readonly begin: (subtotal: Subtotal) => void;
  /** Returns the score after the last entry, at its time; undefined if the broker is not published then. */
  readonly score: (
    common: Pick<RecordedFacts, 'tiers' | 'version'>,
    times: QueryTimes,
  ) => ReturnType<typeof computeScore> | undefined;
}

/**
 * Follows a broker through its entries. Each entry changes the sums of reviews by month, so that a score costs the same
 * for any number of reviews. At the time of an entry all earlier ones have begun to hold: the last one of a key wins,
 * unless it has ended.
 */
export const createTimeline = (subject: string): Timeline => {
  /** The winning entry of each key; undefined if all of its entries have ended. */
  const facts = new Map<string, RecordedEntry | undefined>();
  const reviews = new Map<string, RecordedEntry | undefined>();
  /** Sums of published reviews, by the broker that they were written about. */
  const ratings = new Map<string, Sums>();
  /** All entries of keys with an end. */
  const ending = new Map<string, RecordedEntry[]>();

  const count = (entry: RecordedEntry | undefined, sign: 1 | -1): void => {
    if (!entry) return;
    const sums: Sums = ratings.get(entry.subject) ?? new Map();
    ratings.set(entry.subject, sums);
    countReview(sums, entry, sign);
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
  const settle = (times: QueryTimes): void => {
    for (const [key, entries] of ending) put(key, (entries[0] as RecordedEntry).kind, entryAt(entries, times));
  };
  /** Returns the values of the selected brokers. */
  const listWinners = (isAsked: (subject: string) => boolean): Winner[] =>
    [...facts.values()].flatMap((entry) => {
      const value = entry && isAsked(entry.subject) ? parseValue(entry) : null;
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
    know: (review) => {
      reviews.set(review.key, review);
    },
    begin: (subtotal) => {
      ratings.set(subtotal.subject, new Map(subtotal.sums));
    },
    score: (common, times) => {
      settle(times);
      const values = listWinners((one) => one === subject);
      const broker = values.find(({ kind }) => kind === 'broker')?.value as BrokerValue | undefined;
      if (!broker) return undefined;
      const merged = listMergedSubjects(broker);
      const ratingsByMonth = addSums([subject, ...merged].flatMap((one) => ratings.get(one) ?? []));
      const complaintsByMonth = sumComplaints(listWinners((one) => one === subject || merged.has(one)));
      return computeScore({ ...common, broker, values, ratingsByMonth, complaintsByMonth }, times.validAt);
    },
  };
};

/** Input of a timeline, in any order. */
export interface Course {
  readonly entries: readonly RecordedEntry[];
  readonly subtotals: readonly Subtotal[];
  /** Entries of reviews that are counted in subtotals, and were replaced later. */
  readonly former: readonly RecordedEntry[];
}

/** Returns a function that advances the timeline of a broker to a number. Numbers must not decrease. */
export const followCourse = (subject: string, { entries, subtotals, former }: Course) => {
  const timeline = createTimeline(subject);
  for (const review of former) timeline.know(review);
  const steps = [
    ...entries.map((entry) => ({ number: entry.number, take: () => timeline.add(entry) })),
    ...subtotals.map((one) => ({ number: one.number, take: () => timeline.begin(one) })), // after the entry
  ].sort((a, b) => a.number - b.number);
  let at = 0;
  return (number: number): Timeline => {
    for (let next = steps[at]; next && next.number <= number; next = steps[++at]) next.take();
    return timeline;
  };
};
