import type { ComplaintReceipt, OwnMail, OwnReport, OwnReview, OwnReviewProof } from '@broker-transparency/contract';
import type { FollowedBroker } from '../../follows.ts';
import type { Outcome } from '../outcome.ts';

/** A list, newest first. */
export interface OwnList<T> {
  readonly rows: readonly T[];
  /** True if there are older ones. */
  readonly hasMore: boolean;
}

/** A complaint as the person who sent it sees it. */
export interface OwnComplaint extends ComplaintReceipt {
  readonly content: string;
  readonly amountInDispute: { readonly amount: string; readonly currency: string } | undefined;
  readonly occurredAt: string | undefined;
  readonly desiredResolution: string | undefined;
  /** The broker's answer. */
  readonly answer: string | undefined;
  /** Code of how it ended. */
  readonly ending: string | undefined;
  /** The states that it went through, oldest first. */
  readonly steps: readonly { readonly status: string; readonly at: string }[];
  /** Who has to take the next step, and until when. */
  readonly duty: {
    readonly by: 'operator' | 'broker' | 'nobody';
    readonly isOverdue: boolean;
    readonly dueAt: string | undefined;
    readonly finalAt: string | undefined;
  };
}

/** Shows the signed-in person what is kept of them, and lets them change it. */
export interface MineActions {
  /** `before`: the id after which the list goes on. */
  readonly listReviews: (before?: string) => Promise<OwnList<OwnReview>>;
  readonly findReview: (id: string) => Promise<OwnReview | undefined>;
  readonly readProof: (id: string) => Promise<Outcome<OwnReviewProof>>;
  /** Returns how the log will commit to the texts of a review that waits; undefined for another one. */
  readonly readOpening: (id: string) => Promise<
    | readonly {
        readonly field: string;
        /** In base64. */
        readonly commitment: string;
        readonly salt: string;
      }[]
    | undefined
  >;
  readonly withdrawReview: (id: string) => Promise<Outcome<unknown>>;
  readonly appealReview: (id: string, text: string) => Promise<Outcome<unknown>>;
  readonly listComplaints: (after?: { readonly reference: string }) => Promise<OwnList<OwnComplaint>>;
  readonly findComplaint: (reference: string) => Promise<OwnComplaint | undefined>;
  readonly listReports: (before?: string) => Promise<OwnList<OwnReport>>;
  readonly findReport: (id: string) => Promise<OwnReport | undefined>;
  readonly appealReport: (id: string, text: string) => Promise<Outcome<unknown>>;
  readonly sendsMail: boolean;
  readonly readMail: () => Promise<OwnMail>;
  readonly requestMail: (given: { readonly address?: string; readonly language?: string }) => Promise<Outcome<unknown>>;
  readonly confirmMail: (code: string) => Promise<Outcome<unknown>>;
  readonly stopMail: () => Promise<Outcome<unknown>>;
  readonly listFollowed: () => Promise<readonly FollowedBroker[]>;
  readonly endFollow: (slug: string) => Promise<void>;
  /** Returns everything that is kept about the person, as JSON. */
  readonly exportData: () => Promise<string>;
  /** Deletes it. Returns `begun` if that takes longer than anybody waits for a page; it then goes on by itself. */
  readonly erase: () => Promise<'done' | 'begun'>;
}
