/** Keys of one part of the index, and pairs of a term's hash and a key's place among them, in order. */
interface Segment {
  readonly keys: readonly string[];
  readonly pairs: Float64Array;
}

/** So many keys make a segment: it is sorted in a few milliseconds. */
const SEGMENT_KEYS = 500;
/** So many segments more than its keys need, and an index is slow. */
const MOST_SPARE = 80;
/** Room for the places of keys below a hash of 32 bits. */
const PLACES = 2 ** 20;

/** FNV-1a. Two terms may have one hash: whoever looks up compares what is found. */
const hashTerm = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const hashTerms = (terms: readonly string[]): number[] => [...new Set(terms.map(hashTerm))];

/** Place of the first pair that is not below a value. */
const findFirstAt = (pairs: Float64Array, value: number): number => {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What is looked up: terms that few keys have, and whether it may be left out where too many have it. */
export interface Lookup {
  readonly term: string;
  readonly isVague: boolean;
}

/**
 * Keys by terms, 8 bytes a pair: some 15 MB for 60 000 brokers, where lists by term would take ten times as much. What
 * changes is kept apart until there is enough of it for a segment.
 */
export const createTermIndex = () => {
  const segments: Segment[] = [];
  let fresh = new Map<string, readonly number[]>();
  /** The segment whose word on a key counts; that of fresh ones is the next one. */
  const current = new Map<string, number>();

  const seal = (): void => {
    const keys = [...fresh.keys()];
    const pairs = keys.flatMap((key, place) => (fresh.get(key) as number[]).map((hash) => hash * PLACES + place));
    segments.push({ keys, pairs: Float64Array.from(pairs).sort() });
    fresh = new Map();
  };
  const find = (hash: number): string[] => [
    ...segments.flatMap(({ keys, pairs }, number) => {
      const found: string[] = [];
      for (let at = findFirstAt(pairs, hash * PLACES); (pairs[at] as number) < (hash + 1) * PLACES; at++) {
        const key = keys[(pairs[at] as number) % PLACES] as string;
        if (current.get(key) === number) found.push(key);
      }
      return found;
    }),
    ...[...fresh].flatMap(([key, hashes]) => (hashes.includes(hash) ? [key] : [])),
  ];

  return {
    /** Takes the terms of a key, in place of those that it had. */
    put: (key: string, terms: readonly string[]): void => {
      fresh.set(key, hashTerms(terms));
      current.set(key, segments.length);
      if (fresh.size >= SEGMENT_KEYS) seal();
    },
    remove: (key: string): void => {
      fresh.delete(key);
      current.delete(key);
    },
    /** Returns the keys that have one of these terms, those of the first terms first. */
    find: (lookups: readonly Lookup[], { most, mostVague }: { most: number; mostVague: number }): string[] => {
      const found = new Set<string>();
      for (const { term, isVague } of lookups) {
        const keys = find(hashTerm(term));
        if (isVague && keys.length > mostVague) continue;
        for (const key of keys) if (found.size < most) found.add(key);
      }
      return [...found];
    },
    size: (): number => current.size,
    /** Whether so much has changed that it should be made anew. */
    isWorn: (): boolean => segments.length > MOST_SPARE + (2 * current.size) / SEGMENT_KEYS,
  };
};
export type TermIndex = ReturnType<typeof createTermIndex>;
