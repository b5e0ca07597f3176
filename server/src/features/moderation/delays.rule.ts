import type { ModerationDelay } from '@broker-transparency/contract';

/** Numbers of cases by the whole days that they waited. */
export type DelayHistogram = readonly { readonly days: number; readonly count: number }[];

/** Returns the days, begun ones included, within which this share of the cases was decided; 0 < `share` ≤ 1. */
const findDays = (sorted: DelayHistogram, decided: number, share: number): number | null => {
  const rank = Math.ceil(decided * share);
  let seen = 0;
  for (const { days, count } of sorted) {
    seen += count;
    if (seen >= rank) return days + 1;
  }
  return null;
};

/**
 * Returns within how many days half and nine tenths of the cases were decided, by nearest rank; null without a case.
 */
export const measureDelay = (histogram: DelayHistogram): ModerationDelay => {
  const sorted = histogram.filter(({ count }) => count > 0).toSorted((one, two) => one.days - two.days);
  const decided = sorted.reduce((sum, { count }) => sum + count, 0);
  return { decided, medianDays: findDays(sorted, decided, 0.5), p90Days: findDays(sorted, decided, 0.9) };
};
