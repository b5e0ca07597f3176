import { Rating, RatingMonth } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  sumMonths,
  toHundredths,
  toMonthIncrement,
  toNearestStar,
  toRatingMonth,
  toReviewMonth,
} from './months.rule.ts';

const HUNDREDTHS = Array.from({ length: 401 }, (_, index) => 100 + index);

/** Returns a generator of numbers from 0 to below 1 that repeats in every run. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

type Row = Parameters<typeof toRatingMonth>[0];
type DatedRating = { rating: number; createdAt: Date };

const emptyRow = (month: string): Row => ({ month, count: 0, sum: 0, sumOfSquares: 0, distribution: {} });

/** Does what $inc does in MongoDB. */
const increase = (row: Row, increment: Record<string, number>): Row => {
  const next = { ...row, distribution: { ...row.distribution } };
  for (const [path, by] of Object.entries(increment)) {
    const star = /^distribution\.([1-5])$/.exec(path)?.[1];
    if (star) next.distribution[star] = (next.distribution[star] ?? 0) + by;
    else if (path === 'count' || path === 'sum' || path === 'sumOfSquares') next[path] += by;
    else throw new Error(`no counter ${path}`);
  }
  return next;
};

const byIncrements = (moves: readonly (DatedRating & { sign: 1 | -1 })[]): RatingMonth[] => {
  const rows = new Map<string, Row>();
  for (const { rating, createdAt, sign } of moves) {
    const month = toReviewMonth(createdAt);
    rows.set(month, increase(rows.get(month) ?? emptyRow(month), toMonthIncrement(rating, sign)));
  }
  return [...rows.values()].map(toRatingMonth);
};
const sorted = (months: readonly RatingMonth[]) => months.toSorted((a, b) => (a.month < b.month ? -1 : 1));

describe('hundredths', () => {
  test('hundredths represent every possible rating exactly', () => {
    for (const hundredths of HUNDREDTHS) {
      expect(Rating.safeParse(hundredths / 100).success, `${hundredths / 100}`).toBe(true);
      expect(toHundredths(hundredths / 100)).toBe(hundredths);
      expect(toHundredths(Number((hundredths / 100).toFixed(2)))).toBe(hundredths);
    }
  });
});

describe('the nearest star', () => {
  test.each([
    [100, 1],
    [149, 1],
    [150, 2],
    [249, 2],
    [250, 3],
    [349, 3],
    [350, 4],
    [449, 4],
    [450, 5],
    [500, 5],
  ])('the nearest star of %i hundredths is %i', (hundredths, star) => {
    expect(toNearestStar(hundredths)).toBe(star);
  });

  test('the nearest star is at most half a star away, and between 1 and 5', () => {
    for (const hundredths of HUNDREDTHS) {
      expect(Math.abs(toNearestStar(hundredths) * 100 - hundredths)).toBeLessThanOrEqual(50);
      expect([1, 2, 3, 4, 5]).toContain(toNearestStar(hundredths));
    }
  });
});

describe('the month', () => {
  test.each([
    ['2026-11-01T00:00:00.000Z', '2026-11'],
    ['2026-10-31T23:59:59.999Z', '2026-10'],
    ['2026-12-31T23:59:59.999Z', '2026-12'],
    ['2027-01-01T00:00:00.000Z', '2027-01'],
    ['2028-02-29T12:00:00.000Z', '2028-02'],
    ['2026-11-01T00:30:00.000+01:00', '2026-10'],
    ['2026-10-31T23:30:00.000-01:00', '2026-11'],
  ])('the month of %s is %s, in UTC', (createdAt, month) => {
    expect(toReviewMonth(new Date(createdAt))).toBe(month);
  });
});

describe('an increment', () => {
  test('adds one review', () => {
    expect(toMonthIncrement(4.5, 1)).toEqual({ count: 1, sum: 450, sumOfSquares: 202_500, 'distribution.5': 1 });
    expect(toMonthIncrement(4.49, -1)).toEqual({ count: -1, sum: -449, sumOfSquares: -201_601, 'distribution.4': -1 });
  });

  test('an increment and its negative cancel out, for every rating', () => {
    for (const hundredths of HUNDREDTHS) {
      const rating = hundredths / 100;
      const row = increase(increase(emptyRow('2026-11'), toMonthIncrement(rating, 1)), toMonthIncrement(rating, -1));
      expect(toRatingMonth(row)).toEqual(toRatingMonth(emptyRow('2026-11')));
    }
  });
});

describe('a stored month', () => {
  test('a stored month has every star in a fixed order, and fits the contract', () => {
    const month = toRatingMonth({ distribution: { 5: 2, 1: 1 }, sumOfSquares: 3, sum: 2, count: 1, month: '2026-11' });
    expect(JSON.stringify(month)).toBe(
      '{"month":"2026-11","count":1,"sum":2,"sumOfSquares":3,"distribution":{"1":1,"2":0,"3":0,"4":0,"5":2}}',
    );
    expect(RatingMonth.parse(month)).toEqual(month);
  });

  test('a stored month may lack its distribution', () => {
    expect(toRatingMonth({ month: '2026-11', count: 0, sum: 0, sumOfSquares: 0 }).distribution).toEqual({
      1: 0,
      2: 0,
      3: 0,
      4: 0,
      5: 0,
    });
  });
});

describe('summing reviews', () => {
  const random = seeded(7);
  const someReviews = (count: number): DatedRating[] =>
    Array.from({ length: count }, () => ({
      rating: (100 + Math.floor(random() * 401)) / 100,
      createdAt: new Date(Date.UTC(2025, 0, 1) + Math.floor(random() * 400 * 86_400_000)),
    }));

  test('returns nothing for no reviews', () => {
    expect(sumMonths([])).toEqual([]);
  });

  test('equals the increments, for any set of reviews in any order', () => {
    for (let round = 0; round < 50; round++) {
      const reviews = someReviews(Math.floor(random() * 60));
      const counted = byIncrements(
        reviews.map((review) => ({ ...review, sign: 1 as const })).sort(() => random() - 0.5),
      );
      expect(sorted(sumMonths(reviews))).toEqual(sorted(counted));
    }
  });

  test('equals the increments after any reviews are removed', () => {
    for (let round = 0; round < 50; round++) {
      const reviews = someReviews(60);
      const removed = reviews.filter(() => random() < 0.5);
      const left = reviews.filter((review) => !removed.includes(review));
      const counted = byIncrements([
        ...reviews.map((review) => ({ ...review, sign: 1 as const })),
        ...removed.map((review) => ({ ...review, sign: -1 as const })),
      ]);
      expect(sorted(counted.filter((month) => month.count > 0))).toEqual(sorted(sumMonths(left)));
    }
  });

  test('counts every review once, under one star', () => {
    for (const month of sumMonths(someReviews(500))) {
      const { count, distribution } = month;
      expect(Object.values(distribution).reduce((sum, stars) => sum + stars, 0)).toBe(count);
      expect(month.sum).toBeGreaterThanOrEqual(100 * count);
      expect(month.sum).toBeLessThanOrEqual(500 * count);
    }
  });
});

test('months that are updated with every added and removed review equal the sums of the remaining reviews', () => {
  const review = fc.record({
    rating: fc.integer({ min: 100, max: 500 }).map((hundredths) => hundredths / 100),
    createdAt: fc.date({ min: new Date('2026-01-01'), max: new Date('2026-03-31'), noInvalidDate: true }),
  });
  fc.assert(
    fc.property(fc.array(review), fc.array(review), (staying, leaving) => {
      const sums: Record<string, Record<string, number>> = {};
      const count = (each: (typeof staying)[number], sign: 1 | -1) => {
        const month = sums[toReviewMonth(each.createdAt)] ?? {};
        sums[toReviewMonth(each.createdAt)] = month;
        for (const [field, by] of Object.entries(toMonthIncrement(each.rating, sign)))
          month[field] = (month[field] ?? 0) + by;
      };
      for (const each of [...leaving, ...staying]) count(each, 1);
      for (const each of leaving) count(each, -1);
      const left = Object.entries(sums).filter(([, { count: n }]) => n !== 0);
      const expected = sumMonths(staying);
      expect(left.map(([month]) => month).sort()).toEqual(expected.map(({ month }) => month).sort());
      for (const { month, sum, sumOfSquares, distribution } of expected) {
        expect(sums[month]).toMatchObject({ sum, sumOfSquares });
        for (const [star, n] of Object.entries(distribution))
          expect(sums[month]?.[`distribution.${star}`] ?? 0).toBe(n);
      }
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
