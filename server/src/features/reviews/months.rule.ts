import type { RatingMonth, StarDistribution } from '@broker-transparency/contract';
import { ratingMonths } from '@broker-transparency/contract/record';

const STARS = [1, 2, 3, 4, 5] as const;

/** Converts a rating to whole hundredths, so that sums are exact. */
export const toHundredths = (rating: number): number => Math.round(rating * 100);

/** Returns the star under which a rating is counted. */
export const toNearestStar = (hundredths: number): keyof StarDistribution =>
  Math.round(hundredths / 100) as keyof StarDistribution;

/**
 * Returns the UTC month in which a review was written. Reviews count there, so that late moderation does not make them
 * younger.
 */
export const toReviewMonth = (createdAt: Date): string => createdAt.toISOString().slice(0, 7);

/** Returns the counters that one review adds to its month, or with sign -1 removes from it. */
export const toMonthIncrement = (rating: number, sign: 1 | -1): Record<string, number> => {
  const hundredths = toHundredths(rating);
  return {
    count: sign,
    sum: sign * hundredths,
    sumOfSquares: sign * hundredths * hundredths,
    [`distribution.${toNearestStar(hundredths)}`]: sign,
  };
};

/** Returns the counters that several reviews add to their month. */
export const toIncrement = ({ count, sum, sumOfSquares, distribution }: Omit<RatingMonth, 'month'>) => ({
  count,
  sum,
  sumOfSquares,
  ...Object.fromEntries(Object.entries(distribution).map(([star, number]) => [`distribution.${star}`, number])),
});

/** Returns a stored month with its fields in a fixed order. */
export const toRatingMonth = (row: {
  month: string;
  count: number;
  sum: number;
  sumOfSquares: number;
  distribution?: Partial<Record<string, number>>;
}): RatingMonth => ({
  month: row.month,
  count: row.count,
  sum: row.sum,
  sumOfSquares: row.sumOfSquares,
  distribution: {
    1: row.distribution?.['1'] ?? 0,
    2: row.distribution?.['2'] ?? 0,
    3: row.distribution?.['3'] ?? 0,
    4: row.distribution?.['4'] ?? 0,
    5: row.distribution?.['5'] ?? 0,
  },
});

/** Adds up months of several brokers. */
export const addMonths = (rows: readonly RatingMonth[]): RatingMonth[] =>
  [...Map.groupBy(rows, ({ month }) => month)].map(([month, same]) => {
    const sums = toRatingMonth({ month, count: 0, sum: 0, sumOfSquares: 0 });
    for (const { count, sum, sumOfSquares, distribution } of same) {
      sums.count += count;
      sums.sum += sum;
      sums.sumOfSquares += sumOfSquares;
      for (const star of STARS) sums.distribution[star] += distribution[star];
    }
    return sums;
  });

/** Sums reviews into months. The stored months must equal the result. */
export const sumMonths = (reviews: Iterable<{ rating: number; createdAt: Date }>): RatingMonth[] =>
  ratingMonths(Array.from(reviews, ({ rating, createdAt }) => ({ rating, month: toReviewMonth(createdAt) })));
