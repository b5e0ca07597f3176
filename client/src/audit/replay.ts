import {
  addComplaintMonths,
  type BrokerValue,
  beginOf,
  type ComplaintsValue,
  type DayValue,
  type Entry,
  type EntryValues,
  entryAt,
  type LicenseValue,
  partsOfKey,
  type RatedFacts,
  type RegulatorValue,
  type ReviewValue,
  scoreOf,
  type WarningValue,
} from '@broker-transparency/contract/record';

type RatingMonth = RatedFacts['ratingsByMonth'][number];

/** An entry that holds, or may hold later. */
type Held = Pick<Entry, 'number' | 'time' | 'cause' | 'validFrom' | 'validTo' | 'value'>;

/** The entries of a key that can still win, and the one that does. */
interface Key {
  readonly kind: Entry['kind'];
  readonly broker: string;
  held: Held[];
  winner: Held | undefined;
}

/** Everything that the record says of a broker at the time that the replay has reached. */
interface Broker {
  value: BrokerValue | null;
  readonly licenses: Map<string, LicenseValue>;
  readonly warnings: Map<string, WarningValue>;
  readonly months: Map<string, RatingMonth>;
  complaints: ComplaintsValue | null;
}

/** A broker among the scores of a day, in the form of the day's leaves. */
export type DayRow = readonly [slug: string, value: number | null, color: string];

const NO_STARS = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } as const;

/** Adds a review to the sums of its month, or with -1 removes it. */
const count = (months: Map<string, RatingMonth>, { rating, month }: ReviewValue, sign: 1 | -1): void => {
  const hundredths = Math.round(rating * 100);
  const known = months.get(month);
  const sums = {
    month,
    count: (known?.count ?? 0) + sign,
    sum: (known?.sum ?? 0) + sign * hundredths,
    sumOfSquares: (known?.sumOfSquares ?? 0) + sign * hundredths * hundredths,
    distribution: NO_STARS, // no score needs it
  };
  if (sums.count === 0) months.delete(month);
  else months.set(month, sums);
};

const addMonths = (all: readonly ReadonlyMap<string, RatingMonth>[]): RatingMonth[] => {
  if (all.length === 1) return [...(all[0] as ReadonlyMap<string, RatingMonth>).values()];
  const sums = new Map<string, RatingMonth>();
  for (const months of all)
    for (const { month, count: more, sum, sumOfSquares, distribution } of months.values()) {
      const known = sums.get(month);
      sums.set(month, {
        month,
        count: (known?.count ?? 0) + more,
        sum: (known?.sum ?? 0) + sum,
        sumOfSquares: (known?.sumOfSquares ?? 0) + sumOfSquares,
        distribution,
      });
    }
  return [...sums.values()];
};

/** The part of a value that a score needs, so that a year of changes fits into memory. */
const trimmed = (kind: Entry['kind'], value: Entry['value']): Entry['value'] => {
  if (value === null || kind !== 'broker') return value;
  const { slug, name, status, checked, entities, checklist, merged } = value as BrokerValue;
  return { slug, name, status, checked, entities, checklist, merged };
};

const SCORED: ReadonlySet<string> = new Set(['broker', 'license', 'warning', 'review', 'complaints', 'regulator']);

/** Replays entries, and computes the scores of days from them. */
export const createReplay = () => {
  const keys = new Map<string, Key>();
  const brokers = new Map<string, Broker>();
  const tiers = new Map<string, number>();
  const methodologies: { readonly number: number; readonly version: string }[] = [];
  /** Keys whose winner may be another one at the next time. */
  let open = new Set<string>();
  let entriesLeft: Entry[] = [];

  const brokerOf = (name: string): Broker => {
    const known = brokers.get(name);
    if (known) return known;
    const made = { value: null, licenses: new Map(), warnings: new Map(), months: new Map(), complaints: null };
    brokers.set(name, made);
    return made;
  };
  const put = <T>(map: Map<string, T>, key: string, value: T | null): void => {
    if (value === null) map.delete(key);
    else map.set(key, value);
  };
  const apply: {
    readonly [K in Entry['kind']]?: (name: string, key: Key, was: Entry['value'], is: Entry['value']) => void;
  } = {
    broker: (_, { broker }, _was, is) => {
      brokerOf(broker).value = is as BrokerValue | null;
    },
    license: (name, { broker }, _was, is) => put(brokerOf(broker).licenses, name, is as LicenseValue | null),
    warning: (name, { broker }, _was, is) => put(brokerOf(broker).warnings, name, is as WarningValue | null),
    complaints: (_, { broker }, _was, is) => {
      brokerOf(broker).complaints = is as ComplaintsValue | null;
    },
    review: (_, _key, was, is) => {
      for (const [value, sign] of [
        [was, -1],
        [is, 1],
      ] as const)
        if ((value as ReviewValue | null)?.state === 'published') {
          const review = value as ReviewValue;
          count(brokerOf(review.broker).months, review, sign);
        }
    },
    regulator: (_, { broker: code }, _was, is) => put(tiers, code, (is as RegulatorValue | null)?.tier ?? null),
  };

  /** Finds the winner of a key at a time, and forgets what can never win again. */
  const settle = (name: string, key: Key, validAt: string): void => {
    const at = Date.parse(validAt);
    const winner = entryAt(key.held, { knownAt: Number.MAX_SAFE_INTEGER, validAt });
    if (winner !== key.winner) apply[key.kind]?.(name, key, key.winner?.value ?? null, winner?.value ?? null);
    key.winner = winner;
    const canEnd = key.held.some(({ validTo }) => validTo !== undefined);
    if (!canEnd) key.held = key.held.filter((one) => one === winner || beginOf(one) > at);
    if (canEnd || key.held.some((one) => beginOf(one) > at)) open.add(name);
  };

  const take = (entry: Entry): void => {
    const { key: name, kind, number, time, cause, validFrom, validTo, value } = entry;
    if (kind === 'methodology') {
      if (value !== null) methodologies.push({ number, version: (value as EntryValues['methodology']).version });
      return;
    }
    if (!SCORED.has(kind)) return;
    const known = keys.get(name) ?? { kind, broker: partsOfKey(name)[1] as string, held: [], winner: undefined };
    known.held.push({
      number,
      time,
      cause,
      value: trimmed(kind, value),
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validTo === undefined ? {} : { validTo }),
    });
    keys.set(name, known);
    open.add(name);
  };

  const factsOf = (name: string, { value, licenses, warnings }: Broker): RatedFacts | undefined => {
    if (value === null) return undefined;
    const written = [name, ...(value.merged ?? [])].flatMap((one) => brokers.get(one) ?? []);
    return {
      broker: value,
      licenses: [...licenses.values()],
      warnings: [...warnings.values()],
      tiers,
      ratingsByMonth: addMonths(written.map(({ months }) => months)),
      complaintsByMonth: addComplaintMonths(written.flatMap(({ complaints }) => complaints?.months ?? [])),
    };
  };
  const rowOf = (facts: RatedFacts, version: string, validAt: string): DayRow => {
    const { value, color } = scoreOf(facts, version, validAt);
    return [facts.broker.slug, value, color];
  };
  /** Takes the entries below a number, and finds who wins at a time. */
  const moveTo = (through: number, validAt: string): void => {
    for (const entry of entriesLeft) if (entry.number < through) take(entry);
    entriesLeft = entriesLeft.filter(({ number }) => number >= through);
    const settled = open;
    open = new Set();
    for (const name of settled) settle(name, keys.get(name) as Key, validAt);
  };

  return {
    /** Takes the next entry. */
    add: (entry: Entry): void => {
      entriesLeft.push(entry);
    },
    /**
     * Returns the scores of all brokers on a day, ordered by slug. Days must be asked for in order.
     * @throws RangeError if the record has no methodology, or one that this package does not know
     */
    scoresOn: ({ date, through }: Pick<DayValue, 'date' | 'through'>): DayRow[] => {
      const validAt = `${date}T00:00:00.000Z`;
      moveTo(through, validAt);
      const version = (methodologies.findLast(({ number }) => number < through) ?? methodologies[0])?.version;
      if (version === undefined) throw new RangeError('no entry says by which methodology scores are computed');
      const rows: DayRow[] = [];
      for (const [name, broker] of brokers) {
        const facts = factsOf(name, broker);
        if (facts) rows.push(rowOf(facts, version, validAt));
      }
      return rows.sort(([a], [b]) => (a < b ? -1 : 1));
    },
    /** Returns what the record says at a time of every published broker, by slug. The replay ends with it. */
    factsAt: (validAt: string): Map<string, RatedFacts> => {
      moveTo(Number.MAX_SAFE_INTEGER, validAt);
      const all = [...brokers].flatMap(([name, broker]) => factsOf(name, broker) ?? []);
      return new Map(all.map((facts) => [facts.broker.slug, facts]));
    },
  };
};
