import type { ComplaintStatus } from '@broker-transparency/contract';
import { COMPLAINT_CLOCK, REMINDER_DAYS } from './policy.rule.ts';

const DAY = 86_400_000;
/**
 * Maximum difference between the clocks of machines, in milliseconds. A due date is recorded only once it has passed on
 * all machines.
 */
const CLOCK_SKEW = 60_000;

/** The fields that determine the deadlines of a complaint. */
export interface DeadlineFields {
  readonly status: ComplaintStatus;
  readonly forwardedAt?: Date;
  readonly respondedAt?: Date;
}

const addForwardedDays = ({ forwardedAt }: DeadlineFields, days: number): Date | undefined =>
  forwardedAt && new Date(forwardedAt.getTime() + days * DAY);

/** Returns the due date of the broker's answer, or undefined before the complaint is forwarded. */
export const computeDueAt = (complaint: DeadlineFields): Date | undefined =>
  addForwardedDays(complaint, COMPLAINT_CLOCK.dueDays);

/** Returns the time after which no answer is accepted, or undefined before the complaint is forwarded. */
export const computeFinalAt = (complaint: DeadlineFields): Date | undefined =>
  addForwardedDays(complaint, COMPLAINT_CLOCK.finalDays);

export const isOverdue = (complaint: DeadlineFields, at: Date): boolean => {
  const due = computeDueAt(complaint);
  return complaint.status === 'forwarded' && due !== undefined && due < at;
};

export const isTimely = (complaint: DeadlineFields): boolean => {
  const due = computeDueAt(complaint);
  return complaint.respondedAt !== undefined && due !== undefined && complaint.respondedAt <= due;
};

/** The fields of a complaint that the clocks read and write. */
export interface ClockFields extends DeadlineFields {
  readonly overdueNotedAt?: Date;
  readonly reminders?: readonly { readonly day: number }[];
}

/** The steps that are due for a complaint. */
export interface DueSteps {
  /** The complaint ends unresolved. */
  readonly ends: boolean;
  /** The answer is overdue, which is not recorded yet. */
  readonly overdue: boolean;
  /** The latest threshold reached, unless a reminder for it or a later one is recorded. */
  readonly remind?: number;
}

const NOTHING: DueSteps = { ends: false, overdue: false };

/** Returns the steps that are due at a time, without those already taken. Pure. */
export const findDueSteps = (complaint: ClockFields, at: Date): DueSteps => {
  const final = computeFinalAt(complaint);
  if (complaint.status !== 'forwarded' || final === undefined) return NOTHING;
  if (final < at) return { ends: true, overdue: false };
  const reached = REMINDER_DAYS.findLast((day) => (addForwardedDays(complaint, day) ?? at) <= at);
  const latest = Math.max(0, ...(complaint.reminders ?? []).map(({ day }) => day));
  return {
    ends: false,
    overdue: complaint.overdueNotedAt === undefined && isOverdue(complaint, new Date(at.getTime() - CLOCK_SKEW)),
    ...(reached !== undefined && reached > latest ? { remind: reached } : {}),
  };
};

/** Milliseconds after forwarding before which no step is due. */
export const FIRST_STEP_MS = Math.min(...REMINDER_DAYS, COMPLAINT_CLOCK.dueDays) * DAY;
