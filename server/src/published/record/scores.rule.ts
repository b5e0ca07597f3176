import type { ComplaintMonth, RatingMonth, Score } from '@broker-transparency/contract';
import {
  type AsKnown,
  addComplaintMonths,
  type BrokerValue,
  type ComplaintsValue,
  type EntryKind,
  type EntryTimes,
  entryAt,
  entryKey,
  type LicenseValue,
  type ReviewValue,
  ratingMonths,
  scoreOf,
  type WarningValue,
} from '@broker-transparency/contract/record';
import type { ChangePlace } from '../../ledger/record/entry.rule.ts';

/** A numbered entry of the record. */
export interface RecordedEntry extends EntryTimes, ChangePlace {
  readonly key: string;
  readonly subject: string;
  readonly kind: EntryKind;
  /** Canonical JSON. */
  readonly value: string;
}

/** Returns whether an entry is about a review. */
export const isReview = ({ kind }: RecordedEntry): boolean => kind === 'review';
const isFact = (entry: RecordedEntry): boolean => !isReview(entry);

const parsed = new WeakMap<RecordedEntry, unknown>();

/** Returns the value of an entry. Each is parsed once. */
export const parsedValue = (entry: RecordedEntry): unknown => {
  if (!parsed.has(entry)) parsed.set(entry, JSON.parse(entry.value));
  return parsed.get(entry);
};

/** An entry that wins, with what it says. */
export interface Winner {
  readonly kind: EntryKind;
  readonly entry: RecordedEntry;
  readonly value: unknown;
}

/** Returns what the winning entry of each key says at two times, without keys of which nothing is published. */
export const valuesAt = (entries: readonly RecordedEntry[], times: AsKnown): Winner[] =>
  [...Map.groupBy(entries, ({ key }) => key).values()].flatMap((own) => {
    const winner = entryAt(own, times);
    const value = winner && parsedValue(winner);
    return winner && value !== null ? [{ kind: winner.kind, entry: winner, value }] : [];
  });

const ofKind = <T>(values: readonly Winner[], kind: EntryKind): T[] =>
  values.filter((one) => one.kind === kind).map(({ value }) => value as T);

/** Adds up the complaints that these values count. */
export const complaintsIn = (values: readonly Winner[]): ComplaintMonth[] =>
  addComplaintMonths(ofKind<ComplaintsValue>(values, 'complaints').flatMap(({ months }) => months));

/** What the record says of a broker and the regulators at two times. */
export interface Recorded {
  /** The entries about the broker; those about reviews are not looked at. */
  readonly own: readonly RecordedEntry[];
  /** The entries about brokers that were merged into it at any time. */
  readonly merged: readonly RecordedEntry[];
  /** Returns the published reviews about these brokers, summed up by month. */
  readonly sumRatings: (subjects: readonly string[]) => readonly RatingMonth[];
  readonly tiers: ReadonlyMap<string, number>;
  /** The methodology in force. */
  readonly version: string;
}

/** Returns what is published of a broker at two times; undefined if nothing is. */
export const brokerAt = (own: readonly RecordedEntry[], times: AsKnown): BrokerValue | undefined =>
  ofKind<BrokerValue>(valuesAt(own, times), 'broker')[0];

/** A broker as the record knows it at two times. */
export interface ScoredBroker {
  readonly slug: string;
  readonly score: Score;
  /** The entries that say so, of the brokers that were merged into it too, but for reviews. */
  readonly winners: readonly Winner[];
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

/** The keys of the brokers that are merged into this one, which are the subjects of their entries. */
export const subjectsMerged = ({ merged = [] }: BrokerValue): Set<string> =>
  new Set(merged.map((one) => entryKey('broker', one)));

/** Everything that a score of a broker follows from. */
interface Counted extends Pick<Recorded, 'tiers' | 'version'> {
  readonly broker: BrokerValue;
  /** What is published of the broker itself. */
  readonly values: readonly Winner[];
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

/** Scores a broker for a time. */
export const scoreCounted = ({ values, version, ...counted }: Counted, validAt: string): Score =>
  scoreOf(
    {
      ...counted,
      licenses: ofKind<LicenseValue>(values, 'license'),
      warnings: ofKind<WarningValue>(values, 'warning'),
    },
    version,
    validAt,
  );

/** Returns a function that sums up the reviews that win at two times, from all entries about them. */
export const ratingsIn = (entries: readonly RecordedEntry[], times: AsKnown): Recorded['sumRatings'] => {
  const all = entries.filter(isReview);
  return (subjects) => {
    const counted = all.filter(({ subject }) => subjects.includes(subject));
    const reviews = ofKind<ReviewValue>(valuesAt(counted, times), 'review');
    return ratingMonths(reviews.filter(({ state }) => state === 'published'));
  };
};

/** Everything that the record says of a broker at two times, but for reviews. */
interface KnownBroker extends Pick<ScoredBroker, 'winners' | 'complaintsByMonth'>, Pick<Counted, 'broker' | 'values'> {
  /** The keys of the broker and of those that are merged into it. */
  readonly subjects: readonly string[];
}

/** Returns what the record says of a broker at two times, but for reviews; undefined if nothing is published of it. */
export const findKnownBroker = (
  { own, merged }: Pick<Recorded, 'own' | 'merged'>,
  times: AsKnown,
): KnownBroker | undefined => {
  const values = valuesAt(own.filter(isFact), times);
  const [profile] = values.filter(({ kind }) => kind === 'broker');
  if (!profile) return undefined;
  const broker = profile.value as BrokerValue;
  const counted = subjectsMerged(broker);
  const ofMerged = merged.filter((entry) => isFact(entry) && counted.has(entry.subject));
  const winners = [...values, ...valuesAt(ofMerged, times)];
  return {
    broker,
    values,
    winners,
    complaintsByMonth: complaintsIn(winners),
    subjects: [profile.entry.subject, ...counted],
  };
};

/** Scores what is known of a broker for a time. */
export const scoreKnown = (
  { winners, subjects, ...known }: KnownBroker,
  { sumRatings, tiers, version }: Pick<Recorded, 'sumRatings' | 'tiers' | 'version'>,
  validAt: string,
): ScoredBroker => {
  const ratingsByMonth = sumRatings(subjects);
  const score = scoreCounted({ ...known, tiers, version, ratingsByMonth }, validAt);
  const { broker, complaintsByMonth } = known;
  return { slug: broker.slug, score, winners, ratingsByMonth, complaintsByMonth };
};

/** Returns what the record says of a broker at two times, with its score; undefined if nothing is published of it. */
export const scoreAt = (recorded: Recorded, times: AsKnown): ScoredBroker | undefined => {
  const known = findKnownBroker(recorded, times);
  return known && scoreKnown(known, recorded, times.validAt);
};
