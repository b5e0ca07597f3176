import type { ModerationAppeal, ModerationDecision } from '@broker-transparency/contract';
import type { AnsweredBroker } from '../answered-broker.ts';

/** A published review that somebody reports. */
export interface ReportedReview {
  readonly title: string;
  readonly broker: AnsweredBroker;
}

/** A report by anybody. */
interface OpenReport {
  readonly reviewId: string;
  readonly reason: string;
  readonly text: string;
  /** Absent where the law asks for none, and for somebody who is signed in. */
  readonly sender?: { readonly name: string; readonly mail: string };
  /** True if nobody is kept as its sender, also not an account. */
  readonly isAnonymous: boolean;
  /** Code of the language of mails. */
  readonly language: string;
}

/** The case of a link, as its reader sees it. Nobody else is named in it. */
export interface ShownCase {
  /** The author of the review, or who reported it. */
  readonly side: 'author' | 'reporter';
  readonly reference: string;
  /** Id of the review. */
  readonly reviewId: string;
  readonly broker: AnsweredBroker;
  /** The reported review, while it is public. */
  readonly reported: { readonly id: string; readonly title: string } | undefined;
  /** The reader's own review. */
  readonly review: { readonly title: string; readonly content: string } | undefined;
  readonly report:
    | {
        readonly reason: string;
        readonly text: string;
        readonly createdAt: string;
        readonly outcome: string | null;
      }
    | undefined;
  readonly decision: ModerationDecision | null;
  /** True if another decision about the review was made since. */
  readonly isReplaced: boolean;
  readonly appeal: (ModerationAppeal & { readonly text: string }) | null;
  /** Until when the link shows it, RFC 3339. */
  readonly endsAt: string;
}

/** Lets people without an account report a review, read a statement of reasons and appeal. */
export interface CaseActions {
  /** True if the service sends mail. */
  readonly sendsMail: boolean;
  readonly findReview: (id: string) => Promise<ReportedReview | undefined>;
  /**
   * Returns the secret of a link to the report, or its id if its sender is signed in, or why it was not taken. The same
   * report that is open already is not taken twice. `earlier`: id of the sender's other open report of the review.
   */
  readonly sendReport: (
    report: OpenReport,
  ) => Promise<
    | { readonly token: string }
    | { readonly id: string }
    | { readonly earlier: string }
    | 'no_review'
    | 'no_address'
    | 'too_many'
  >;
  /** Returns undefined if the link is unknown, has ended or was withdrawn. */
  readonly show: (token: string) => Promise<ShownCase | undefined>;
  /** Returns the proof of the entry of a statement of reasons; undefined while the log does not cover it. */
  readonly proveStatement: (key: string) => Promise<string | undefined>;
  readonly appeal: (token: string, text: string) => Promise<'taken' | 'exists' | 'too_late' | 'no_case'>;
  readonly withdraw: (token: string) => Promise<void>;
}
