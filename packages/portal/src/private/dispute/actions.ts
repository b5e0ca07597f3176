import type { Review } from '@broker-transparency/client';
import type { DisputeField } from '@broker-transparency/contract';

/** The end of an action. `missing`: there is no such thing for this person. `conflict`: not in its state now. */
export type ActionResult = 'done' | 'missing' | 'conflict' | 'invalid';

/** A complaint that the operator sent to the firm, with its author's consent. */
export interface FirmComplaint {
  readonly reference: string;
  readonly title: string;
  readonly content: string;
  /** Name of the author; undefined if they were erased. */
  readonly author: string | undefined;
  readonly occurredAt: string | undefined;
  readonly amount: { readonly amount: string; readonly currency: string } | undefined;
  readonly desiredResolution: string | undefined;
  /** RFC 3339, like the other times. */
  readonly forwardedAt: string;
  readonly dueAt: string;
  readonly finalAt: string;
  /** Set once it was answered. */
  readonly respondedAt: string | undefined;
  readonly answer: string | undefined;
  /** True if it takes an answer now. */
  readonly isOpen: boolean;
}

/** A reply of the firm to a review. */
export interface FirmReply {
  readonly id: string;
  readonly reviewId: string;
  readonly status: 'waiting' | 'published' | 'declined' | 'withdrawn';
  /** The reason for which it was declined. */
  readonly reason: string | undefined;
  /** The text while it waits. */
  readonly content: string | undefined;
  readonly createdAt: string;
}

/** A dispute of the firm, as the firm sees it. */
export interface FirmDispute {
  readonly reference: string;
  readonly field: string;
  readonly status: string;
  readonly since: string;
  readonly dueAt: string;
  readonly decidedAt?: string | undefined;
  readonly change?: string | undefined;
  readonly statement?: number | undefined;
  /** The whole text, also while it is not public. */
  readonly text: string | undefined;
  /** Links, which only the firm and operators see. */
  readonly evidence: readonly string[];
  /** The reason of the decision. */
  readonly note: string | undefined;
}

/** A firm that a person answers for, with what waits for it. */
export interface AnsweredFirm {
  readonly slug: string;
  readonly name: string;
  /** False if the firm cannot reply in public. */
  readonly mayReply: boolean;
  /** Open ones first. */
  readonly complaints: readonly FirmComplaint[];
  readonly replies: readonly FirmReply[];
  /** Open ones first. */
  readonly disputes: readonly FirmDispute[];
}

/** Lets people who are confirmed by two operators answer for a firm. */
export interface DisputeActions {
  /** Takes the code that went to the address of the register. Returns the slug of the firm, or undefined. */
  readonly claim: (code: string) => Promise<string | undefined>;
  /** Returns undefined if the person does not answer for the firm. */
  readonly readFirm: (slug: string) => Promise<AnsweredFirm | undefined>;
  /** Returns a complaint that was sent to the firm and has not ended. */
  readonly readComplaint: (slug: string, reference: string) => Promise<FirmComplaint | undefined>;
  /** Returns a published review of the firm that has no reply. */
  readonly readReview: (slug: string, id: string) => Promise<Review | undefined>;
  readonly resign: (slug: string) => Promise<ActionResult>;
  readonly answerComplaint: (slug: string, reference: string, text: string) => Promise<ActionResult>;
  readonly reply: (slug: string, reviewId: string, content: string) => Promise<ActionResult>;
  readonly withdrawReply: (slug: string, id: string) => Promise<ActionResult>;
  readonly dispute: (
    slug: string,
    given: { readonly field: DisputeField; readonly text: string; readonly evidence: readonly string[] },
  ) => Promise<ActionResult>;
  readonly withdrawDispute: (slug: string, reference: string) => Promise<ActionResult>;
}
