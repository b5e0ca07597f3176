import type { Firm } from '@broker-transparency/matching';

/** Two descriptions, and whether they are of one firm. */
export interface Pair {
  readonly id: string;
  /** What makes them differ. */
  readonly kind: string;
  readonly same: boolean;
  /** What is published here. */
  readonly known: Firm;
  /** What a register or an authority says. */
  readonly told: Firm;
  /** Set if an authority warns of it. Then `same` means that the warning is about the firm itself. */
  readonly warning?: { readonly authority: string; readonly mentionsClone: boolean };
}

/** Random numbers that are the same with the same seed. */
export const createRandom = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (most: number): number => Math.floor(next() * most);
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const often = (share: number): boolean => next() < share;
  return { next, below, pick, often };
};
export type PairRandom = ReturnType<typeof createRandom>;
