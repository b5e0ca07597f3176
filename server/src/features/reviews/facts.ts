import type { RatingMonth, Review } from '@broker-transparency/contract';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { Tx } from '../../platform/mongo.ts';
import { reviewEntries } from './entries.rule.ts';
import { toRatingMonth } from './months.rule.ts';
import { findLiveBrokers, findMonths, newestReviews, type ReviewDocument, readReviews, sumReviews } from './store.ts';
import { reviewView } from './view.ts';

/** Number of reviews in a broker document. */
const RECENT = 5;

/** Where rating months come from: the stored counters, or the reviews that these must agree with. */
export type MonthSource = 'stored' | 'reviews';

/** Returns rating months by key of the broker that the reviews were written about. */
export const ratingMonths = async (
  brokers: readonly string[],
  source: MonthSource,
  tx: Tx,
): Promise<ReadonlyMap<string, RatingMonth[]>> => {
  const rows = await (source === 'stored' ? findMonths : sumReviews)(brokers, tx);
  const byBroker = Map.groupBy(rows, (row) => row.broker);
  return new Map([...byBroker].map(([broker, months]) => [broker, months.map(toRatingMonth)]));
};

/** Returns the newest published reviews, by key of the broker that they were written about, newest first. */
export const recentReviews = async (
  brokers: readonly string[],
  tx: Tx,
): Promise<ReadonlyMap<string, ReviewDocument[]>> =>
  Map.groupBy(await newestReviews(brokers, RECENT, tx), (review) => review.broker);

/** Returns the newest of these reviews as they are published under a slug. */
export const newestOf = (reviews: readonly ReviewDocument[], slug: string): Review[] =>
  [...reviews]
    .sort(newestFirst)
    .slice(0, RECENT)
    .map((review) => reviewView(review, slug));

const newestFirst = (a: ReviewDocument, b: ReviewDocument): number =>
  Number(b.publishedAt ?? 0) - Number(a.publishedAt ?? 0) || (String(a._id) < String(b._id) ? 1 : -1);

export { addMonths } from './months.rule.ts';
/** What the moderation feature may use of reviews. */
export {
  type Author,
  countByStatus,
  countOfPerson,
  countReviews,
  countWritten,
  findByPerson,
  findReview,
  findTakenDown,
  findWithheldUntil,
  listByAccount,
  listReviews,
  nextReviews,
  type ReviewDocument,
  type ReviewFilter,
  sharingTextKeys,
  waitingReviews,
  writtenAbout,
} from './store.ts';
export { replyView, submittedView } from './view.ts';

/** Returns those of these brokers that have a pending or published review. */
export const brokersReviewed = findLiveBrokers;

/** Returns what the record must say of the reviews with these ids. */
export const reviewEntriesOf = async (ids: readonly string[], tx: Tx): Promise<EntryDraft[]> =>
  (await readReviews(ids, tx)).flatMap(reviewEntries);
