import type { Color, Tier } from '@broker-transparency/contract';

/** The fields that decide a broker's place in the ranking. */
export interface RankedBroker {
  readonly slug: string;
  readonly color: Color;
  /** Score; null for an unrated broker, which comes last. */
  readonly value: number | null;
  /** Country of the firm behind it. */
  readonly country: string;
  /** Codes of the regulators with a licence that it holds. */
  readonly regulatedBy: readonly string[];
  /** Best tier of its confirmed licences; null: it has none. */
  readonly tier: Tier | null;
  /** True: it is a suspected clone. Its licences are those of its victim. */
  readonly isClone: boolean;
  /** True: a warning about it stands. */
  readonly isWarned: boolean;
}

/** What the brokers of a list have in common. */
export interface RankedFilter {
  readonly color?: Color | undefined;
  readonly country?: string | undefined;
  readonly regulator?: string | undefined;
  /** Any licence that is confirmed, none, or the best tier of those that are. */
  readonly licence?: 'confirmed' | 'none' | Tier | undefined;
  readonly isWarned?: boolean | undefined;
}

const isSame = (a: RankedBroker | undefined, b: RankedBroker): boolean =>
  a?.value === b.value &&
  a.color === b.color &&
  a.country === b.country &&
  a.tier === b.tier &&
  a.isWarned === b.isWarned &&
  a.isClone === b.isClone &&
  a.regulatedBy.join() === b.regulatedBy.join();

/** A property that a filter can ask for. */
type Criterion = keyof RankedFilter;

/** The choices of each criterion that list a broker. */
const CHOICES: Readonly<Record<Criterion, (broker: RankedBroker) => readonly string[]>> = {
  color: ({ color }) => [color],
  country: ({ country }) => [country],
  regulator: ({ regulatedBy }) => regulatedBy,
  licence: ({ tier, isClone }) => {
    if (isClone) return []; // of its licences nothing is said
    return tier === null ? ['none'] : ['confirmed', String(tier)];
  },
  isWarned: ({ isWarned }) => [String(isWarned)],
};
const CRITERIA = Object.keys(CHOICES) as readonly Criterion[];

/**
 * Numbers of brokers that each choice lists while the other criteria stay, by criterion. A choice that lists none is
 * missing.
 */
export type ChoiceCounts = Readonly<Record<Criterion, Readonly<Record<string, number>>>>;

/** Returns a function that finds the criteria of a filter that a broker does not meet. */
const findUnmet = (filter: RankedFilter) => {
  const asked = CRITERIA.filter((criterion) => filter[criterion] !== undefined);
  return (broker: RankedBroker): Criterion[] =>
    asked.filter((criterion) => !CHOICES[criterion](broker).includes(String(filter[criterion])));
};

/** Counts the brokers that each choice lists while the other criteria of the filter stay. */
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

/** Most lists of regulators that are shared. */
const MOST_SHARED = 10_000;

/**
 * Creates the ranking of all brokers, and one for each color, so that a late page costs no more than the first. State
 * of this process; nothing else holds a ranking.
 */
export const createRanking = () => {
  const bySlug = new Map<string, RankedBroker>();
  /** Lists of regulators that brokers share, so that each is held once. */
  const regulatorLists = new Map<string, readonly string[]>();
  const shareRegulators = (broker: RankedBroker): RankedBroker => {
    const key = broker.regulatedBy.join();
    const regulatedBy = regulatorLists.get(key) ?? broker.regulatedBy;
    if (regulatorLists.size < MOST_SHARED) regulatorLists.set(key, regulatedBy);
    return { ...broker, regulatedBy };
  };
  const lists = new Map<Color | undefined, RankedBroker[]>();
  const ensureList = (color: Color | undefined): RankedBroker[] => {
    const list = lists.get(color) ?? [];
    lists.set(color, list);
    return list;
  };
  const remove = (slug: string): void => {
    const broker = bySlug.get(slug);
    if (!broker) return;
    for (const list of [ensureList(undefined), ensureList(broker.color)]) list.splice(findRankIndex(list, broker), 1);
    bySlug.delete(slug);
  };
  const put = (changed: RankedBroker): void => {
    if (isSame(bySlug.get(changed.slug), changed)) return;
    const broker = shareRegulators(changed);
    remove(broker.slug);
    for (const list of [ensureList(undefined), ensureList(broker.color)])
      list.splice(findRankIndex(list, broker), 0, broker);
    bySlug.set(broker.slug, broker);
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
      lists.set(undefined, all);
      for (const broker of all) {
        bySlug.set(broker.slug, broker);
        ensureList(broker.color).push(broker);
      }
    },
    /** Returns the slugs of a page. */
    page: (color: Color | undefined, limit: number, offset: number): string[] =>
      ensureList(color)
        .slice(offset, offset + limit)
        .map(({ slug }) => slug),
    count: (color: Color | undefined): number => ensureList(color).length,
    /**
     * Returns the slugs of all brokers that a filter lets through, by score, those without one last. Looks at each broker
     * of the color.
     */
    matches: (filter: RankedFilter, isLowestFirst = false): string[] => {
      const unmetBy = findUnmet(filter);
      const found = ensureList(filter.color).filter((broker) => unmetBy(broker).length === 0);
      if (isLowestFirst) found.sort(compareLowest);
      return found.map(({ slug }) => slug);
    },
    /** Counts the brokers that each choice lists while the other criteria of the filter stay. Looks at each broker. */
    choices: (filter: RankedFilter): ChoiceCounts => countChoices(bySlug.values(), filter),
  };
};
export type Ranking = ReturnType<typeof createRanking>;
