import { createHash } from 'node:crypto';

/**
 * A stream of numbers that depends only on its seed. Each part of the demo set has its own, so that a change of one
 * part leaves the others unchanged.
 */
export type DemoRandom = ReturnType<typeof createRandom>;

/** Creates a mulberry32 generator, seeded with a hash. */
export const createRandom = (...seed: readonly (string | number)[]) => {
  let state = createHash('sha256').update(JSON.stringify(seed)).digest().readUInt32LE();
  /** Returns a number from 0 to below 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns a whole number from `min` to `max`, inclusive. */
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return list[int(0, list.length - 1)] as T;
  };
  const shuffled = <T>(list: readonly T[]): T[] => {
    const rest = [...list];
    return list.map(() => rest.splice(int(0, rest.length - 1), 1)[0] as T);
  };
  return {
    next,
    int,
    pick,
    shuffled,
    chance: (probability: number): boolean => next() < probability,
    /** Returns a number from -1 to 1, most often near 0. */
    bell: (): number => ((next() + next() + next()) * 2) / 3 - 1,
  };
};
