import type { Color, Tier } from '@broker-transparency/contract';

/** The fields that decide a broker's place in the ranking. */
export interface Ranked {
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
  /** Whether a warning about it stands. */
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

const isSame = (a: Ranked | undefined, b: Ranked): boolean =>
  a?.value === b.value &&
  a.color === b.color &&
  a.country === b.country &&
  a.tier === b.tier &&
  a.isWarned === b.isWarned &&
  a.regulatedBy.join() === b.regulatedBy.join();

const hasLicence = ({ tier }: Ranked, licence: RankedFilter['licence']): boolean => {
  if (licence === undefined) return true;
  if (licence === 'confirmed') return tier !== null;
  return licence === 'none' ? tier === null : tier === licence;
};

/** Compares by score, best first, then by slug. Brokers without a score come last. */
const compare = (a: Ranked, b: Ranked): number =>
  (b.value ?? -1) - (a.value ?? -1) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Returns the index of a broker in an ordered list, or the index at which to insert it. */
const placeOf = (list: readonly Ranked[], broker: Ranked): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle] as Ranked, broker) < 0) low = middle + 1;
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
  const bySlug = new Map<string, Ranked>();
  /** Lists of regulators that brokers share, so that each is held once. */
  const regulatorLists = new Map<string, readonly string[]>();
  const withSharedList = (broker: Ranked): Ranked => {
    const key = broker.regulatedBy.join();
    const regulatedBy = regulatorLists.get(key) ?? broker.regulatedBy;
    if (regulatorLists.size < MOST_SHARED) regulatorLists.set(key, regulatedBy);
    return { ...broker, regulatedBy };
  };
  const lists = new Map<Color | undefined, Ranked[]>();
  const listOf = (color: Color | undefined): Ranked[] => {
    const list = lists.get(color) ?? [];
    lists.set(color, list);
    return list;
  };
  const remove = (slug: string): void => {
    const broker = bySlug.get(slug);
    if (!broker) return;
    for (const list of [listOf(undefined), listOf(broker.color)]) list.splice(placeOf(list, broker), 1);
    bySlug.delete(slug);
  };
  const put = (changed: Ranked): void => {
    if (isSame(bySlug.get(changed.slug), changed)) return;
    const broker = withSharedList(changed);
    remove(broker.slug);
    for (const list of [listOf(undefined), listOf(broker.color)]) list.splice(placeOf(list, broker), 0, broker);
    bySlug.set(broker.slug, broker);
  };
  return {
    put,
    remove,
    /** Replaces all brokers. */
    load: async (brokers: AsyncIterable<Ranked>): Promise<void> => {
      const all: Ranked[] = [];
      for await (const broker of brokers) all.push(withSharedList(broker));
      all.sort(compare);
      bySlug.clear();
      lists.clear();
      lists.set(undefined, all);
      for (const broker of all) {
        bySlug.set(broker.slug, broker);
        listOf(broker.color).push(broker);
      }
    },
    /** Returns the slugs of a page. */
    page: (color: Color | undefined, limit: number, offset: number): string[] =>
      listOf(color)
        .slice(offset, offset + limit)
        .map(({ slug }) => slug),
    count: (color: Color | undefined): number => listOf(color).length,
    /** Returns the slugs of all brokers that a filter lets through, in order. Looks at each broker of the color. */
    matches: ({ color, country, regulator, licence, isWarned }: RankedFilter): string[] =>
      listOf(color)
        .filter(
          (broker) =>
            (country === undefined || broker.country === country) &&
            (regulator === undefined || broker.regulatedBy.includes(regulator)) &&
            hasLicence(broker, licence) &&
            (isWarned === undefined || broker.isWarned === isWarned),
        )
        .map(({ slug }) => slug),
    /** Returns how many brokers there are in each country. */
    countries: (): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const { country } of bySlug.values()) counts.set(country, (counts.get(country) ?? 0) + 1);
      return counts;
    },
  };
};
export type Ranking = ReturnType<typeof createRanking>;
