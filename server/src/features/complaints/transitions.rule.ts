import type { ComplaintStatus } from '@broker-transparency/contract';
import { DomainError } from '../../platform/domain-error.ts';
import { computeFinalAt, type DeadlineFields, isTimely } from './deadlines.rule.ts';
import { type ComplaintOutcome, type Ending, OUTCOMES, type Rejection, type Withdrawal } from './policy.rule.ts';
import { requireMove } from './status.rule.ts';

/** The fields that a move depends on. */
export interface MovableComplaint extends DeadlineFields {
  readonly _id: string;
  readonly consentToForward: boolean;
  readonly createdAt: Date;
  readonly erasedAt?: Date;
}

/** The fields that a move writes, and the codes and states that it records in the audit trail. */
export interface ComplaintMove {
  readonly set: {
    readonly status: Exclude<ComplaintStatus, 'received'>;
    readonly screenedAt?: Date;
    readonly forwardedAt?: Date;
    readonly respondedAt?: Date;
    readonly closedAt?: Date;
    readonly ending?: Ending;
    readonly answer?: string;
  };
  readonly reason: string;
  readonly noted?: Readonly<Record<string, string | boolean>>;
}

export const screen = (complaint: MovableComplaint, at: Date): ComplaintMove => {
  requireMove(complaint._id, complaint.status, 'screening');
  return { set: { status: 'screening', screenedAt: at }, reason: 'taken_up' };
};

/** @throws DomainError state_conflict if a complaint cannot have been forwarded at that time */
const requireForwardTime = ({ _id, createdAt }: MovableComplaint, forwardedAt: Date, at: Date): void => {
  const why =
    forwardedAt > at
      ? 'that is in the future.'
      : forwardedAt < createdAt
        ? `it was received on ${createdAt.toISOString()}.`
        : undefined;
  if (why === undefined) return;
  throw new DomainError(
    'state_conflict',
    `Complaint ${_id} cannot have been forwarded on ${forwardedAt.toISOString()}: ${why}`,
  );
};

/** Forwards a complaint, which starts the broker's clocks at the time of sending, by default now. */
export const forward = (complaint: MovableComplaint, at: Date, forwardedAt: Date = at): ComplaintMove => {
  requireMove(complaint._id, complaint.status, 'forwarded');
  requireForwardTime(complaint, forwardedAt, at);
  if (!complaint.consentToForward)
    throw new DomainError(
      'state_conflict',
      `Complaint ${complaint._id} must not be forwarded: its author does not consent. Reject it with no_consent.`,
    );
  return {
    set: { status: 'forwarded', forwardedAt },
    reason: 'consent_given',
    ...(forwardedAt === at ? {} : { noted: { forwardedAt: forwardedAt.toISOString() } }),
  };
};

export interface ComplaintAnswer {
  /** Time of the broker's answer; by default now. */
  readonly answeredAt?: Date | undefined;
  /** The text of the answer. Private. */
  readonly text?: string | undefined;
}

/** @throws DomainError state_conflict if the broker cannot have answered at that time */
export const requireAnswerTime = (complaint: MovableComplaint, answeredAt: Date, at: Date): void => {
  const from = complaint.forwardedAt ?? complaint.createdAt;
  const final = computeFinalAt(complaint);
  const refuse = (why: string): never => {
    throw new DomainError(
      'state_conflict',
      `Complaint ${complaint._id} cannot have an answer of ${answeredAt.toISOString()}: ${why}`,
    );
  };
  if (answeredAt > at) refuse('that is in the future.');
  if (answeredAt < from) refuse(`it was forwarded on ${from.toISOString()}.`);
  if (final !== undefined && answeredAt > final)
    refuse(`its final date was ${final.toISOString()}. Run: admin complaint clocks`);
};

/** Records the broker's answer, whether it is in time or late. */
export const answer = (complaint: MovableComplaint, { answeredAt, text }: ComplaintAnswer, at: Date): ComplaintMove => {
  requireMove(complaint._id, complaint.status, 'responded');
  if (text !== undefined && complaint.erasedAt)
    throw new DomainError(
      'state_conflict',
      `The author of complaint ${complaint._id} was erased: record the answer without its text.`,
    );
  const respondedAt = answeredAt ?? at;
  requireAnswerTime(complaint, respondedAt, at);
  return {
    set: { status: 'responded', respondedAt, ...(text === undefined ? {} : { answer: text }) },
    reason: 'broker_answered',
    noted: { timely: isTimely({ ...complaint, respondedAt }), respondedAt: respondedAt.toISOString() },
  };
};

/** Ends a complaint with an outcome. Without an answer, it ends on the final date, even if that is recorded later. */
export const conclude = (complaint: MovableComplaint, outcome: ComplaintOutcome, at: Date): ComplaintMove => {
  const { to, from } = OUTCOMES[outcome];
  requireMove(complaint._id, complaint.status, to);
  if (complaint.status !== from)
    throw new DomainError(
      'state_conflict',
      `Complaint ${complaint._id} is ${complaint.status}; ${outcome} ends one that is ${from}.`,
    );
  const final = computeFinalAt(complaint);
  const silent = from === 'forwarded';
  if (silent && (final === undefined || final >= at))
    throw new DomainError(
      'state_conflict',
      `Complaint ${complaint._id} waits for the broker until ${final?.toISOString() ?? 'a date that is not known'}.`,
    );
  const closedAt = silent && final !== undefined ? final : at;
  return { set: { status: to, closedAt, ending: outcome }, reason: outcome, noted: { ending: outcome } };
};

const endComplaint = (
  complaint: MovableComplaint,
  status: 'rejected' | 'withdrawn',
  ending: Rejection | Withdrawal,
  at: Date,
): ComplaintMove => {
  requireMove(complaint._id, complaint.status, status);
  return { set: { status, closedAt: at, ending }, reason: ending, noted: { ending } };
};

export const reject = (complaint: MovableComplaint, rejection: Rejection, at: Date): ComplaintMove =>
  endComplaint(complaint, 'rejected', rejection, at);

export const withdraw = (complaint: MovableComplaint, withdrawal: Withdrawal, at: Date): ComplaintMove =>
  endComplaint(complaint, 'withdrawn', withdrawal, at);

/**
 * Ends a complaint that was not forwarded, because it cannot be sent without its text. The clocks of a forwarded
 * complaint continue.
 */
export const endByErasure = (complaint: MovableComplaint, at: Date): ComplaintMove | undefined =>
  complaint.status === 'received' || complaint.status === 'screening'
    ? withdraw(complaint, 'person_erased', at)
    : undefined;
