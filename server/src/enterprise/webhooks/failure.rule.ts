import { computeNextTry, type EndingSchedule } from '../../platform/delivery/retry.rule.ts';
import type { DeliveryFault } from '../../platform/webhooks/message.rule.ts';

/** How something fails, and since when. */
export interface FailureState {
  readonly since: Date;
  readonly attempts: number;
  readonly problem: string;
  /** True once the customer was told when tries end. */
  readonly isAnnounced: boolean;
}

/** Begins or continues a failure. It is tried again no earlier than the customer asks for; null: not any more. */
export const recordFault = (
  before: FailureState | null | undefined,
  schedule: EndingSchedule,
  { problem, retryAfterMs = 0 }: DeliveryFault,
  now: Date,
  random: number,
): FailureState & { readonly nextTryAt: Date | null } => {
  const since = before && before.attempts > 0 ? before.since : now;
  const attempts = (before?.attempts ?? 0) + 1;
  const due = computeNextTry(schedule, { since, failures: attempts, now }, random);
  const nextTryAt = due && new Date(Math.max(due.getTime(), now.getTime() + retryAfterMs));
  return { since, attempts, problem, isAnnounced: before?.isAnnounced ?? false, nextTryAt };
};
