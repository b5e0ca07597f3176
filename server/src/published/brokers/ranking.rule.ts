import type { BrokerSummary, Color, Tier } from '@broker-transparency/contract';

/** The fields that decide a broker's place in the ranking. */
export interface RankedBroker {
  readonly slug: string;
  readonly color: Color;
  /** Score; null for an unrated broker, which comes last. */
  readonly value: number | null;
  /** Country of the firm. */
  readonly country: string;
  /** Codes of the regulators whose licences it holds. */
  readonly regulatedBy: readonly string[];
  /** Best tier of its confirmed licences; null if it has none. */
  readonly tier: Tier | null;
  /** Its state. The licences of a suspected clone are those of its victim. */
  readonly status: BrokerSummary['status'];
  /** True if a warning about it is in force. */
  readonly isWarned: boolean;
}

/** Common properties of the brokers of a list. */
export interface RankedFilter {
  readonly color?: Color | undefined;
  readonly country?: string | undefined;
  readonly regulator?: string | undefined;
  readonly status?: BrokerSummary['status'] | undefined;
  /** Any confirmed licence, none, or the best tier of the confirmed ones. */
  readonly licence?: 'confirmed' | 'none' | Tier | undefined;
  readonly isWarned?: boolean | undefined;
}

const isSame = (a: RankedBroker | undefined, b: RankedBroker): boolean =>
  a?.value === b.value &&
  a.color === b.color &&
  a.country === b.country &&
  a.tier === b.tier &&
  a.isWarned === b.isWarned &&
  a.status === b.status &&
  a.regulatedBy.join() === b.regulatedBy.join();

/** A property that a filter can test. */
type Criterion = keyof RankedFilter;

/** Choices of each criterion that include a broker. */
const CHOICES: Readonly<Record<Criterion, (broker: RankedBroker) => readonly string[]>> = {
  color: ({ color }) => [color],
  country: ({ country }) => [country],
  regulator: ({ regulatedBy }) => regulatedBy,
  status: ({ status }) => [status],
  licence: ({ tier, status }) => {
    if (status === 'suspected_clone') return []; // licences of a clone are not shown
    return tier === null ? ['none'] : ['confirmed', String(tier)];
  },
  isWarned: ({ isWarned }) => [String(isWarned)],
};
const CRITERIA = Object.keys(CHOICES) as readonly Criterion[];

/** Criteria whose choices each have a list of their own. */
const LISTED = ['color', 'country', 'regulator', 'status'] as const satisfies readonly Criterion[];

/** The name of the list of all brokers. */
const ALL = '';
const toListName = (criterion: Criterion, choice: string): string => `${criterion}=${choice}`;

/** Returns the names of the lists that have a broker. */
const listNames = (broker: RankedBroker): string[] => [
  ALL,
  ...LISTED.flatMap((criterion) => CHOICES[criterion](broker).map((choice) => toListName(criterion, choice))),
];

/** Number of brokers per choice while the other criteria stay, by criterion. Choices without brokers are missing. */
export type ChoiceCounts = Readonly<Record<Criterion, Readonly<Record<string, number>>>>;

const listAsked = (filter: RankedFilter): Criterion[] =>
  CRITERIA.filter((criterion) => filter[criterion] !== undefined);

/** Returns a function that finds the criteria of a filter that a broker fails. */
const findUnmet = (filter: RankedFilter) => {
  const asked = listAsked(filter);
  return (broker: RankedBroker): Criterion[] =>
    asked.filter((criterion) => !CHOICES[criterion](broker).includes(String(filter[criterion])));
};

/** Returns the brokers that pass a filter. */
export const filterRanked = (brokers: readonly RankedBroker[], filter: RankedFilter): RankedBroker[] => {
  const unmetBy = findUnmet(filter);
  return brokers.filter((broker) => unmetBy(broker).length === 0);
};

/** Counts the brokers per choice while the other criteria of the filter stay. */
const countChoices = (brokers: Iterable<RankedBroker>, filter: RankedFilter): ChoiceCounts => {
  const counts = Object.fromEntries(CRITERIA.map((criterion) => [criterion, {}])) as Record<
    Criterion,
    Record<string, number>
  >;
  const unmetBy = findUnmet(filter);
  for (const broker of brokers) {
    const missed = unmetBy(broker);
    if (missed.length > 1) continue;
    for (const criterion of missed.length === 0 ? CRITERIA : missed)
      for (const choice of CHOICES[criterion](broker)) counts[criterion][choice] = (counts[criterion][choice] ?? 0) + 1;
  }
  return counts;
};

/** Compares by score, best first, then by slug. Brokers without a score come last. */
const compare = (a: RankedBroker, b: RankedBroker): number =>
  (b.value ?? -1) - (a.value ?? -1) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Compares by score, lowest first, then by slug. Brokers without a score come last. */
const compareLowest = (a: RankedBroker, b: RankedBroker): number =>
  (a.value ?? Number.POSITIVE_INFINITY) - (b.value ?? Number.POSITIVE_INFINITY) || compare(a, b);

/** Returns the index of a broker in an ordered list, or the index at which to insert it. */
const findRankIndex = (list: readonly RankedBroker[], broker: RankedBroker): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle] as RankedBroker, broker) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Maximum number of shared lists of regulators. */
const MOST_SHARED = 10_000;

/** Selects brokers of the ranking. */
export interface RankedSelection extends RankedFilter {
  /** Only brokers with these slugs. */
  readonly slugs?: readonly string[] | undefined;
}

/**
 * Creates the ranking of all brokers, and one for each color, country, regulator and state, so that a late page of
 * these costs no more than the first. A filter with several criteria checks only the brokers of its shortest list. It
 * is the only ranking of the process.
 */
export const createRanking = () => {
  const bySlug = new Map<string, RankedBroker>();
  /** Lists of regulators that brokers share, to store each once. */
  const regulatorLists = new Map<string, readonly string[]>();
  const shareRegulators = (broker: RankedBroker): RankedBroker => {
    const key = broker.regulatedBy.join();
    const regulatedBy = regulatorLists.get(key) ?? broker.regulatedBy;
    if (regulatorLists.size < MOST_SHARED) regulatorLists.set(key, regulatedBy);
    return { ...broker, regulatedBy };
  };
  const lists = new Map<string, RankedBroker[]>();
  const ensureList = (name: string): RankedBroker[] => {
    const list = lists.get(name) ?? [];
    lists.set(name, list);
    return list;
  };
  const remove = (slug: string): void => {
    const broker = bySlug.get(slug);
    if (!broker) return;
    for (const name of listNames(broker)) {
      const list = ensureList(name);
      list.splice(findRankIndex(list, broker), 1);
      if (list.length === 0) lists.delete(name);
    }
    bySlug.delete(slug);
  };
  const put = (changed: RankedBroker): void => {
    if (isSame(bySlug.get(changed.slug), changed)) return;
    const broker = shareRegulators(changed);
    remove(broker.slug);
    for (const name of listNames(broker)) {
      const list = ensureList(name);
      list.splice(findRankIndex(list, broker), 0, broker);
    }
    bySlug.set(broker.slug, broker);
  };
  const findShortest = (filter: RankedFilter): readonly RankedBroker[] => {
    const names = LISTED.flatMap((criterion) => {
      const choice = filter[criterion];
      return choice === undefined ? [] : [toListName(criterion, choice)];
    });
    const found = [ALL, ...names].map((name) => lists.get(name) ?? []);
    return found.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));
  };
  const select = ({ slugs, ...filter }: RankedSelection): readonly RankedBroker[] => {
    const candidates = slugs ? slugs.flatMap((slug) => bySlug.get(slug) ?? []).sort(compare) : findShortest(filter);
    const asked = listAsked(filter);
    if (!slugs && asked.length <= 1 && asked.every((one) => LISTED.some((listed) => listed === one))) return candidates;
    return filterRanked(candidates, filter);
  };
  return {
    put,
    remove,
    /** Replaces all brokers. */
    load: async (brokers: AsyncIterable<RankedBroker>): Promise<void> => {
      const all: RankedBroker[] = [];
      for await (const broker of brokers) all.push(shareRegulators(broker));
      all.sort(compare);
      bySlug.clear();
      lists.clear();
      for (const broker of all) {
        bySlug.set(broker.slug, broker);
        for (const name of listNames(broker)) ensureList(name).push(broker);
      }
    },
    has: (slug: string): boolean => bySlug.has(slug),
    /** Returns the slugs of a page, and the number of brokers on all pages. */
    page: (selection: RankedSelection, limit: number, offset: number): { slugs: string[]; total: number } => {
      const found = select(selection);
      return { slugs: found.slice(offset, offset + limit).map(({ slug }) => slug), total: found.length };
    },
    /** Returns the slugs of all brokers that pass a filter, by score, unrated ones last. */
    matches: (filter: RankedFilter, isLowestFirst = false): string[] => {
      const found = select(filter);
      return (isLowestFirst ? found.toSorted(compareLowest) : found).map(({ slug }) => slug);
    },
    /** Counts the brokers per choice while the other criteria of the filter stay. Checks each broker. */
    choices: (filter: RankedFilter): ChoiceCounts => countChoices(bySlug.values(), filter),
  };
};
export type Ranking = ReturnType<typeof createRanking>;
