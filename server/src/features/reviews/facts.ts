import type { RatingMonth, Review } from '@broker-transparency/contract';
import type { RecordSource } from '../../ledger/record/source.ts';
import type { Tx } from '../../platform/mongo.ts';
import { toReviewEntries } from './entries.rule.ts';
import { toRatingMonth } from './months.rule.ts';
import {
  findLiveBrokers,
  findMonths,
  findNewestReviews,
  listNextReviews,
  type ReviewDocument,
  readReviews,
  sumReviews,
} from './store.ts';
import { toReviewView } from './view.ts';

/** Number of reviews in a broker document. */
const RECENT = 5;

/** Source of rating months: the stored counters, or the reviews from which they derive. */
export type MonthSource = 'stored' | 'reviews';

/** Returns rating months by the key of the reviewed broker. */
export const readRatingMonths = async (
  brokers: readonly string[],
  source: MonthSource,
  tx: Tx,
): Promise<ReadonlyMap<string, RatingMonth[]>> => {
  const rows = await (source === 'stored' ? findMonths : sumReviews)(brokers, tx);
  const byBroker = Map.groupBy(rows, (row) => row.broker);
  return new Map([...byBroker].map(([broker, months]) => [broker, months.map(toRatingMonth)]));
};

/** Returns the newest published reviews by the key of the reviewed broker, newest first. */
export const findRecentReviews = async (
  brokers: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, ReviewDocument[]>> =>
  Map.groupBy(await findNewestReviews(brokers, RECENT, tx), (review) => review.broker);

/** Returns the newest of these reviews as they are published of a broker with a slug and a status. */
export const toNewestReviews = (
  reviews: readonly ReviewDocument[],
  broker: { readonly slug: string; readonly status: string },
): Review[] =>
  [...reviews]
    .sort(compareNewest)
    .slice(0, RECENT)
    .map((review) => toReviewView(review, broker));

const compareNewest = (a: ReviewDocument, b: ReviewDocument): number =>
  Number(b.publishedAt ?? 0) - Number(a.publishedAt ?? 0) || (String(a._id) < String(b._id) ? 1 : -1);

export { addMonths } from './months.rule.ts';
/** The parts of reviews that the moderation feature may use. */
export {
  type AuthorFilter,
  countByStatus,
  countPersonReviews,
  countReviews,
  countWaitingReviews,
  countWritten,
  findBusyBrokers,
  findByPerson,
  findReview,
  findSharingTextKeys,
  findTakenDown,
  findWithheldUntil,
  listByAccount,
  listReviews,
  type ReviewDocument,
  type ReviewFilter,
} from './store.ts';
export { toReplyView, toReviewView, toSubmittedView } from './view.ts';

/** Returns the brokers among these that have live reviews. */
export const findReviewedBrokers = findLiveBrokers;

/** The entries that the record must have of reviews, by their ids. */
export const reviewSource: RecordSource = {
  kinds: ['review'],
  next: listNextReviews,
  entries: async (ids, tx) => (await readReviews(ids, tx)).flatMap(toReviewEntries),
};
