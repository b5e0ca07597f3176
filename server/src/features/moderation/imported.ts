import { defineWrittenKind, type ImportKind } from '../../ledger/import-kind.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Tx } from '../../platform/mongo.ts';
import { createPersonalCheck } from '../erasures/erased.ts';
import { createReviewCheck } from '../reviews/import-check.ts';
import { ReviewRecord } from '../reviews/imported.rule.ts';
import { importReviewsIn, readImportedReviews, readReviewStates, takeBackReviews } from '../reviews/imported.ts';
import * as store from './store.ts';

/** Refuses to delete imported reviews that have reports, flags or decisions. @throws DomainError state_conflict */
const refuseReviewsInUse = async (ids: readonly string[], tx: Tx): Promise<void> => {
  const { reports, appeals, decisions, flags } = await store.findCases(
    { accountIds: [], mailHashes: [], reviewIds: ids },
    tx,
  );
  const [found] = [...reports, ...appeals, ...decisions, ...flags];
  if (found)
    throw new DomainError(
      'state_conflict',
      `review ${found.reviewId} has reports, flags or decisions by now and stays.`,
    );
};

/** Reviews. They stand here, since one with a case of moderation is not taken back. */
export const reviewKind: ImportKind<unknown> = defineWrittenKind({
  name: 'reviews',
  subject: 'review',
  schema: ReviewRecord,
  example: {
    reference: '1001',
    broker: 'example-broker',
    rating: 4.5,
    title: 'Withdrawals arrive in two days',
    content: 'I withdrew three times this year, and each time the money was there after two days.',
    language: 'en',
    'author.subject': 'person-1001',
    'author.displayName': 'Reviewer 1001',
    'author.country': 'GB',
    'verification.provider': 'example-verification',
    'verification.person': 'reference-of-the-provider-1001',
    'verification.verifiedAt': '2025-03-01T00:00:00Z',
    status: 'published',
    createdAt: '2025-03-02T09:30:00Z',
    publishedAt: '2025-03-03T10:00:00Z',
  },
  read: readImportedReviews,
  inspect: createPersonalCheck(({ author }) => ['author.subject', author.subject], createReviewCheck),
  refuseInUse: refuseReviewsInUse,
  readStates: readReviewStates,
  importIn: importReviewsIn,
  takeBack: takeBackReviews,
});
