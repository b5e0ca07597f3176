/** Keys of one part of the index, and sorted pairs of a term's hash and the index of its key. */
interface Segment {
  readonly keys: readonly string[];
  readonly pairs: Float64Array;
}

/** Number of keys in a segment: it is sorted in a few milliseconds. */
const SEGMENT_KEYS = 500;
/** Number of surplus segments from which an index is slow. */
const MOST_SPARE = 80;
/** Factor that leaves room for the index of a key below a hash of 32 bits. */
const PLACES = 2 ** 20;

/** Returns the FNV-1a hash. Two terms may have the same one, so callers compare the results. */
const hashTerm = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const hashTerms = (terms: readonly string[]): number[] => [...new Set(terms.map(hashTerm))];

/** Returns the index of the first pair that is not below a value. */
const findFirstAt = (pairs: Float64Array, value: number): number => {
  let [low, high] = [0, pairs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pairs[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A lookup: terms that few keys have. It may be left out if too many keys have them. */
export interface Lookup {
  readonly term: string;
  readonly isVague: boolean;
}

/**
 * Keys by terms, 8 bytes a pair: some 15 MB for 60 000 brokers, where lists by term would take ten times as much.
 * Changes are kept apart until there are enough for a segment.
 */
export const createTermIndex = () => {
  const segments: Segment[] = [];
  let fresh = new Map<string, readonly number[]>();
  /** The segment that is valid for a key; fresh keys have the next one. */
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
    /** Replaces the terms of a key. */
    put: (key: string, terms: readonly string[]): void => {
      fresh.set(key, hashTerms(terms));
      current.set(key, segments.length);
      if (fresh.size >= SEGMENT_KEYS) seal();
    },
    remove: (key: string): void => {
      fresh.delete(key);
      current.delete(key);
    },
    /** Returns the keys with one of these terms, those of the first terms first. */
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
    /** Returns whether so much has changed that the index should be rebuilt. */
    isWorn: (): boolean => segments.length > MOST_SPARE + (2 * current.size) / SEGMENT_KEYS,
  };
};
export type TermIndex = ReturnType<typeof createTermIndex>;
