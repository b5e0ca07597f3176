import type { DisputeChange, DisputeField, DisputeStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { DECISION_DAYS, isAbout, isStated } from './policy.rule.ts';

/** The allowed moves from each state. A state without moves is final. */
export const DISPUTE_MOVES: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  open: ['upheld', 'rejected', 'withdrawn'],
  upheld: [],
  rejected: [],
  withdrawn: [],
};

/** The fields of a dispute that its rules need. */
export interface MovableDispute {
  readonly _id: string;
  readonly field: DisputeField;
  readonly status: DisputeStatus;
  readonly createdAt: Date;
  /** The account that opened it; absent once its person was erased. */
  readonly accountId?: string | undefined;
}

const conflict = (detail: string): DomainError => new DomainError('state_conflict', detail);

/** @throws DomainError state_conflict */
export const requireDisputeMove = ({ _id, status }: MovableDispute, to: DisputeStatus): void => {
  if (DISPUTE_MOVES[status].includes(to)) return;
  throw conflict(`Dispute ${_id} is ${status}, which is final: it cannot become ${to}.`);
};

/** Returns the time by which a dispute is to be decided. */
export const computeDueAt = (createdAt: Date): Date => new Date(createdAt.getTime() + DECISION_DAYS * 86_400_000);

/** The decision of an operator about a dispute. */
export type DisputeVerdict =
  | { readonly kind: 'reject'; readonly note: string }
  | {
      readonly kind: 'uphold';
      readonly change: DisputeChange;
      /** Number of the statement that changed the fact. */
      readonly statement?: number | undefined;
      readonly note?: string | undefined;
    };

/** A statement about the broker that is to have changed the fact. */
export interface ChangingStatement {
  readonly recordedAt: Date;
  readonly properties: readonly string[];
  /** Those that it states otherwise than the statement before it. */
  readonly changed: readonly string[];
}

/**
 * Returns why a dispute cannot be upheld, or undefined. It has to name the statement by which the fact changed: about
 * this fact, and made after the dispute. A figure has none, since it follows from complaints or reviews.
 * @param found the named statement; undefined if there is none of this number
 */
export const findChangeFault = (
  { _id, field, createdAt }: MovableDispute,
  statement: number | undefined,
  found: ChangingStatement | undefined,
): string | undefined => {
  if (!isStated(field))
    return statement === undefined
      ? undefined
      : `${field} follows from what people sent: no statement changes it, so name none.`;
  if (statement === undefined)
    return 'Change the fact first, then name the statement that changed it: see fact history, column version.';
  if (found === undefined) return `There is no statement ${statement} about this broker. See: fact history`;
  if (found.recordedAt < createdAt) return `Statement ${statement} is older than dispute ${_id}: it did not answer it.`;
  if (!found.properties.some((property) => isAbout(property, field)))
    return `Statement ${statement} is not about ${field}.`;
  return found.changed.some((property) => isAbout(property, field))
    ? undefined
    : `Statement ${statement} says of ${field} what was stated before: it changed nothing.`;
};

/** States of the text of a dispute. Only a `shown` one is public. */
export const TEXT_STATES = ['waiting', 'shown', 'hidden', 'erased'] as const;
export type TextState = (typeof TEXT_STATES)[number];

/** Returns the text of a dispute as far as it is public: never of one that the firm took back. */
export const showText = ({
  status,
  text,
  textState,
}: {
  readonly status: DisputeStatus;
  readonly text?: string | undefined;
  readonly textState: TextState;
}): string | undefined => (textState === 'shown' && status !== 'withdrawn' ? text : undefined);
