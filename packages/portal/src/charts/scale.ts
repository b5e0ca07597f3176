/** Returns a share as a percentage for an SVG attribute, with few digits to keep a plot small. */
export const toPercent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

/**
 * Returns the position of a value between two others, as a share from 0 to 1. Values outside move to the nearer end.
 */
export const computeShare = (value: number, low: number, high: number): number =>
  high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0;

/** Returns the end of an axis for a count: the smallest of 1, 2, 4, 5 × 10ⁿ (at least 2) that is not below it. */
export const computeAxisEnd = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, highest)));
  const end = [1, 2, 4, 5, 10].map((step) => step * power).find((step) => step >= highest && step % 2 === 0);
  return end ?? 10 * power;
};
