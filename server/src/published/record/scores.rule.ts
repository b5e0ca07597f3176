import type { ComplaintMonth, RatingMonth, Score } from '@broker-transparency/contract';
import {
  addComplaintMonths,
  type BrokerValue,
  type ComplaintsValue,
  type EntryKind,
  type EntryTimes,
  entryAt,
  entryKey,
  type LicenseValue,
  type QueryTimes,
  type ReviewValue,
  ratingMonths,
  scoreFromRecord,
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

/** Returns whether an entry can change a score. Comparisons with registers and disputes are recorded but not scored. */
export const canChangeScore = ({ kind }: Pick<RecordedEntry, 'kind'>): boolean =>
  kind !== 'check' && kind !== 'dispute';

const isFact = (entry: RecordedEntry): boolean => !isReview(entry);

const parsed = new WeakMap<RecordedEntry, unknown>();

/** Returns the value of an entry. Each value is parsed once. */
export const parseValue = (entry: RecordedEntry): unknown => {
  if (!parsed.has(entry)) parsed.set(entry, JSON.parse(entry.value));
  return parsed.get(entry);
};

/** An entry in force, with its value. */
export interface Winner {
  readonly kind: EntryKind;
  readonly entry: RecordedEntry;
  readonly value: unknown;
}

/** Returns the value of each key in force at two times, without unpublished keys. */
export const findWinners = (entries: readonly RecordedEntry[], times: QueryTimes): Winner[] =>
  [...Map.groupBy(entries, ({ key }) => key).values()].flatMap((own) => {
    const winner = entryAt(own, times);
    const value = winner && parseValue(winner);
    return winner && value !== null ? [{ kind: winner.kind, entry: winner, value }] : [];
  });

const selectKind = <T>(values: readonly Winner[], kind: EntryKind): T[] =>
  values.filter((one) => one.kind === kind).map(({ value }) => value as T);

/** Adds up the complaints in these values. */
export const sumComplaints = (values: readonly Winner[]): ComplaintMonth[] =>
  addComplaintMonths(selectKind<ComplaintsValue>(values, 'complaints').flatMap(({ months }) => months));

/** Recorded facts about a broker and the regulators. */
export interface RecordedFacts {
  /** Entries about the broker; those about reviews are ignored. */
  readonly own: readonly RecordedEntry[];
  /** Entries about brokers that were ever merged into it. */
  readonly merged: readonly RecordedEntry[];
  /** Returns the published reviews about these brokers, summed up by month. */
  readonly sumRatings: (subjects: readonly string[]) => readonly RatingMonth[];
  readonly tiers: ReadonlyMap<string, number>;
  /** The methodology in force. */
  readonly version: string;
}

/** Returns the published broker at two times; undefined if there is none. */
export const findBrokerAt = (own: readonly RecordedEntry[], times: QueryTimes): BrokerValue | undefined =>
  selectKind<BrokerValue>(findWinners(own, times), 'broker')[0];

/** A broker at two times, with its score. */
export interface ScoredBroker {
  readonly slug: string;
  readonly score: Score;
  /** Entries in force of the broker and of those merged into it, without reviews. */
  readonly winners: readonly Winner[];
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

/** Returns the keys of the brokers that are merged into this one, which are the subjects of their entries. */
export const listMergedSubjects = ({ merged = [] }: BrokerValue): Set<string> =>
  new Set(merged.map((one) => entryKey('broker', one)));

/** Everything that determines the score of a broker. */
interface ScoreInput extends Pick<RecordedFacts, 'tiers' | 'version'> {
  readonly broker: BrokerValue;
  /** Published facts of the broker itself. */
  readonly values: readonly Winner[];
  readonly ratingsByMonth: readonly RatingMonth[];
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

/** Computes the score of a broker at a time. */
export const computeScore = ({ values, version, ...counted }: ScoreInput, validAt: string): Score =>
  scoreFromRecord(
    {
      ...counted,
      licenses: selectKind<LicenseValue>(values, 'license'),
      warnings: selectKind<WarningValue>(values, 'warning'),
    },
    version,
    validAt,
  );

/** Returns a function that sums up the reviews in force at two times, from all entries about them. */
export const createRatingSums = (entries: readonly RecordedEntry[], times: QueryTimes): RecordedFacts['sumRatings'] => {
  const all = entries.filter(isReview);
  return (subjects) => {
    const counted = all.filter(({ subject }) => subjects.includes(subject));
    const reviews = selectKind<ReviewValue>(findWinners(counted, times), 'review');
    return ratingMonths(reviews.filter(({ state }) => state === 'published'));
  };
};

/** Recorded facts of a broker at two times, without reviews. */
interface RecordBroker
  extends Pick<ScoredBroker, 'winners' | 'complaintsByMonth'>,
    Pick<ScoreInput, 'broker' | 'values'> {
  /** Keys of the broker and of those merged into it. */
  readonly subjects: readonly string[];
}

/** Returns the recorded facts of a broker at two times, without reviews; undefined if it is not published. */
export const findKnownBroker = (
  { own, merged }: Pick<RecordedFacts, 'own' | 'merged'>,
  times: QueryTimes,
): RecordBroker | undefined => {
  const values = findWinners(own.filter(isFact), times);
  const [profile] = values.filter(({ kind }) => kind === 'broker');
  if (!profile) return undefined;
  const broker = profile.value as BrokerValue;
  const counted = listMergedSubjects(broker);
  const ofMerged = merged.filter((entry) => isFact(entry) && counted.has(entry.subject));
  const winners = [...values, ...findWinners(ofMerged, times)];
  return {
    broker,
    values,
    winners,
    complaintsByMonth: sumComplaints(winners),
    subjects: [profile.entry.subject, ...counted],
  };
};

/** Computes the score of a known broker at a time. */
export const scoreKnown = (
  { winners, subjects, ...known }: RecordBroker,
  { sumRatings, tiers, version }: Pick<RecordedFacts, 'sumRatings' | 'tiers' | 'version'>,
  validAt: string,
): ScoredBroker => {
  const ratingsByMonth = sumRatings(subjects);
  const score = computeScore({ ...known, tiers, version, ratingsByMonth }, validAt);
  const { broker, complaintsByMonth } = known;
  return { slug: broker.slug, score, winners, ratingsByMonth, complaintsByMonth };
};

/** Returns the recorded facts of a broker at two times, with its score; undefined if it is not published. */
export const scoreAt = (recorded: RecordedFacts, times: QueryTimes): ScoredBroker | undefined => {
  const known = findKnownBroker(recorded, times);
  return known && scoreKnown(known, recorded, times.validAt);
};
