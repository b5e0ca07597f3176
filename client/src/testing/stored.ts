import type { ComplaintReceipt, ComplaintSubmission, Review, SubmittedReview } from '@broker-transparency/client';
import type { ModerationAppeal, ModerationDecision, OwnReport } from '@broker-transparency/client/account';
import type { KnownValue } from './known.ts';

/** A review status that a test server can set. */
export type ReviewState = KnownValue<SubmittedReview['status']>;

/**
 * A review in the test server's store.
 * @example const pending = server.reviews.filter(({ status }: StoredReview) => status === 'pending');
 */
export interface StoredReview extends SubmittedReview {
  readonly status: ReviewState;
  /** Token of the author; undefined for a fixture. */
  readonly token: string | undefined;
  /** Time of publication; undefined if not published. */
  readonly publishedAt?: string | undefined;
  readonly reply?: Review['reply'];
  /** The last decision of a moderator; null or undefined if there is none. */
  readonly decision?: ModerationDecision | null;
  /** The author's last appeal; null or undefined if there is none. */
  readonly appeal?: ModerationAppeal | null;
}

/**
 * A report about a review in the test server's store.
 * @example expect(server.reports.map(({ reason }: StoredReport) => reason)).toEqual(['insult']);
 */
export interface StoredReport extends OwnReport {
  /** Why the sender thinks so. */
  readonly text: string;
  /** Token of the sender. */
  readonly token: string;
}

/**
 * A complaint in the test server's store.
 * @example expect(server.complaints.map(({ category }: StoredComplaint) => category)).toEqual(['withdrawal']);
 */
export interface StoredComplaint extends ComplaintSubmission {
  readonly reference: string;
  readonly status: KnownValue<ComplaintReceipt['status']>;
  readonly createdAt: string;
  /** Token of the author. */
  readonly token: string;
}
