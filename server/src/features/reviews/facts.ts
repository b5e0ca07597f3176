import type { RatingMonth, Review } from '@broker-transparency/contract';
import type { Tx } from '../../platform/mongo.ts';
import { toRatingMonth } from './months.rule.ts';
import { findLiveBrokers, findMonths, newestReviews, sumReviews } from './store.ts';
import { reviewView } from './view.ts';

/** Number of reviews in a broker document. */
const RECENT = 5;

/** Where rating months come from: the stored counters, or the reviews that these must agree with. */
export type MonthSource = 'stored' | 'reviews';

/** Returns rating months by broker. */
export const ratingMonths = async (
  brokers: readonly string[],
  source: MonthSource,
  tx: Tx,
): Promise<ReadonlyMap<string, RatingMonth[]>> => {
  const rows = await (source === 'stored' ? findMonths : sumReviews)(brokers, tx);
  const byBroker = Map.groupBy(rows, (row) => row.broker);
  return new Map([...byBroker].map(([broker, months]) => [broker, months.map(toRatingMonth)]));
};

/** Returns the newest published reviews by broker. */
export const recentReviews = async (brokers: readonly string[], tx: Tx): Promise<ReadonlyMap<string, Review[]>> => {
  const byBroker = Map.groupBy(await newestReviews(brokers, RECENT, tx), (review) => review.broker);
  return new Map([...byBroker].map(([broker, reviews]) => [broker, reviews.map(reviewView)]));
};

/** What the moderation feature may use of reviews. */
export {
  countByStatus,
  countWritten,
  findByPerson,
  findReviews,
  listByAccount,
  listByStatus,
  type ReviewDocument,
  sharingTextKeys,
} from './store.ts';
export { replyView, submittedView } from './view.ts';

/** Returns those of these brokers that have a pending or published review. */
export const brokersReviewed = findLiveBrokers;
