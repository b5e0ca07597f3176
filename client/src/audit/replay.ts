import {
  addComplaintMonths,
  type BrokerValue,
  type ComplaintsValue,
  computeValidFrom,
  type DayValue,
  type DisputeValue,
  type Entry,
  type EntryValues,
  entryAt,
  type LicenseValue,
  parseEntryKey,
  type RatedFacts,
  type RegulatorValue,
  type ReviewValue,
  scoreFromRecord,
  type WarningValue,
} from '@broker-transparency/contract/record';
import { packReview, unpackReview } from './packed-review.ts';
import type { RecordState, ReplayedBroker } from './record-state.ts';
import { type DayRow, toDayRow } from './scored-day.ts';
import { findSteadyEnd, type SteadyScore } from './steady.ts';
import { exact, isScored, isShown, trimmed } from './values.ts';

type RatedMonth = RatedFacts['ratingsByMonth'][number];

/** An entry that may hold now or later. */
type CandidateEntry = Pick<Entry, 'number' | 'time' | 'cause' | 'validFrom' | 'validTo' | 'value'>;

/** The state of a key. It is small, because a log has as many keys as facts. */
interface KeyState {
  readonly kind: Entry['kind'];
  /** The first part of its name after the kind; nothing for a review. */
  readonly about: string;
  /** The published value, apart from `only`. */
  value: Entry['value'];
  /** Entries that can win later, with the current winner; absent if only `value` can win. */
  held: readonly CandidateEntry[] | undefined;
  /**
   * Number of the only entry while it does not count yet, otherwise -1. It counts from the next day at the latest, so
   * that `value` is enough. A new log has as many such keys as facts.
   */
  only: number;
}

/** The state of a broker at the time that the replay has reached. */
interface BrokerState {
  readonly name: string;
  /** Number of the broker, in the order in which brokers became known. */
  readonly number: number;
  value: BrokerValue | null;
  licenses: readonly KeyState[];
  warnings: readonly KeyState[];
  /** Sums of published reviews. */
  months: readonly RatedMonth[];
  complaints: ComplaintsValue | null;
  /** All this as a score takes it; absent after a change. */
  facts: RatedFacts | undefined;
  /** Score on the last day. */
  row: DayRow | undefined;
  /** The last day on which its score is the same if nothing else changes, as Unix milliseconds. */
  steadyUntil: number;
}

const NO_STARS = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } as const;

/**
 * Returns sums with those of one month more. Lists are replaced and do not grow: V8 gives a list that does much room.
 */
const addMonth = (months: readonly RatedMonth[], more: Omit<RatedMonth, 'distribution'>): readonly RatedMonth[] => {
  const at = months.findIndex(({ month }) => month === more.month);
  const known = months[at];
  const sums = {
    month: more.month,
    count: (known?.count ?? 0) + more.count,
    sum: (known?.sum ?? 0) + more.sum,
    sumOfSquares: (known?.sumOfSquares ?? 0) + more.sumOfSquares,
    distribution: NO_STARS, // no score needs it
  };
  if (sums.count === 0) return months.filter((one) => one !== known);
  return known ? months.map((one) => (one === known ? sums : one)) : [...months, sums];
};

/** Returns sums with a review more in its month, or with -1 one less. */
const countReview = (months: readonly RatedMonth[], { rating, month }: ReviewValue, sign: 1 | -1) => {
  const hundredths = Math.round(rating * 100);
  return addMonth(months, { month, count: sign, sum: sign * hundredths, sumOfSquares: sign * hundredths * hundredths });
};

const addMonths = (all: readonly (readonly RatedMonth[])[]): readonly RatedMonth[] => {
  const [first = [], ...others] = all;
  return others.flat().reduce(addMonth, first);
};

/** Returns the published value of a key without kept entries, as an entry before all others. */
const toSettledEntry = (value: Entry['value'], number: number): CandidateEntry => ({
  number,
  time: '1970-01-01T00:00:00.000Z',
  cause: 'start',
  value,
});

/** @param value the part that scores need */
const toCandidate = ({ number, cause, validFrom, validTo, time }: Entry, value: Entry['value']): CandidateEntry => ({
  number,
  time,
  cause,
  value,
  ...(validFrom === undefined ? {} : { validFrom }),
  ...(validTo === undefined ? {} : { validTo }),
});

const DAY_MS = 86_400_000;

const midnight = (date: string): string => `${date}T00:00:00.000Z`;

const bySlug = ({ row: one }: BrokerState, { row: other }: BrokerState): number => {
  const [a, b] = [one?.slug ?? '', other?.slug ?? ''];
  return a === b ? 0 : a < b ? -1 : 1;
};

const listValues = <T>(all: readonly KeyState[]): readonly T[] =>
  exact(all.flatMap(({ value, only }) => (value === null || only >= 0 ? [] : [value as T])));

/**
 * Returns the current slug of each broker by every name that it had. Keys come last, since they are nobody else's.
 */
const listSlugsByName = (published: readonly BrokerState[]): Map<string, string> => {
  const all = published.flatMap(({ value }) => (value === null ? [] : [value]));
  const names = all.flatMap(({ slug, predecessors = [] }) =>
    predecessors.map((former) => [former.slug, slug] as const),
  );
  const keyed = published.flatMap(({ name, value }) =>
    value === null ? [] : [name, ...(value.merged ?? [])].map((key) => [key, value.slug] as const),
  );
  return new Map([...names, ...all.map(({ slug }) => [slug, slug] as const), ...keyed]);
};

/** Creates the brokers of a replay: what is published about each, and its score. */
const createBrokerStates = () => {
  const brokers = new Map<string, BrokerState>();
  const names: string[] = [];
  /** Brokers by the slug that they had on the last day. */
  const order: BrokerState[] = [];
  const tiers = new Map<string, number>();

  const ensureBroker = (name: string): BrokerState => {
    const known = brokers.get(name);
    if (known) return known;
    const made: BrokerState = {
      name,
      number: names.push(name) - 1,
      value: null,
      licenses: [],
      warnings: [],
      months: [],
      complaints: null,
      facts: undefined,
      row: undefined,
      steadyUntil: 0,
    };
    brokers.set(name, made);
    order.push(made);
    return made;
  };
  /** Has scores computed again: of all brokers, or of those with a licence of a regulator. */
  const invalidateScores = (code?: string): void => {
    const isOfRegulator = ({ value }: KeyState): boolean => (value as LicenseValue | null)?.regulator === code;
    for (const broker of order) if (code === undefined || broker.licenses.some(isOfRegulator)) broker.steadyUntil = 0;
  };
  const countPublished = (value: Entry['value'], sign: 1 | -1): void => {
    const review = value as ReviewValue | null;
    if (review?.state !== 'published') return;
    const broker = ensureBroker(review.broker);
    broker.months = countReview(broker.months, review, sign);
    broker.facts = undefined;
  };
  /** Takes over that something else is published under a key than before. */
  const applyChange = (key: KeyState, before: Entry['value']): void => {
    const { kind, value } = key;
    if (kind === 'regulator') {
      if (value === null) tiers.delete(key.about);
      else tiers.set(key.about, (value as RegulatorValue).tier);
      invalidateScores(key.about);
    } else if (kind === 'review') {
      countPublished(before, -1);
      countPublished(value, 1);
    } else if (isScored(kind)) {
      const broker = ensureBroker(key.about);
      if (kind === 'broker') broker.value = value as BrokerValue | null;
      if (kind === 'complaints') broker.complaints = value as ComplaintsValue | null;
      broker.facts = undefined;
    }
  };
  const collectFacts = (broker: BrokerState): RatedFacts | undefined => {
    const { value } = broker;
    if (value === null) return undefined;
    const { merged } = value;
    if (broker.facts && merged === undefined) return broker.facts;
    const written = [broker, ...(merged ?? []).flatMap((one) => brokers.get(one) ?? [])];
    broker.facts = {
      broker: value,
      licenses: listValues<LicenseValue>(broker.licenses),
      warnings: listValues<WarningValue>(broker.warnings),
      tiers,
      ratingsByMonth: addMonths(written.map(({ months }) => months)),
      complaintsByMonth: exact(addComplaintMonths(written.flatMap(({ complaints }) => complaints?.months ?? []))),
    };
    return broker.facts;
  };
  const computeRow = (broker: BrokerState, version: string, at: number): DayRow | undefined => {
    if (broker.facts && at <= broker.steadyUntil) return broker.row;
    const facts = collectFacts(broker);
    if (!facts) return undefined;
    const scoreAt = (time: string): SteadyScore => scoreFromRecord(facts, version, time);
    const score = scoreAt(new Date(at).toISOString());
    const isKept = facts.broker.merged === undefined; // of merged brokers it is not known when they change
    broker.steadyUntil = isKept ? findSteadyEnd(score, facts, scoreAt) : 0;
    return toDayRow(facts.broker.slug, score.value, score.color, broker.row);
  };

  return {
    order,
    ensureBroker,
    invalidateScores,
    applyChange,
    collectFacts,
    computeRow,
    findBroker: (name: string): BrokerState | undefined => brokers.get(name),
    findBrokerName: (broker: string): string => brokers.get(broker)?.name ?? broker,
    nameAt: (number: number): string => names[number] as string,
  };
};

/** Decides whether the whole value of an entry is kept. */
type WatchedEntries = (entry: Pick<Entry, 'key' | 'kind'>) => boolean;

/** Creates the keys of a replay: the published value of each, and the entries that can still win. */
const createKeyStates = (states: ReturnType<typeof createBrokerStates>, isWatched: WatchedEntries) => {
  const { ensureBroker, applyChange } = states;
  /** The state of each key. A review that only another entry can change is packed into a number. */
  const keys = new Map<string, KeyState | number>();

  /**
   * Finds the published value of a key at two times, and drops entries that can never win again. Returns true if the
   * value may change.
   */
  const settleKey = (key: KeyState, through: number, validAt: string): boolean => {
    if (key.only >= through) return true;
    if (key.only >= 0) {
      key.only = -1;
      if (key.value !== null) applyChange(key, null);
      return false;
    }
    const [at, all] = [Date.parse(validAt), key.held ?? []];
    const winner = entryAt(all, { knownAt: through - 1, validAt });
    const before = key.value;
    key.value = winner?.value ?? null;
    if (key.value !== before) applyChange(key, before);
    const isPending = (one: CandidateEntry): boolean => one.number >= through || computeValidFrom(one) > at;
    const canEnd = all.some(({ validTo }) => validTo !== undefined);
    const left = canEnd ? all : all.filter((one) => one === winner || isPending(one));
    const isOpen = canEnd || left.some(isPending);
    key.held = isOpen ? left : undefined;
    return isOpen;
  };
  const pack = (name: string, { kind, value }: KeyState): void => {
    if (kind !== 'review' || value === null || isWatched({ key: name, kind })) return;
    const review = value as ReviewValue;
    const packed = packReview(review, ensureBroker(review.broker).number);
    if (packed !== undefined) keys.set(name, packed);
  };
  const unpack = (packed: number): ReviewValue => unpackReview(packed, states.nameAt);
  /** Returns the state of a key. */
  const findKey = (name: string): KeyState | undefined => {
    const known = keys.get(name);
    if (typeof known !== 'number') return known;
    const value = unpack(known);
    const key: KeyState = { kind: 'review', about: '', value, held: undefined, only: -1 };
    keys.set(name, key);
    return key;
  };
  const addKey = (name: string, kind: Entry['kind']): KeyState => {
    const about = kind === 'review' ? '' : (parseEntryKey(name)[1] as string); // what a review is about is in its value
    const isOfBroker = isScored(kind) && kind !== 'review' && kind !== 'regulator';
    const key: KeyState = {
      kind,
      about: isOfBroker ? ensureBroker(about).name : about,
      value: null,
      held: undefined,
      only: -1,
    };
    keys.set(name, key);
    const broker = states.findBroker(about);
    if (broker && kind === 'license') broker.licenses = [...broker.licenses, key];
    if (broker && kind === 'warning') broker.warnings = [...broker.warnings, key];
    return key;
  };
  const reviewsAbout: RecordState['reviewsAbout'] = (wanted) => {
    const found = new Map([...wanted].map((key): [string, ReviewValue[]] => [key, []]));
    for (const known of keys.values()) {
      if (typeof known !== 'number' && known.kind !== 'review') continue;
      const review = typeof known === 'number' ? unpack(known) : (known.value as ReviewValue | null);
      if (review !== null && isShown(review)) found.get(review.broker)?.push(review);
    }
    return found;
  };

  return { settleKey, pack, findKey, addKey, reviewsAbout };
};

/**
 * Replays entries, and computes the scores of days from them.
 * @param isWatched whether the whole value of an entry is kept, and not only the part that scores need
 */
export const createReplay = (isWatched: WatchedEntries = () => false) => {
  const states = createBrokerStates();
  const { order, collectFacts, computeRow } = states;
  const { settleKey, pack, findKey, addKey, reviewsAbout } = createKeyStates(states, isWatched);
  const methodologies: { readonly number: number; readonly version: string }[] = [];
  /** The beginning of the next day whose scores can be asked for. */
  let due: number | undefined;
  let versionBefore: string | undefined;
  const disputes = new Map<string, DisputeValue>();
  /** Keys for which another entry may win at the next time. */
  let open: string[] = [];

  /** Finds what is published at two times. */
  const advanceTo = (through: number, validAt: string): void => {
    const all = open;
    open = [];
    for (const name of all) {
      const key = findKey(name) as KeyState;
      if (settleKey(key, through, validAt)) open.push(name);
      else pack(name, key);
    }
  };

  return {
    /** Takes the next entry. @throws TypeError if its value has another form than its kind */
    add: (entry: Entry): void => {
      const { key: name, kind, number, value } = entry;
      if (kind === 'methodology' && value !== null)
        methodologies.push({ number, version: (value as EntryValues['methodology']).version });
      if (kind === 'dispute' && value === null) disputes.delete(name);
      else if (kind === 'dispute') disputes.set(name, value as DisputeValue);
      const isWhole = isWatched(entry);
      if (!isScored(kind) && !isWhole) return;
      due ??= Date.parse(midnight(entry.time.slice(0, 10))) + DAY_MS;
      const part = trimmed(entry, states.findBrokerName);
      const held = toCandidate(entry, isWhole ? value : part);
      const known = findKey(name);
      const key = known ?? addKey(name, kind);
      const isOpen = key.held !== undefined || key.only >= 0;
      if (!known && held.validTo === undefined && computeValidFrom(held) <= due) {
        key.value = held.value;
        key.only = number;
      } else {
        const others = key.held ?? (known ? [toSettledEntry(key.value, Math.max(key.only, 0))] : []);
        if (key.only >= 0) key.value = null;
        key.only = -1;
        key.held = [...others, held];
      }
      if (!isOpen) open.push(name);
    },
    /**
     * Returns the scores of all brokers on a day, ordered by slug. Days must be asked for in order.
     * @throws RangeError if the record has no methodology, or one that this package does not know
     */
    scoresOn: ({ date, through }: Pick<DayValue, 'date' | 'through'>): DayRow[] => {
      const validAt = midnight(date);
      advanceTo(through, validAt);
      const at = Date.parse(validAt);
      due = at + DAY_MS;
      const version = (methodologies.findLast(({ number }) => number < through) ?? methodologies[0])?.version;
      if (version === undefined) throw new RangeError('no entry says by which methodology scores are computed');
      if (version !== versionBefore) states.invalidateScores();
      versionBefore = version;
      for (const broker of order) broker.row = computeRow(broker, version, at);
      order.sort(bySlug); // they are in the order of the day before, so that this compares little more than neighbours
      return order.flatMap(({ row }) => row ?? []);
    },
    /** Returns the state of the record at a time, and ends the replay. */
    knownAt: (validAt: string): RecordState => {
      advanceTo(Number.MAX_SAFE_INTEGER, validAt);
      const published = order.filter(({ value }) => value !== null);
      const slugs = listSlugsByName(published);
      const known = published.map((broker): ReplayedBroker => {
        return { key: broker.name, facts: collectFacts(broker) as RatedFacts, complaints: broker.complaints };
      });
      return {
        brokers: new Map(known.map((one) => [one.facts.broker.slug, one])),
        findValue: (key) => findKey(key)?.value,
        findSlug: (name) => slugs.get(name),
        reviewsAbout,
        disputes,
        versions: methodologies.map(({ version }) => version),
      };
    },
  };
};
