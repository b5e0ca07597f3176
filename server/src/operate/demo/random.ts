import { createHash } from 'node:crypto';

/** A stream of numbers that its seed alone decides. Each part of the demo set has its own, so that one leaves the others be. */
export type Random = ReturnType<typeof createRandom>;

/** mulberry32, begun from the hash of the seed. */
export const createRandom = (...seed: readonly (string | number)[]) => {
  let state = createHash('sha256').update(JSON.stringify(seed)).digest().readUInt32LE();
  /** From 0 to below 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from `min` to `max`, both included. */
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
    /** Around 0, from -1 to 1. */
    bell: (): number => ((next() + next() + next()) * 2) / 3 - 1,
  };
};
