import type { ComplaintReceipt, ComplaintSubmission, Review, SubmittedReview } from '@broker-transparency/client';
import type { Known } from './known.ts';

/** State of a review: one that a test server can give. */
export type ReviewState = Known<SubmittedReview['status']>;

/**
 * A review as the test server holds it.
 * @example const pending = server.reviews.filter(({ status }: StoredReview) => status === 'pending');
 */
export interface StoredReview extends SubmittedReview {
  readonly status: ReviewState;
  /** Token of its author; undefined: a fixture. */
  readonly token: string | undefined;
  /** Where it is published. */
  readonly publishedAt?: string | undefined;
  readonly reply?: Review['reply'];
}

/**
 * A complaint as the test server holds it.
 * @example expect(server.complaints.map(({ category }: StoredComplaint) => category)).toEqual(['withdrawal']);
 */
export interface StoredComplaint extends ComplaintSubmission {
  readonly reference: string;
  readonly status: Known<ComplaintReceipt['status']>;
  readonly createdAt: string;
  /** Token of its author. */
  readonly token: string;
}
