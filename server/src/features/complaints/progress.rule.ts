import type { ComplaintStatus } from '@broker-transparency/contract';
import { computeDueAt, computeFinalAt, type DeadlineFields } from './deadlines.rule.ts';

/** The times of a complaint. */
export interface ComplaintTimes extends DeadlineFields {
  readonly createdAt: Date;
  readonly screenedAt?: Date;
  readonly closedAt?: Date;
}

/** A state that a complaint has entered, and when. */
export interface ComplaintStep {
  readonly status: ComplaintStatus;
  readonly at: Date;
}

/** Returns the states that a complaint went through, oldest first. */
export const listSteps = ({
  status,
  createdAt,
  screenedAt,
  forwardedAt,
  respondedAt,
  closedAt,
}: ComplaintTimes): ComplaintStep[] => {
  const times: readonly (readonly [ComplaintStatus, Date | undefined])[] = [
    ['received', createdAt],
    ['screening', screenedAt],
    ['forwarded', forwardedAt],
    ['responded', respondedAt],
    [status, closedAt],
  ];
  return times.flatMap(([one, at]) => (at === undefined ? [] : [{ status: one, at }]));
};

/** The next step of a complaint: who has to take it, and until when. */
export interface ComplaintDuty {
  /** Nobody once the complaint has ended. */
  readonly by: 'operator' | 'broker' | 'nobody';
  /** Until when the broker's answer is in time; absent for a step without a deadline. */
  readonly dueAt?: Date;
  /** When the complaint ends as unresolved without an answer. */
  readonly finalAt?: Date;
  /** True if the answer is late. */
  readonly isOverdue: boolean;
}

/** Returns who has to act on a complaint at a time. Only the broker's answer has a deadline. */
export const findDuty = (complaint: ComplaintTimes, at: Date): ComplaintDuty => {
  const { status, closedAt } = complaint;
  if (closedAt !== undefined) return { by: 'nobody', isOverdue: false };
  if (status !== 'forwarded') return { by: 'operator', isOverdue: false };
  const [dueAt, finalAt] = [computeDueAt(complaint), computeFinalAt(complaint)];
  return {
    by: 'broker',
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(finalAt === undefined ? {} : { finalAt }),
    isOverdue: dueAt !== undefined && dueAt < at,
  };
};
