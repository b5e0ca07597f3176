import { ModerationCounts, REASON_CODES, REVIEW_STATUSES } from '@broker-transparency/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CountedReview,
  diffCells,
  flattenCounts,
  sumCells,
  toAppealCells,
  toCounts,
  toReportCells,
  toReviewCells,
} from './counts.rule.ts';

const everyReview: CountedReview[] = REVIEW_STATUSES.flatMap((status): CountedReview[] =>
  status === 'rejected' || status === 'removed'
    ? REASON_CODES.map((reasonCode) => ({ status, reasonCode }))
    : [{ status }],
);

/** Sums all counts except `received`, which callers take out. */
const spread = (value: object): number => Object.values(flattenCounts(value)).reduce((sum, count) => sum + count, 0);

describe('a review', () => {
  test.each(everyReview)(
    'a review that is $status ($reasonCode) counts as received and in exactly one other place',
    (review) => {
      const { received, ...places } = toCounts(diffCells([], toReviewCells(review))).reviews;
      expect([received, spread(places)]).toEqual([1, 1]);
    },
  );

  test('a review that moves changes its place and stays received once', () => {
    const pending = { status: 'pending' } as const;
    const rejected = { status: 'rejected', reasonCode: 'insult' } as const;
    expect(diffCells(toReviewCells(pending), toReviewCells(rejected))).toEqual({
      'reviews.pending': -1,
      'reviews.rejected.insult': 1,
    });
    expect(diffCells(toReviewCells(rejected), toReviewCells(rejected))).toEqual({});
    expect(diffCells(toReviewCells(rejected), [])).toEqual({ 'reviews.received': -1, 'reviews.rejected.insult': -1 });
  });

  test('a review without a stored reason counts under other_with_text', () => {
    expect(toReviewCells({ status: 'removed' })).toContain('reviews.removed.other_with_text');
  });
});

test.each([
  [toReportCells({ status: 'open' }), { received: 1, open: 1, upheld: 0 }],
  [toReportCells({ status: 'decided', outcome: 'removed' }), { received: 1, open: 0, upheld: 1 }],
  [toReportCells({ status: 'decided', outcome: 'kept' }), { received: 1, open: 0, upheld: 0 }],
  [toReportCells({ status: 'decided', outcome: 'withdrawn' }), { received: 1, open: 0, upheld: 0 }],
])('a report counts as %j', (cells, expected) => expect(toCounts(diffCells([], cells)).reports).toEqual(expected));

test.each([
  [toAppealCells({ status: 'open' }), { received: 1, open: 1, reversed: 0 }],
  [toAppealCells({ status: 'decided', outcome: 'confirmed' }), { received: 1, open: 0, reversed: 0 }],
  [toAppealCells({ status: 'decided', outcome: 'reversed' }), { received: 1, open: 0, reversed: 1 }],
])('an appeal counts as %j', (cells, expected) => expect(toCounts(diffCells([], cells)).appeals).toEqual(expected));

test('the published form has every count, and converts back to the same cells', () => {
  const cells = sumCells([...everyReview, ...everyReview].map((review) => diffCells([], toReviewCells(review))));
  const counts = toCounts(cells);
  expect(ModerationCounts.parse(counts)).toEqual(counts);
  expect(toCounts(flattenCounts(counts))).toEqual(counts);
  const { received, ...places } = counts.reviews;
  expect(spread(places)).toBe(received);
  expect(spread(toCounts({}))).toBe(0);
});

test('counts that follow a record from state to state equal those of its current state', () => {
  const cell = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (places) => {
      const changes = places.map((after, index) => diffCells(places[index - 1] ?? [], after));
      const sums = Object.entries(sumCells(changes)).filter(([, count]) => count !== 0);
      expect(sums.sort()).toEqual((places.at(-1) as string[]).map((name): [string, number] => [name, 1]).sort());
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
