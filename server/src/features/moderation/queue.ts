import type { ReviewStatus } from '@broker-transparency/contract';
import { brokersOf } from '../brokers/facts.ts';
import { countWritten, findReviews, listByStatus, type ReviewDocument, sharingTextKeys } from '../reviews/facts.ts';
import { type Hint, hintsOf } from './hints.rule.ts';
import * as store from './store.ts';

const DAY = 86_400_000;
/** Maximum number of reviews that a text is compared with. */
const CANDIDATES = 20;

/** A review as moderators see it. */
export interface QueuedReview extends Omit<ReviewDocument, '_id' | 'textKeys'> {
  readonly id: string;
  readonly hints: readonly Hint[];
  readonly flags: readonly Pick<store.FlagDocument, 'reasonCode' | 'note' | 'by' | 'createdAt'>[];
  readonly openReports: number;
}

/** Returns the current hints about a review. */
const hintsNow = async (review: ReviewDocument, brokers: readonly string[]): Promise<Hint[]> => {
  const { createdAt } = review;
  const dayBefore = new Date(createdAt.getTime() - DAY);
  const [candidates, lastDay, before] = await Promise.all([
    review.textKeys?.length ? sharingTextKeys(review, CANDIDATES) : [],
    countWritten(brokers, dayBefore, createdAt),
    countWritten(brokers, new Date(dayBefore.getTime() - 90 * DAY), dayBefore),
  ]);
  const texts = candidates.map(({ _id, content }) => ({ id: String(_id), content }));
  return hintsOf(review, { candidates: texts, lastDay, before });
};

/** Adds hints, flags and the number of open reports to reviews. */
export const withHints = async (reviews: readonly ReviewDocument[]): Promise<QueuedReview[]> => {
  const ids = reviews.map(({ _id }) => String(_id));
  const flags = Map.groupBy(await store.flagsOf(ids), ({ reviewId }) => reviewId);
  const reports = Map.groupBy(await store.openReports(ids), ({ reviewId }) => reviewId);
  const find = await brokersOf(reviews.map(({ broker }) => broker));
  const queued: QueuedReview[] = [];
  for (const review of reviews) {
    const { _id, textKeys, ...rest } = review;
    const id = String(_id);
    const { slug, keys } = find(review.broker) ?? { slug: review.broker, keys: [review.broker] };
    queued.push({
      id,
      ...rest,
      broker: slug,
      hints: await hintsNow(review, keys),
      flags: (flags.get(id) ?? []).map(({ reasonCode, note, by, createdAt }) => ({
        reasonCode,
        ...(note === undefined ? {} : { note }),
        by,
        createdAt,
      })),
      openReports: reports.get(id)?.length ?? 0,
    });
  }
  return queued;
};

/** Lists reviews in a state, or all flagged reviews, oldest first. */
export const listQueue = async (filter: { status: ReviewStatus } | 'flagged', limit: number): Promise<QueuedReview[]> =>
  withHints(
    filter === 'flagged'
      ? await findReviews(await store.flaggedReviews(), limit)
      : await listByStatus(filter.status, limit),
  );
