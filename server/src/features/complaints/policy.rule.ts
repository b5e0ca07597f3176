import type { ComplaintStatus } from '@broker-transparency/contract';

/** Outcomes of a forwarded complaint: the state that each leads to, and the state in which it is possible. */
export const OUTCOMES = {
  refunded: { to: 'resolved', from: 'responded', what: 'the broker paid back' },
  corrected: { to: 'resolved', from: 'responded', what: 'the broker put it right' },
  explained: { to: 'resolved', from: 'responded', what: 'the explanation was accepted' },
  settled: { to: 'resolved', from: 'responded', what: 'both agreed on something else' },
  rejected_by_broker: { to: 'unresolved', from: 'responded', what: 'the broker refused' },
  insufficient_answer: { to: 'unresolved', from: 'responded', what: 'the answer did not meet the complaint' },
  no_answer: { to: 'unresolved', from: 'forwarded', what: 'the final date passed in silence' },
} as const satisfies Record<string, { to: ComplaintStatus; from: ComplaintStatus; what: string }>;
export type ComplaintOutcome = keyof typeof OUTCOMES;

/** Returns the outcomes that lead to a state. */
export const listOutcomes = (status: 'resolved' | 'unresolved'): ComplaintOutcome[] =>
  (Object.keys(OUTCOMES) as ComplaintOutcome[]).filter((outcome) => OUTCOMES[outcome].to === status);

/** Reasons to reject a complaint. */
export const REJECTIONS = {
  out_of_scope: 'not about a service of this broker',
  duplicate: 'the same matter is being handled already',
  insufficient_information: 'it cannot be understood, and questions were not answered',
  no_consent: 'its author does not want it sent to the broker',
  abusive: 'insults, threats, or a false statement made knowingly',
  in_proceedings: 'a court or an ombudsman has it',
} as const;
export type Rejection = keyof typeof REJECTIONS;

/** Reasons to withdraw a complaint. Only an erasure sets `person_erased`. */
export const WITHDRAWALS = {
  by_author: 'its author asked for it',
  settled_privately: 'its author and the broker agreed elsewhere',
} as const;
export type Withdrawal = keyof typeof WITHDRAWALS | 'person_erased';

/** All codes with which a complaint can end. */
export const ENDINGS = [
  ...Object.keys(OUTCOMES),
  ...Object.keys(REJECTIONS),
  ...Object.keys(WITHDRAWALS),
  'person_erased',
] as readonly (ComplaintOutcome | Rejection | Withdrawal)[];
export type Ending = (typeof ENDINGS)[number];

/** Days after forwarding on which a broker that has not answered is reminded. */
export const REMINDER_DAYS = [10, 15, 45, 55] as const;

/** Ways by which a complaint reached the operator, if it was not sent to the API. */
export const CHANNELS = ['letter', 'email', 'phone', 'person', 'form', 'other'] as const;
export type Channel = (typeof CHANNELS)[number];

export const EVIDENCE_KINDS = ['statement', 'correspondence', 'contract', 'screenshot', 'trade_log', 'other'] as const;

/** Maximum number of pieces of evidence per complaint. */
export const MOST_EVIDENCE = 50;

/**
 * Days after forwarding until the broker's answer is due, and until the complaint ends as unresolved. These are the
 * service's own deadlines, not legal ones.
 */
export const COMPLAINT_CLOCK = { dueDays: 15, finalDays: 60 } as const;
