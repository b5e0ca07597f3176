import type { EntryKind } from '@broker-transparency/contract/record';
import type { DeliveryFault } from '../../platform/webhooks/message.rule.ts';
import {
  computeNextAttempt,
  ENDPOINT_RETRIES,
  isNoticeDue,
  MOST_AT_ONCE,
  MOST_BLOCKED,
  MOST_QUEUED,
  MOST_RETRIES_AT_ONCE,
  REFUSALS_IN_A_ROW,
  SUBJECT_RETRIES,
} from './policy.rule.ts';

/** What an event says, and whose order it keeps. */
export interface DeliveryEvent {
  readonly number: number;
  readonly kind: EntryKind;
  readonly key: string;
  readonly subject: string;
  readonly time: string;
}

interface FailureState {
  readonly since: Date;
  readonly attempts: number;
  readonly problem: string;
  /** Whether the customer was told when tries end. */
  readonly isAnnounced: boolean;
}

/** A subject whose events wait. */
interface SubjectBlock extends FailureState {
  readonly subject: string;
  /** The first number of it that is not delivered. */
  readonly at: number;
  /** null: not before the customer resumes the endpoint. */
  readonly nextTryAt: Date | null;
}

/** A failure of the endpoint as a whole. */
interface EndpointOutage extends FailureState {
  readonly nextTryAt: Date;
}

/** How far an endpoint is. It is all that is stored: what waits is read from the record again. */
export interface DeliveryPosition {
  /** Everything below this number is delivered, or is of a blocked subject. */
  readonly next: number;
  readonly blocked: readonly SubjectBlock[];
  readonly whole: EndpointOutage | null;
}

/** What to deliver next: one event, or the events of a blocked subject, one after another. */
export type DeliveryJob =
  | { readonly subject: string; readonly isProbe: boolean; readonly event: DeliveryEvent }
  | { readonly subject: string; readonly isProbe: boolean; readonly event?: undefined };

/** A subject with what waits of it. */
interface SubjectBacklog extends SubjectBlock {
  /** The last number of it that was passed over. */
  readonly through: number;
}

/** The position from which an endpoint goes on after a pause: everything that failed is tried at once. */
export const resumePosition = ({ next, blocked }: DeliveryPosition, now: Date): DeliveryPosition => ({
  next,
  blocked: blocked.map((one) => ({ ...one, since: now, attempts: 0, isAnnounced: false, nextTryAt: now })),
  whole: null,
});

/**
 * Decides what an endpoint gets next. Events of one subject keep their order; a subject whose event is refused waits,
 * and the others go on. A failure of the endpoint as a whole is one block: one request at a time asks whether it is over.
 * @param random returns numbers from 0 to 1
 */
export const createDeliveryQueue = (
  stored: DeliveryPosition,
  isWanted: (event: DeliveryEvent) => boolean,
  random: () => number,
) => {
  let read = stored.next;
  let outage = stored.whole;
  let refusedInARow = 0;
  /** In the order of numbers. */
  let queue: DeliveryEvent[] = [];
  /** The number of the event that is under way, by subject; undefined where a blocked subject is tried. */
  const inFlight = new Map<string, number | undefined>();
  const blockedSubjects = new Map<string, SubjectBacklog>(
    stored.blocked.map((one) => [one.subject, { ...one, through: Math.max(one.at, stored.next - 1) }]),
  );

  const scheduleRetry = (
    before: FailureState | undefined,
    schedule: typeof SUBJECT_RETRIES,
    fault: DeliveryFault,
    now: Date,
  ): FailureState & { nextTryAt: Date | null } => {
    const since = before && before.attempts > 0 ? before.since : now;
    const attempts = (before?.attempts ?? 0) + 1;
    const { problem, retryAfterMs = 0 } = fault;
    const due = computeNextAttempt(schedule, { since, attempts, now }, random());
    const nextTryAt = due && new Date(Math.max(due.getTime(), now.getTime() + retryAfterMs));
    return { since, attempts, problem, isAnnounced: before?.isAnnounced ?? false, nextTryAt };
  };

  /** Begins or continues the failure of the whole endpoint. Returns whether its tries have ended. */
  const recordOutage = (fault: DeliveryFault, now: Date): boolean => {
    const { nextTryAt, ...failing } = scheduleRetry(outage ?? undefined, ENDPOINT_RETRIES, fault, now);
    outage = { ...failing, nextTryAt: nextTryAt ?? now };
    return nextTryAt === null;
  };

  const requeue = ({ event }: DeliveryJob): void => {
    if (event) queue = [...queue, event].sort((a, b) => a.number - b.number);
  };

  const blockSubject = (subject: string, change: Partial<SubjectBacklog> & Pick<SubjectBacklog, 'at'>): void => {
    const before = blockedSubjects.get(subject);
    const made = { since: new Date(0), attempts: 0, problem: '', isAnnounced: false, nextTryAt: new Date(0) };
    const merged: SubjectBacklog = { subject, through: change.at, ...made, ...before, ...change };
    blockedSubjects.set(subject, { ...merged, through: Math.max(merged.through, merged.at) });
  };

  /** Leaves out events of blocked subjects: they are read again when their turn comes. */
  const skipBlocked = (): void => {
    if (blockedSubjects.size === 0) return;
    queue = queue.filter(({ subject, number }) => {
      const waiting = blockedSubjects.get(subject);
      if (waiting) blockedSubjects.set(subject, { ...waiting, through: Math.max(waiting.through, number) });
      return !waiting;
    });
  };

  const startEvent = (event: DeliveryEvent, isProbe: boolean): DeliveryJob => {
    queue = queue.filter((one) => one !== event);
    inFlight.set(event.subject, event.number);
    return { subject: event.subject, isProbe, event };
  };

  /** Takes the next event whose subject is free. */
  const takeEvent = (): DeliveryJob | undefined => {
    skipBlocked();
    const event = queue.find(({ subject }) => !inFlight.has(subject));
    return event && startEvent(event, false);
  };

  const startRetry = (subject: string, isProbe: boolean): DeliveryJob => {
    inFlight.set(subject, undefined);
    return { subject, isProbe };
  };

  /** One subject with many events would keep all others from being read: its own are passed over, and read again. */
  const blockFirst = (): void => {
    const [first] = queue;
    if (first) blockSubject(first.subject, { at: inFlight.get(first.subject) ?? first.number });
  };

  const findDueSubject = (now: Date): string | undefined => {
    let retries = 0;
    for (const number of inFlight.values()) if (number === undefined) retries++;
    if (retries >= MOST_RETRIES_AT_ONCE) return undefined;
    for (const { subject, nextTryAt } of blockedSubjects.values())
      if (nextTryAt && nextTryAt <= now && !inFlight.has(subject)) return subject;
    return undefined;
  };

  /** Asks whether the endpoint is back, each time by another subject: one of them may be refused for itself. */
  const takeProbe = (now: Date): DeliveryJob | undefined => {
    if (!outage || outage.nextTryAt > now || inFlight.size > 0) return undefined;
    skipBlocked();
    const fresh = [...new Map(queue.toReversed().map((event) => [event.subject, event])).values()].reverse();
    const tried = [...blockedSubjects.values()].filter(({ nextTryAt }) => nextTryAt !== null);
    const candidates = [...fresh.slice(0, REFUSALS_IN_A_ROW), ...tried];
    const chosen = candidates[outage.attempts % Math.max(1, candidates.length)];
    if (chosen === undefined) return undefined;
    return 'kind' in chosen ? startEvent(chosen, true) : startRetry(chosen.subject, true);
  };

  const recordSuccess = (now: Date): void => {
    refusedInARow = 0;
    if (!outage) return;
    outage = null;
    for (const one of blockedSubjects.values())
      if (one.nextTryAt) blockedSubjects.set(one.subject, { ...one, nextTryAt: now });
  };

  return {
    /** The number to read from, if more can be taken in; undefined otherwise. */
    wantsFrom: (): number | undefined =>
      queue.length < MOST_QUEUED && (outage === null || queue.length === 0) ? read : undefined,
    /** Takes in what was read from `wantsFrom` on: all entries below `end`. */
    add: (events: readonly DeliveryEvent[], end: number): void => {
      for (const event of events) if (event.number >= read && event.number < end && isWanted(event)) queue.push(event);
      read = Math.max(read, end);
    },
    take: (now: Date): DeliveryJob | undefined => {
      if (outage) return takeProbe(now);
      if (inFlight.size >= MOST_AT_ONCE) return undefined;
      const due = findDueSubject(now);
      if (due !== undefined) return startRetry(due, false);
      const job = takeEvent();
      if (job || queue.length < MOST_QUEUED) return job;
      blockFirst();
      return takeEvent();
    },
    /** Which numbers of a blocked subject to read and deliver next: from `from` on, through `through`. */
    waiting: (subject: string): { readonly from: number; readonly through: number } => {
      const { at, through } = blockedSubjects.get(subject) as SubjectBacklog;
      return { from: at, through };
    },
    isWanted,
    /** An event was delivered. The next one of a blocked subject may follow at once. */
    delivered: ({ subject, event }: DeliveryJob, number: number, now: Date): void => {
      recordSuccess(now);
      if (event) inFlight.delete(subject);
      const one = blockedSubjects.get(subject);
      if (one)
        blockedSubjects.set(subject, { ...one, at: number + 1, attempts: 0, isAnnounced: false, nextTryAt: now });
    },
    /** Nothing of a blocked subject waits through a number. Returns whether it is free, and nothing came meanwhile. */
    caughtUp: (subject: string, through: number): boolean => {
      const { through: last } = blockedSubjects.get(subject) as SubjectBacklog;
      if (last > through) return false;
      blockedSubjects.delete(subject);
      inFlight.delete(subject);
      return true;
    },
    /** A delivery failed. Returns true if the endpoint is to be paused. */
    failed: (job: DeliveryJob, fault: DeliveryFault, now: Date): boolean => {
      const { subject, event, isProbe } = job;
      inFlight.delete(subject);
      const before = blockedSubjects.get(subject);
      if (outage || fault.isWhole || (!before && blockedSubjects.size >= MOST_BLOCKED)) {
        if (!before) requeue(job);
        return outage === null || isProbe ? recordOutage(fault, now) : false;
      }
      blockSubject(subject, {
        at: event?.number ?? (before as SubjectBacklog).at,
        ...scheduleRetry(before, SUBJECT_RETRIES, fault, now),
      });
      if (event && ++refusedInARow >= REFUSALS_IN_A_ROW) recordOutage(fault, now);
      return false;
    },
    /** The delivery was broken off: nothing is known of it. */
    dropped: (job: DeliveryJob): void => {
      inFlight.delete(job.subject);
      if (!blockedSubjects.has(job.subject)) requeue(job);
    },
    isWhole: (): boolean => outage !== null,
    /** What the end of tries is to be announced for; undefined: nothing. */
    toAnnounce: (
      { subject }: DeliveryJob,
      now: Date,
    ): { readonly since: Date; readonly subject: string | null } | undefined => {
      const one = outage ?? blockedSubjects.get(subject);
      if (!one || one.attempts === 0 || one.isAnnounced || !isNoticeDue(one.since, now)) return undefined;
      return { since: one.since, subject: outage ? null : subject };
    },
    announced: (subject: string | null): void => {
      const one = subject === null ? undefined : blockedSubjects.get(subject);
      if (one) blockedSubjects.set(one.subject, { ...one, isAnnounced: true });
      else if (subject === null && outage) outage = { ...outage, isAnnounced: true };
    },
    /** Since when a delivery of this job fails; undefined: it did not. */
    failingSince: ({ subject }: DeliveryJob): Date | undefined => {
      const one = outage ?? blockedSubjects.get(subject);
      return one && one.attempts > 0 ? one.since : undefined;
    },
    position: (): DeliveryPosition => ({
      next: Math.min(
        read,
        queue[0]?.number ?? read,
        ...[...inFlight.values()].filter((number) => number !== undefined),
      ),
      blocked: [...blockedSubjects.values()].map(({ through, ...one }) => one),
      whole: outage,
    }),
  };
};
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;
