/** Keys of one part of the index, and pairs of a term's hash and a key's place among them, in order. */
interface Segment<Key> {
  readonly keys: readonly Key[];
  readonly pairs: Float64Array;
  /** How many of its keys count. */
  size: number;
}

/** So many keys of a list that changes make a segment: it is sorted in a few milliseconds. */
const SEGMENT_KEYS = 500;
/** Room for the places of keys below a hash of 32 bits. */
const PLACES = 2 ** 20;

/** FNV-1a. Two terms may have one hash: whoever looks up compares what is found. */
const hashTerm = (term: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const sortPairs = <Key>(hashes: ReadonlyMap<Key, readonly number[]>): Segment<Key> => {
  const pairs = [...hashes.values()].flatMap((own, place) => own.map((hash) => hash * PLACES + place));
  return { keys: [...hashes.keys()], pairs: Float64Array.from(pairs).sort(), size: hashes.size };
};

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

/** Terms that tell nothing where more than `most` keys have them. */
interface VagueTerms {
  readonly pattern: RegExp;
  readonly most: number;
}

/**
 * Keys by terms, 8 bytes a pair: some 15 MB for 60 000 firms, where lists by term would take ten times as much. What
 * changes is kept apart until there is enough of it for a segment. What is left of a segment that lost half of its keys
 * counts as changed, so there are never more than twice the segments that the keys need. Each search looks into all
 * segments: whoever knows how many keys come, and that few change, makes one segment of them.
 * @param segmentKeys so many keys make a segment
 */
export const createTermIndex = <Key>(segmentKeys = SEGMENT_KEYS) => {
  const segments = new Map<number, Segment<Key>>();
  /** The number of the segment whose word on a key counts; that of fresh ones is the next one. */
  const current = new Map<Key, number>();
  let next = 0;
  let fresh = new Map<Key, readonly number[]>();
  /** The fresh ones in order, once somebody looked among them. */
  let sorted: Segment<Key> | undefined;

  const add = (key: Key, hashes: readonly number[]): void => {
    sorted = undefined;
    fresh.set(key, hashes);
    current.set(key, next);
    if (fresh.size < Math.min(segmentKeys, PLACES)) return;
    segments.set(next++, sortPairs(fresh));
    fresh = new Map();
  };
  /** Takes a key out of its segment. */
  const leave = (key: Key): void => {
    const number = current.get(key);
    const segment = number === undefined ? undefined : segments.get(number);
    current.delete(key);
    if (!segment || --segment.size > segmentKeys / 2) return;
    segments.delete(number as number);
    const left = segment.pairs.filter((pair) => current.get(segment.keys[pair % PLACES] as Key) === number);
    for (const [place, pairs] of Map.groupBy(left, (pair) => pair % PLACES))
      add(
        segment.keys[place] as Key,
        pairs.map((pair) => Math.floor(pair / PLACES)),
      );
  };
  const find = (hash: number): Key[] => {
    const found: Key[] = [];
    const look = (number: number, { keys, pairs }: Segment<Key>): void => {
      for (let at = findFirstAt(pairs, hash * PLACES); (pairs[at] as number) < (hash + 1) * PLACES; at++) {
        const key = keys[(pairs[at] as number) % PLACES] as Key;
        if (current.get(key) === number) found.push(key);
      }
    };
    for (const [number, segment] of segments) look(number, segment);
    sorted ??= sortPairs(fresh);
    look(next, sorted);
    return found;
  };

  return {
    /** Takes the terms of a key, in place of those that it had. */
    put: (key: Key, terms: readonly string[]): void => {
      leave(key);
      add(key, [...new Set(terms.map(hashTerm))]);
    },
    remove: (key: Key): void => {
      leave(key);
      sorted = undefined;
      fresh.delete(key);
    },
    /** Returns the keys that have one of these terms, those of the first terms first. A key can come several times. */
    *find(terms: readonly string[], vague: VagueTerms): Generator<Key> {
      for (const term of terms) {
        const keys = find(hashTerm(term));
        if (keys.length <= vague.most || !vague.pattern.test(term)) yield* keys;
      }
    },
    size: (): number => current.size,
  };
};
export type TermIndex<Key> = ReturnType<typeof createTermIndex<Key>>;
