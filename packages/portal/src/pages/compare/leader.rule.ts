/** A score and the range within which it may lie; null: not known. */
export interface RangedScore {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Returns the positions of the largest values. */
export const findLeaders = (values: readonly number[]): number[] => {
  const most = Math.max(...values);
  return values.flatMap((value, at) => (value === most ? [at] : []));
};

const overlaps = (a: RangedScore, b: RangedScore): boolean =>
  a.low !== null && a.high !== null && b.low !== null && b.high !== null && a.low <= b.high && b.low <= a.high;

/**
 * Returns true if the range of the best score overlaps with that of another, so that no broker can be called the best.
 */
export const isTooClose = (scores: readonly RangedScore[]): boolean => {
  const [best, ...others] = scores
    .filter(({ value }) => value !== null)
    .sort((a, b) => Number(b.value) - Number(a.value));
  return best !== undefined && others.some((other) => overlaps(best, other));
};

/** Returns true if every two ranges overlap. */
export const allOverlap = (scores: readonly RangedScore[]): boolean =>
  scores.every((one, at) => scores.slice(at + 1).every((other) => overlaps(one, other)));
