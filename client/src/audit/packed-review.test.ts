import { RECORDED_REVIEW_STATES, type ReviewValue } from '@broker-transparency/contract/record';
import { expect, test } from 'vitest';
import { packReview, unpackReview } from './packed-review.ts';

const review = (over: Partial<ReviewValue> = {}): ReviewValue => ({
  broker: 'alpha',
  rating: 4.25,
  month: '2026-03',
  state: 'published',
  ...over,
});

test.each([
  ...RECORDED_REVIEW_STATES.map((state) => review({ state })),
  ...['0000-01', '1999-12', '2026-01', '9999-12'].map((month) => review({ month })),
  ...[0, 0.01, 1, 3.33, 4.99, 5, 5.11].map((rating) => review({ rating })),
])('%j is one whole number', (one) => {
  for (const broker of [0, 1, 4_000_000]) {
    const packed = packReview(one, broker) as number;
    expect(Number.isSafeInteger(packed)).toBe(true);
    expect(unpackReview(packed, (number) => (number === broker ? one.broker : 'another'))).toEqual(one);
  }
});

test.each([
  { month: '2026-13' },
  { month: '2026-3' },
  { month: '12026-03' },
  { rating: 4.255 },
  { rating: -1 },
  { rating: 5.12 },
  { state: 'hidden' as never },
])('%j is not', (over) => {
  expect(packReview(review(over), 1)).toBeUndefined();
});
