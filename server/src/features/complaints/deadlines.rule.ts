import { COMPLAINT_CLOCK, type ComplaintStatus } from '@broker-transparency/contract';
import { REMINDER_DAYS } from './policy.rule.ts';

const DAY = 86_400_000;
/** The clocks of several machines differ: a due date counts as noted only when it has passed for all of them. */
const CLOCK_SKEW = 60_000;

/** What the deadlines of a complaint depend on. */
export interface Timed {
  readonly status: ComplaintStatus;
  readonly forwardedAt?: Date;
  readonly respondedAt?: Date;
}

const daysAfterForwarding = ({ forwardedAt }: Timed, days: number): Date | undefined =>
  forwardedAt && new Date(forwardedAt.getTime() + days * DAY);

/** When the broker's answer is due; undefined before the complaint was forwarded. */
export const dueAt = (complaint: Timed): Date | undefined => daysAfterForwarding(complaint, COMPLAINT_CLOCK.dueDays);

/** Until when an answer counts at all. */
export const finalAt = (complaint: Timed): Date | undefined =>
  daysAfterForwarding(complaint, COMPLAINT_CLOCK.finalDays);

export const isOverdue = (complaint: Timed, at: Date): boolean => {
  const due = dueAt(complaint);
  return complaint.status === 'forwarded' && due !== undefined && due < at;
};

export const isTimely = (complaint: Timed): boolean => {
  const due = dueAt(complaint);
  return complaint.respondedAt !== undefined && due !== undefined && complaint.respondedAt <= due;
};

/** What the clocks have noted in a complaint. */
export interface Clocked extends Timed {
  readonly overdueNotedAt?: Date;
  readonly reminders?: readonly { readonly day: number }[];
}

/** What time has brought about. */
export interface Steps {
  /** It ends unresolved. */
  readonly ends: boolean;
  /** It is overdue, and nobody has noted that yet. */
  readonly overdue: boolean;
  /** The threshold for which a reminder is to be recorded: the latest one reached, where none so late was recorded. */
  readonly remind?: number;
}

const NOTHING: Steps = { ends: false, overdue: false };

/** What is to be done to a complaint at a time. Nothing, once it was done. Pure. */
export const stepsAt = (complaint: Clocked, at: Date): Steps => {
  const final = finalAt(complaint);
  if (complaint.status !== 'forwarded' || final === undefined) return NOTHING;
  if (final < at) return { ends: true, overdue: false };
  const reached = REMINDER_DAYS.findLast((day) => (daysAfterForwarding(complaint, day) ?? at) <= at);
  const latest = Math.max(0, ...(complaint.reminders ?? []).map(({ day }) => day));
  return {
    ends: false,
    overdue: complaint.overdueNotedAt === undefined && isOverdue(complaint, new Date(at.getTime() - CLOCK_SKEW)),
    ...(reached !== undefined && reached > latest ? { remind: reached } : {}),
  };
};

/** Nothing happens to a complaint before so long after it was forwarded. */
export const FIRST_STEP_MS = Math.min(...REMINDER_DAYS, COMPLAINT_CLOCK.dueDays) * DAY;
