import { type DecisionKind, REASONS, type ReasonCode, type StatementOfReasons } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { APPEAL_MONTHS, addMonths } from './policy.rule.ts';

/** Why an operator withdraws a review on behalf of its author. */
export const WITHDRAWAL_REASONS = ['author_request', 'account_closed'] as const;
/** One of {@link WITHDRAWAL_REASONS}. */
export type WithdrawalReason = (typeof WITHDRAWAL_REASONS)[number];

/** Maximum days for which a review can be withheld at once. */
export const MOST_DAYS_WITHHELD = 60;

/** A moderator's decision. */
export interface ModerationVerdict {
  readonly kind: DecisionKind;
  readonly reasonCode?: ReasonCode | undefined;
  readonly note?: string | undefined;
}

/** The circumstances of a decision. */
export interface DecisionCircumstances {
  /** True if somebody reported the review before. */
  readonly isReported: boolean;
  /** End of a restriction; undefined if none is set. */
  readonly until?: Date | undefined;
}

/** Returns true if a decision takes a review down, or does not publish it. */
export const isRestriction = (kind: DecisionKind): boolean =>
  kind === 'reject' || kind === 'remove' || kind === 'withhold';

/** The parts of a statement that restricts nothing. */
const UNRESTRICTED = { reasonCode: null, ground: null, automatedMeans: false, origin: null, scope: null, until: null };

/**
 * Returns the statement of reasons for a decision. Decisions are by people, except after a merger of brokers.
 * @throws DomainError state_conflict naming what is missing
 */
export const buildStatement = (
  { kind, reasonCode, note }: ModerationVerdict,
  { isReported, until }: DecisionCircumstances,
): StatementOfReasons => {
  if (!isRestriction(kind)) return { facts: note ?? 'No ground for a restriction was found.', ...UNRESTRICTED };
  if (reasonCode === undefined) throw new DomainError('state_conflict', `To ${kind} a review needs a reason code.`);
  const { description, ground, needsNote } = REASONS[reasonCode];
  if (needsNote && note === undefined)
    throw new DomainError('state_conflict', `The reason ${reasonCode} says nothing by itself: add a note.`);
  return {
    facts: note ?? description,
    reasonCode,
    ground,
    automatedMeans: reasonCode === 'merged',
    origin: isReported ? 'report' : 'own_initiative',
    scope: 'everywhere',
    until: until?.toISOString() ?? null,
  };
};

/**
 * Returns the side that can appeal: the one that the decision is against. Nobody can appeal if an appeal reinstates a
 * review.
 */
export const findAppellant = (kind: DecisionKind): 'author' | 'reporter' | undefined => {
  if (kind === 'keep') return 'reporter';
  return isRestriction(kind) ? 'author' : undefined;
};

/** Returns the last moment for an appeal. */
export const computeAppealEnd = (decidedAt: Date): Date => addMonths(decidedAt, APPEAL_MONTHS);

/** States of a review in which its author can appeal against the last decision. */
const RESTRICTED: ReadonlySet<string> = new Set(['rejected', 'removed', 'withheld']);

/** The reader of a decision; of an author, with the state of the review. */
export type Reader = { readonly side: 'reporter' } | { readonly side: 'author'; readonly status: string };

/**
 * Returns true if a reader can appeal a decision of this kind, apart from the time and an earlier appeal. An author can
 * while the review is restricted.
 */
export const isAppealable = (kind: DecisionKind, reader: Reader): boolean =>
  findAppellant(kind) === reader.side && (reader.side === 'reporter' || RESTRICTED.has(reader.status));
