import type { ComplaintStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { isTimely } from './deadlines.rule.ts';
import { type ComplaintOutcome, type Ending, OUTCOMES } from './policy.rule.ts';
import { type MovableComplaint, requireAnswerTime } from './transitions.rule.ts';

/** The kinds of wrong records that an operator can correct. */
export const CORRECTIONS = {
  answer_found: 'the broker had answered, or at another time',
  wrong_outcome: 'it ended in another way',
  ended_by_mistake: 'it was rejected or withdrawn by mistake',
} as const;
export type CorrectionCode = keyof typeof CORRECTIONS;

/** The right state, by kind of wrong record. */
export type Correction =
  | { readonly code: 'answer_found'; readonly answeredAt: Date }
  | { readonly code: 'wrong_outcome'; readonly outcome: ComplaintOutcome }
  | { readonly code: 'ended_by_mistake' };

/** The fields of a complaint that a correction depends on. */
export interface CorrectableComplaint extends MovableComplaint {
  readonly screenedAt?: Date;
  readonly ending?: Ending;
}

/** The fields that a correction sets and removes. */
export interface CorrectionResult {
  readonly set: {
    readonly status: ComplaintStatus;
    readonly respondedAt?: Date;
    readonly ending?: Ending;
    readonly correctedAt: Date;
    readonly correctionDue: true;
  };
  readonly unset: readonly ('closedAt' | 'ending')[];
  /** States and codes for the audit trail. */
  readonly noted: Readonly<Record<string, string | boolean>>;
}

/** A correction without the fields that all corrections have. */
type CorrectionDraft = Omit<CorrectionResult, 'set'> & {
  readonly set: Omit<CorrectionResult['set'], 'correctedAt' | 'correctionDue'>;
};

const refuse = ({ _id, status }: CorrectableComplaint, why: string): DomainError =>
  new DomainError('state_conflict', `Complaint ${_id} is ${status}: ${why}`);

/** An answer found late reopens a complaint that ended without an answer; otherwise only its time changes. */
const correctAnswer = (complaint: CorrectableComplaint, answeredAt: Date, at: Date): CorrectionDraft => {
  const { status, ending } = complaint;
  if (status === 'forwarded') throw refuse(complaint, 'record the answer by complaint answer.');
  if (!['responded', 'resolved', 'unresolved'].includes(status))
    throw refuse(complaint, 'only one that was sent to the broker, and did not end otherwise, has an answer.');
  requireAnswerTime(complaint, answeredAt, at);
  const isReopened = ending === 'no_answer';
  return {
    set: { status: isReopened ? 'responded' : status, respondedAt: answeredAt },
    unset: isReopened ? ['closedAt', 'ending'] : [],
    noted: { timely: isTimely({ ...complaint, respondedAt: answeredAt }), respondedAt: answeredAt.toISOString() },
  };
};

/** Corrects the outcome, which counts from the day on which the complaint ended. */
const correctOutcome = (complaint: CorrectableComplaint, outcome: ComplaintOutcome): CorrectionDraft => {
  const { status, ending, respondedAt } = complaint;
  const { to, from } = OUTCOMES[outcome];
  if (status !== 'resolved' && status !== 'unresolved') throw refuse(complaint, 'only one that ended has an outcome.');
  if (from !== 'responded') throw refuse(complaint, `${outcome} is what the clocks say of silence.`);
  if (respondedAt === undefined) throw refuse(complaint, 'the broker has not answered: correct that first.');
  if (ending === outcome) throw refuse(complaint, `it ended with ${outcome} already.`);
  return { set: { status: to, ending: outcome }, unset: [], noted: { ending: outcome } };
};

/** Returns a rejected or withdrawn complaint to its earlier state. */
const reopenComplaint = (complaint: CorrectableComplaint): CorrectionDraft => {
  const { status, ending, respondedAt, forwardedAt, screenedAt } = complaint;
  if (status !== 'rejected' && status !== 'withdrawn')
    throw refuse(complaint, 'only one that was rejected or withdrawn is opened again.');
  if (ending === 'person_erased' || complaint.erasedAt) throw refuse(complaint, 'its author was erased.');
  const before = respondedAt ? 'responded' : forwardedAt ? 'forwarded' : screenedAt ? 'screening' : 'received';
  return { set: { status: before }, unset: ['closedAt', 'ending'], noted: {} };
};

const buildCorrection = (complaint: CorrectableComplaint, correction: Correction, at: Date): CorrectionDraft => {
  switch (correction.code) {
    case 'answer_found':
      return correctAnswer(complaint, correction.answeredAt, at);
    case 'wrong_outcome':
      return correctOutcome(complaint, correction.outcome);
    case 'ended_by_mistake':
      return reopenComplaint(complaint);
  }
};

/** Corrects a wrongly recorded complaint. @throws DomainError state_conflict if the correction is impossible */
export const correct = (complaint: CorrectableComplaint, correction: Correction, at: Date): CorrectionResult => {
  const { set, ...change } = buildCorrection(complaint, correction, at);
  return { ...change, set: { ...set, correctedAt: at, correctionDue: true } };
};
