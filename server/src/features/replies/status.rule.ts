import { mayReply } from '@broker-transparency/contract/record';
import { DomainError } from '../../platform/domain-error.ts';
import { NO_REPLY_OF_CLONE } from '../representatives/rights.rule.ts';

/** Every state of a reply to a review. Only a `published` one is public. */
export const REPLY_STATES = ['waiting', 'published', 'declined', 'withdrawn'] as const;
export type ReplyState = (typeof REPLY_STATES)[number];

/** The allowed moves from each state. A state without moves is final. */
export const REPLY_MOVES: Readonly<Record<ReplyState, readonly ReplyState[]>> = {
  waiting: ['published', 'declined', 'withdrawn'],
  published: ['withdrawn'],
  declined: [],
  withdrawn: [],
};

/** @throws DomainError state_conflict */
export const requireReplyMove = (id: string, from: ReplyState, to: ReplyState): void => {
  if (REPLY_MOVES[from].includes(to)) return;
  throw new DomainError('state_conflict', `Reply ${id} is ${from} and cannot become ${to}.`);
};

/** Fewest and most characters of a reply. */
export const REPLY_LENGTH = { min: 2, max: 5000 } as const;

/** The parts of a broker and a review that decide whether the firm may reply. */
export interface ReplyOccasion {
  /** Status of the broker. */
  readonly status: string;
  readonly reviewStatus: string;
  /** True if the review has a reply of the firm already, or one waits. */
  readonly hasReply: boolean;
  /** False if an operator ended the right of the author to answer for the firm. */
  readonly maySpeak: boolean;
}

export type ReplyRefusal = 'clone' | 'not_published' | 'has_reply' | 'author_ended';

/**
 * Returns why a firm may not reply to a review in public, or undefined. A suspected clone may not: it disputes facts
 * instead.
 */
export const findReplyRefusal = ({
  status,
  reviewStatus,
  hasReply,
  maySpeak,
}: ReplyOccasion): ReplyRefusal | undefined => {
  if (!mayReply({ status })) return 'clone';
  if (reviewStatus !== 'published') return 'not_published';
  if (hasReply) return 'has_reply';
  return maySpeak ? undefined : 'author_ended';
};

/** The refusals in words. */
export const REPLY_REFUSALS: Readonly<Record<ReplyRefusal, string>> = {
  clone: NO_REPLY_OF_CLONE,
  not_published: 'Only a published review can have a reply.',
  has_reply: 'The review has a reply of this firm, or one that waits.',
  author_ended: 'The person who wrote it no longer answers for the firm.',
};

/** Reasons not to publish a reply. `occasion_gone` holds only while `findReplyRefusal` has a reason. */
export const DECLINE_REASONS = {
  personal_data: 'it names or identifies a private person, or tells of their account or their payments',
  insult: 'it insults or threatens',
  advertising: 'it promotes a product or a service',
  off_topic: 'it is about something else than the review',
  unlawful: 'its publication breaks a law',
  occasion_gone: 'the review, the firm or the author can no longer have a public reply',
} as const;
export type DeclineReason = keyof typeof DECLINE_REASONS;
