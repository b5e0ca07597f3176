import type { BrokerSummary, Color, LICENSE_FILTERS, WARNING_FILTERS } from '@broker-transparency/contract';
import type { ServedResidence } from './residences.rule.ts';

/** The fields that decide a broker's place in the ranking. */
export interface RankedBroker {
  readonly slug: string;
  /** Storage keys of the broker and of those merged into it, by which the record names them. */
  readonly keys: readonly string[];
  /** Its name as `toSortName` writes it. */
  readonly name: string;
  readonly color: Color;
  /** Score; null for an unrated broker, which comes last. */
  readonly value: number | null;
  /** Country of the firm. */
  readonly country: string;
  /** Codes of the regulators whose licences it holds. */
  readonly regulatedBy: readonly string[];
  /** Choices of the filter by licence that include it. */
  readonly licenses: readonly string[];
  readonly status: BrokerSummary['status'];
  /** True if a warning about it is in force. */
  readonly isWarned: boolean;
  /** Countries for whose clients the verdict is `permitted`, also those for which that ends. */
  readonly residences: readonly string[];
  /** Those for which it ends. */
  readonly ending: readonly ServedResidence[];
}

/** Common properties of the brokers of a list. */
export interface RankedFilter {
  readonly color?: Color | undefined;
  readonly country?: string | undefined;
  readonly regulator?: string | undefined;
  readonly status?: BrokerSummary['status'] | undefined;
  /** Any confirmed licence, none, or the best tier of the confirmed ones. */
  readonly license?: (typeof LICENSE_FILTERS)[number] | undefined;
  readonly warnings?: (typeof WARNING_FILTERS)[number] | undefined;
  /** Country of clients for whom the verdict is `permitted`. */
  readonly residence?: string | undefined;
}

const isSame = (a: RankedBroker | undefined, b: RankedBroker): boolean =>
  a?.value === b.value &&
  a.name === b.name &&
  a.color === b.color &&
  a.country === b.country &&
  a.isWarned === b.isWarned &&
  a.status === b.status &&
  a.keys.join() === b.keys.join() &&
  a.licenses.join() === b.licenses.join() &&
  a.regulatedBy.join() === b.regulatedBy.join() &&
  a.residences.join() === b.residences.join() &&
  JSON.stringify(a.ending) === JSON.stringify(b.ending);

/** A property that a filter can test. */
type Criterion = keyof RankedFilter;

/** Choices of each criterion that include a broker at some time. */
const CHOICES: Readonly<Record<Criterion, (broker: RankedBroker) => readonly string[]>> = {
  color: ({ color }) => [color],
  country: ({ country }) => [country],
  regulator: ({ regulatedBy }) => regulatedBy,
  status: ({ status }) => [status],
  license: ({ licenses }) => licenses,
  warnings: ({ isWarned }) => [isWarned ? 'standing' : 'unknown'],
  residence: ({ residences }) => residences,
};
const CRITERIA = Object.keys(CHOICES) as readonly Criterion[];

/** Returns the choices of a criterion that include a broker at a time. */
const listChoices = (criterion: Criterion, broker: RankedBroker, at: Date): readonly string[] => {
  const choices = CHOICES[criterion](broker);
  if (criterion !== 'residence' || broker.ending.length === 0) return choices;
  const isOver = ({ until }: ServedResidence): boolean => until !== null && Date.parse(until) <= at.getTime();
  const over = new Set(broker.ending.filter(isOver).map(({ residence }) => residence));
  return choices.filter((residence) => !over.has(residence));
};

/** The name of the list of all brokers. */
const ALL = '';
const toListName = (criterion: Criterion, choice: string): string => `${criterion}=${choice}`;

/** Returns the names of the lists that have a broker. */
const listNames = (broker: RankedBroker): string[] => [
  ALL,
  ...CRITERIA.flatMap((criterion) => CHOICES[criterion](broker).map((choice) => toListName(criterion, choice))),
];

/** Number of brokers per choice while the other criteria stay, by criterion. Choices without brokers are missing. */
export type ChoiceCounts = Readonly<Record<Criterion, Readonly<Record<string, number>>>>;

const listAsked = (filter: RankedFilter): Criterion[] =>
  CRITERIA.filter((criterion) => filter[criterion] !== undefined);

/** Returns a function that finds the criteria of a filter that a broker fails at a time. */
const findUnmet = (filter: RankedFilter, at: Date) => {
  const asked = listAsked(filter);
  return (broker: RankedBroker): Criterion[] =>
    asked.filter((criterion) => !listChoices(criterion, broker, at).includes(String(filter[criterion])));
};

/** Returns the brokers that pass a filter at a time. */
export const filterRanked = (brokers: readonly RankedBroker[], filter: RankedFilter, at: Date): RankedBroker[] => {
  const unmetBy = findUnmet(filter, at);
  return brokers.filter((broker) => unmetBy(broker).length === 0);
};

/** Counts the brokers per choice while the other criteria of the filter stay. */
const countChoices = (brokers: Iterable<RankedBroker>, filter: RankedFilter, at: Date): ChoiceCounts => {
  const counts = Object.fromEntries(CRITERIA.map((criterion) => [criterion, {}])) as Record<
    Criterion,
    Record<string, number>
  >;
  const unmetBy = findUnmet(filter, at);
  for (const broker of brokers) {
    const missed = unmetBy(broker);
    if (missed.length > 1) continue;
    for (const criterion of missed.length === 0 ? CRITERIA : missed)
      for (const choice of listChoices(criterion, broker, at))
        counts[criterion][choice] = (counts[criterion][choice] ?? 0) + 1;
  }
  return counts;
};

/** Compares by score, best first, then by slug. Brokers without a score come last. */
const compare = (a: RankedBroker, b: RankedBroker): number =>
  (b.value ?? -1) - (a.value ?? -1) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : 0);

/** Compares by score, lowest first, then by slug. Brokers without a score come last. */
const compareLowest = (a: RankedBroker, b: RankedBroker): number =>
  (a.value ?? Number.POSITIVE_INFINITY) - (b.value ?? Number.POSITIVE_INFINITY) || compare(a, b);

/** Returns a name for sorting: without marks and capital letters. */
export const toSortName = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Compares by name, then by score. */
const compareNames = (a: RankedBroker, b: RankedBroker): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : compare(a, b);

/** Order of a list: best score first, lowest score first, by name, or newest change first. */
export type RankedOrder = 'best' | 'lowest' | 'name' | 'changed';

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

/** Joins two sorted lists. */
const mergeSorted = <T>(first: readonly T[], second: readonly T[], compareTwo: (a: T, b: T) => number): T[] => {
  const merged: T[] = [];
  let at = 0;
  for (const item of second) {
    while (at < first.length && compareTwo(first[at] as T, item) <= 0) merged.push(first[at++] as T);
    merged.push(item);
  }
  while (at < first.length) merged.push(first[at++] as T);
  return merged;
};

/** A list that is this much shorter than all brokers is sorted by itself. */
const SHORT = 20;

/** Creates the order of brokers by the number of the newest entry about them, newest first. */
const createChangeOrder = (bySlug: ReadonlyMap<string, RankedBroker>) => {
  /** Numbers of the newest entries, by storage key. */
  const newest = new Map<string, number>();
  /** The order at its last use, and the numbers by which it was made. */
  let ordered: readonly RankedBroker[] = [];
  const numbers = new Map<string, number>();
  /** Slugs of the brokers that have changed since, and storage keys that have newer entries. */
  const moved = new Set<string>();
  const movedKeys = new Set<string>();
  const compareNewest = (a: RankedBroker, b: RankedBroker): number =>
    (numbers.get(b.slug) ?? -1) - (numbers.get(a.slug) ?? -1) || compare(a, b);
  /** Only brokers that have changed are sorted: the others stay in their order. */
  const readOrder = (): readonly RankedBroker[] => {
    if (moved.size + movedKeys.size === 0) return ordered;
    if (movedKeys.size > 0)
      for (const { slug, keys } of bySlug.values()) if (keys.some((key) => movedKeys.has(key))) moved.add(slug);
    const changed = [...moved].flatMap((slug) => bySlug.get(slug) ?? []);
    const kept = ordered.filter(({ slug }) => !moved.has(slug));
    for (const { slug, keys } of changed) numbers.set(slug, Math.max(-1, ...keys.map((key) => newest.get(key) ?? -1)));
    ordered = mergeSorted(kept, changed.sort(compareNewest), compareNewest);
    moved.clear();
    movedKeys.clear();
    return ordered;
  };
  return {
    noteBroker: ({ slug }: RankedBroker): void => {
      moved.add(slug);
    },
    put: (key: string, number: number): void => {
      newest.set(key, number);
      movedKeys.add(key);
    },
    clear: (): void => {
      newest.clear();
      for (const slug of bySlug.keys()) moved.add(slug);
    },
    /** Returns these brokers in the order of their newest changes. */
    sort: (found: readonly RankedBroker[]): readonly RankedBroker[] => {
      const all = readOrder();
      if (found.length === bySlug.size) return all;
      if (found.length * SHORT < all.length) return found.toSorted(compareNewest);
      const chosen = new Set(found);
      return all.filter((broker) => chosen.has(broker));
    },
  };
};

/** Maximum number of shared lists of regulators and countries. */
const MOST_SHARED = 10_000;

/** Returns the function that gives brokers with the same regulators or countries the same lists: each is stored once. */
const createListSharing = () => {
  const sharedLists = new Map<string, readonly string[]>();
  const share = (list: readonly string[]): readonly string[] => {
    const key = list.join();
    const shared = sharedLists.get(key) ?? list;
    if (sharedLists.size < MOST_SHARED) sharedLists.set(key, shared);
    return shared;
  };
  return (broker: RankedBroker): RankedBroker => ({
    ...broker,
    regulatedBy: share(broker.regulatedBy),
    residences: share(broker.residences),
  });
};

/** Selects brokers of the ranking. */
export interface RankedSelection extends RankedFilter {
  /** Only brokers with these slugs. */
  readonly slugs?: readonly string[] | undefined;
}

/**
 * Creates the ranking of all brokers, and one for each choice of a filter, so that a late page of these costs no more
 * than the first. A filter with several criteria, and one by residence, checks only the brokers of its shortest list.
 * It is the only ranking of the process.
 */
export const createRanking = (clock: () => Date) => {
  const bySlug = new Map<string, RankedBroker>();
  const shareLists = createListSharing();
  const lists = new Map<string, RankedBroker[]>();
  const changes = createChangeOrder(bySlug);
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
    changes.noteBroker(broker);
  };
  const put = (changed: RankedBroker): void => {
    if (isSame(bySlug.get(changed.slug), changed)) return;
    const broker = shareLists(changed);
    remove(broker.slug);
    for (const name of listNames(broker)) {
      const list = ensureList(name);
      list.splice(findRankIndex(list, broker), 0, broker);
    }
    bySlug.set(broker.slug, broker);
    changes.noteBroker(broker);
  };
  const findShortest = (filter: RankedFilter): readonly RankedBroker[] => {
    const names = CRITERIA.flatMap((criterion) => {
      const choice = filter[criterion];
      return choice === undefined ? [] : [toListName(criterion, choice)];
    });
    const found = [ALL, ...names].map((name) => lists.get(name) ?? []);
    return found.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));
  };
  const select = ({ slugs, ...filter }: RankedSelection): readonly RankedBroker[] => {
    const candidates = slugs ? slugs.flatMap((slug) => bySlug.get(slug) ?? []).sort(compare) : findShortest(filter);
    const asked = listAsked(filter);
    if (!slugs && asked.length <= 1 && filter.residence === undefined) return candidates;
    return filterRanked(candidates, filter, clock());
  };
  const sort = (found: readonly RankedBroker[], order: RankedOrder): readonly RankedBroker[] => {
    if (order === 'best') return found;
    if (order === 'changed') return changes.sort(found);
    return found.toSorted(order === 'name' ? compareNames : compareLowest);
  };
  return {
    put,
    remove,
    /** Replaces all brokers. */
    load: async (brokers: AsyncIterable<RankedBroker>): Promise<void> => {
      const all: RankedBroker[] = [];
      for await (const broker of brokers) all.push(shareLists(broker));
      all.sort(compare);
      for (const broker of bySlug.values()) changes.noteBroker(broker);
      bySlug.clear();
      lists.clear();
      for (const broker of all) {
        bySlug.set(broker.slug, broker);
        changes.noteBroker(broker);
        for (const name of listNames(broker)) ensureList(name).push(broker);
      }
    },
    /** Notes the number of the newest entry about the broker with this storage key. */
    noteChange: changes.put,
    forgetChanges: changes.clear,
    has: (slug: string): boolean => bySlug.has(slug),
    /** Returns the slugs of a page, and the number of brokers on all pages. */
    page: (
      selection: RankedSelection,
      limit: number,
      offset: number,
      order: RankedOrder = 'best',
    ): { slugs: string[]; total: number } => {
      const found = sort(select(selection), order);
      return { slugs: found.slice(offset, offset + limit).map(({ slug }) => slug), total: found.length };
    },
    /** Returns the slugs of all brokers that pass a filter. By score, unrated ones come last. */
    matches: (filter: RankedFilter, order: RankedOrder = 'best'): string[] => {
      return sort(select(filter), order).map(({ slug }) => slug);
    },
    /** Counts the brokers per choice while the other criteria of the filter stay. Checks each broker. */
    choices: (filter: RankedFilter): ChoiceCounts => countChoices(bySlug.values(), filter, clock()),
  };
};
export type Ranking = ReturnType<typeof createRanking>;
