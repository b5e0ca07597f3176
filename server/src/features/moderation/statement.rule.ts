import {
  APPEAL_MONTHS,
  type DecisionKind,
  REASONS,
  type ReasonCode,
  type StatementOfReasons,
} from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';

/** What a moderator says. */
export interface Verdict {
  readonly kind: DecisionKind;
  readonly reasonCode?: ReasonCode | undefined;
  readonly note?: string | undefined;
}

const restricts = (kind: DecisionKind): boolean => kind === 'reject' || kind === 'remove';

/**
 * The statement of reasons of a decision. People decide: automated means never take part.
 * @throws DomainError state_conflict, with what is missing
 */
export const statementOf = ({ kind, reasonCode, note }: Verdict): StatementOfReasons => {
  if (!restricts(kind))
    return {
      facts: note ?? 'No ground for a restriction was found.',
      reasonCode: null,
      ground: null,
      automatedMeans: false,
    };
  if (reasonCode === undefined) throw new DomainError('state_conflict', `To ${kind} a review needs a reason code.`);
  const { description, ground, needsNote } = REASONS[reasonCode];
  if (needsNote && note === undefined)
    throw new DomainError('state_conflict', `The reason ${reasonCode} says nothing by itself: add a note.`);
  return { facts: note ?? description, reasonCode, ground, automatedMeans: false };
};

/** Who can appeal against a decision: whoever it went against. A review that an appeal brought back stays. */
export const appellantOf = (kind: DecisionKind): 'author' | 'reporter' | undefined => {
  if (kind === 'keep') return 'reporter';
  return restricts(kind) ? 'author' : undefined;
};

/** The last moment for an appeal: the same day of the month, or the last one that month has. */
export const appealUntil = (decidedAt: Date): Date => {
  const until = new Date(decidedAt);
  until.setUTCMonth(until.getUTCMonth() + APPEAL_MONTHS);
  if (until.getUTCDate() !== decidedAt.getUTCDate()) until.setUTCDate(0);
  return until;
};
