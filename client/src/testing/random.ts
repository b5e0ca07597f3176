/** Returns a 32-bit hash of a text (FNV-1a with the final mix of murmur3). */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/** Returns an id as the service gives them, 24 hexadecimal digits, that depends on these texts alone. */
export const toId = (...parts: readonly string[]): string =>
  [0, 1, 2]
    .map((at) =>
      hashText(JSON.stringify([at, ...parts]))
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');

/** A stream of numbers that depends only on its seed. */
export type TestRandom = ReturnType<typeof createRandom>;

/**
 * Creates a mulberry32 generator, seeded with a hash. Each fixture has its own stream, so that one fixture does not
 * affect another.
 */
export const createRandom = (...seed: readonly string[]) => {
  let state = hashText(JSON.stringify(seed));
  /** Returns a number from 0 to below 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a whole number from `min` to `max`, inclusive. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    /** Picks an element of a non-empty list. */
    pick: <T>(list: readonly T[]): T => list[int(0, list.length - 1)] as T,
  };
};
