import type { ReviewStatus, ReviewSubmission } from '@broker-transparency/contract';
import { Types } from 'mongoose';
import type * as z from 'zod';
import { authorOf, sharedPersons } from '../accounts/actions.ts';
import { record } from '../audit/store.ts';
import { brokersChanged } from '../brokers/actions.ts';
import { requireBroker } from '../brokers/facts.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../http/problems.ts';
import { isDuplicateKey, type Tx, transaction } from '../platform/mongo.ts';
import { duplicatesOf } from './duplicates.ts';
import { requireMove } from './status.ts';
import * as store from './store.ts';

const reviewExists = (): ProblemError =>
  new ProblemError('review_exists', 'You already have a review of this broker that is pending or published.');

/** Stores a new review as pending, in the caller's transaction. @throws ProblemError broker_not_found, review_exists */
export const submitReview = async (
  { actor, clock }: Context,
  accountId: string,
  submission: z.output<typeof ReviewSubmission>,
  tx: Tx,
): Promise<store.ReviewDocument> => {
  const now = clock();
  await requireBroker(submission.broker, tx);
  const author = await authorOf(accountId, now, tx);
  const review: store.ReviewDocument = {
    _id: new Types.ObjectId(),
    ...submission,
    accountId,
    personKey: author.personKey,
    live: true,
    status: 'pending',
    author: { displayName: author.displayName, ...(author.country ? { country: author.country } : {}) },
    identityVerified: author.kycVerified,
    createdAt: now,
  };
  // older ones may have been written before the person was recognised, under another key
  if (await store.hasLiveReview(submission.broker, author.personAccounts, tx)) throw reviewExists();
  await store.insertReview(review, tx).catch((error: unknown) => {
    throw isDuplicateKey(error) ? reviewExists() : error;
  });
  const after = { status: review.status, rating: review.rating };
  await record(
    actor,
    now,
    { action: 'review.submitted', subject: { kind: 'review', id: String(review._id) }, after },
    tx,
  );
  return review;
};

/** Nothing has this id. */
export class UnknownReview extends Error {}

/** How a move changes what is counted. */
const countChange = (from: ReviewStatus, to: ReviewStatus): 1 | -1 | 0 => {
  if (to === 'published') return 1;
  return from === 'published' ? -1 : 0;
};

/**
 * Moves a review to another state: the move, the counts, the audit entry and the due mark, or none of them.
 * @throws UnknownReview, InvalidMove
 */
export const moveReview = (
  { actor, clock }: Context,
  id: string,
  to: ReviewStatus,
  reason?: string,
): Promise<store.ReviewDocument> =>
  transaction(async (tx) => {
    const now = clock();
    const review = await store.findReview(id, tx);
    if (!review) throw new UnknownReview(`No review has the id "${id}".`);
    requireMove(id, review.status, to);
    await store.setStatus(review, to, now, tx);
    const change = countChange(review.status, to);
    if (change !== 0) {
      await store.countInMonth(review, change, tx);
      await brokersChanged([review.broker], tx);
    }
    await record(
      actor,
      now,
      {
        action: `review.${to}`,
        subject: { kind: 'review', id },
        before: { status: review.status },
        after: { status: to },
        ...(reason === undefined ? {} : { reason }),
      },
      tx,
    );
    return review;
  });

/** Reviews in a state, oldest first: the moderators' queue. */
export const listReviews = store.listByStatus;

/** Live reviews of one broker by one person, who was recognised only after they were written. */
export const listDuplicates = async () => {
  const persons = await sharedPersons();
  return duplicatesOf(persons, await store.listLiveOf(persons.flat()));
};

/** Loads many reviews of brokers that have none, such as a demo set, in one transaction. */
export const loadReviews = ({ actor, clock }: Context, reviews: readonly store.ReviewDocument[]): Promise<void> =>
  transaction(async (tx) => {
    await store.loadReviews(reviews, tx);
    await brokersChanged([...new Set(reviews.map((review) => review.broker))], tx);
    await record(
      actor,
      clock(),
      { action: 'review.loaded', subject: { kind: 'reviews', id: 'load' }, after: { count: reviews.length } },
      tx,
    );
  });
