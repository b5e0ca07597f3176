import type { EntryKind } from '@broker-transparency/contract/record';
import type { Fault } from '../../platform/webhooks/message.rule.ts';
import {
  ENDPOINT_RETRIES,
  isAnnounced,
  MOST_AT_ONCE,
  MOST_BLOCKED,
  MOST_QUEUED,
  MOST_RETRIES_AT_ONCE,
  nextTry,
  REFUSALS_IN_A_ROW,
  SUBJECT_RETRIES,
} from './policy.rule.ts';

/** What an event says, and whose order it keeps. */
export interface Event {
  readonly number: number;
  readonly kind: EntryKind;
  readonly key: string;
  readonly subject: string;
  readonly time: string;
}

interface Failing {
  readonly since: Date;
  readonly attempts: number;
  readonly problem: string;
  /** Whether the customer was told when tries end. */
  readonly isAnnounced: boolean;
}

/** A subject whose events wait. */
interface Blocked extends Failing {
  readonly subject: string;
  /** The first number of it that is not delivered. */
  readonly at: number;
  /** null: not before the customer resumes the endpoint. */
  readonly nextTryAt: Date | null;
}

/** A failure of the endpoint as a whole. */
interface Whole extends Failing {
  readonly nextTryAt: Date;
}

/** How far an endpoint is. It is all that is stored: what waits is read from the record again. */
export interface Position {
  /** Everything below this number is delivered, or is of a blocked subject. */
  readonly next: number;
  readonly blocked: readonly Blocked[];
  readonly whole: Whole | null;
}

/** What to deliver next: one event, or the events of a blocked subject, one after another. */
export type Job =
  | { readonly subject: string; readonly isProbe: boolean; readonly event: Event }
  | { readonly subject: string; readonly isProbe: boolean; readonly event?: undefined };

/** A subject with what waits of it. */
interface Held extends Blocked {
  /** The last number of it that was passed over. */
  readonly through: number;
}

/** The position from which an endpoint goes on after a pause: everything that failed is tried at once. */
export const resumed = ({ next, blocked }: Position, now: Date): Position => ({
  next,
  blocked: blocked.map((one) => ({ ...one, since: now, attempts: 0, isAnnounced: false, nextTryAt: now })),
  whole: null,
});

/**
 * Decides what an endpoint gets next. Events of one subject keep their order; a subject whose event is refused waits,
 * and the others go on. A failure of the endpoint as a whole is one block: one request at a time asks whether it is over.
 * @param random returns numbers from 0 to 1
 */
export const createLane = (stored: Position, isWanted: (event: Event) => boolean, random: () => number) => {
  let read = stored.next;
  let whole = stored.whole;
  let refusedInARow = 0;
  /** In the order of numbers. */
  let queue: Event[] = [];
  /** The number of the event that is under way, by subject; undefined where a blocked subject is tried. */
  const flying = new Map<string, number | undefined>();
  const held = new Map<string, Held>(
    stored.blocked.map((one) => [one.subject, { ...one, through: Math.max(one.at, stored.next - 1) }]),
  );

  const again = (
    before: Failing | undefined,
    schedule: typeof SUBJECT_RETRIES,
    fault: Fault,
    now: Date,
  ): Failing & { nextTryAt: Date | null } => {
    const since = before && before.attempts > 0 ? before.since : now;
    const attempts = (before?.attempts ?? 0) + 1;
    const { problem, retryAfterMs = 0 } = fault;
    const due = nextTry(schedule, { since, attempts, now }, random());
    const nextTryAt = due && new Date(Math.max(due.getTime(), now.getTime() + retryAfterMs));
    return { since, attempts, problem, isAnnounced: before?.isAnnounced ?? false, nextTryAt };
  };

  /** Begins or continues the failure of the whole endpoint. Returns whether its tries have ended. */
  const failWhole = (fault: Fault, now: Date): boolean => {
    const { nextTryAt, ...failing } = again(whole ?? undefined, ENDPOINT_RETRIES, fault, now);
    whole = { ...failing, nextTryAt: nextTryAt ?? now };
    return nextTryAt === null;
  };

  const putBack = ({ event }: Job): void => {
    if (event) queue = [...queue, event].sort((a, b) => a.number - b.number);
  };

  const hold = (subject: string, change: Partial<Held> & Pick<Held, 'at'>): void => {
    const before = held.get(subject);
    const made = { since: new Date(0), attempts: 0, problem: '', isAnnounced: false, nextTryAt: new Date(0) };
    const merged: Held = { subject, through: change.at, ...made, ...before, ...change };
    held.set(subject, { ...merged, through: Math.max(merged.through, merged.at) });
  };

  /** Leaves out events of blocked subjects: they are read again when their turn comes. */
  const passOver = (): void => {
    if (held.size === 0) return;
    queue = queue.filter(({ subject, number }) => {
      const waiting = held.get(subject);
      if (waiting) held.set(subject, { ...waiting, through: Math.max(waiting.through, number) });
      return !waiting;
    });
  };

  const startEvent = (event: Event, isProbe: boolean): Job => {
    queue = queue.filter((one) => one !== event);
    flying.set(event.subject, event.number);
    return { subject: event.subject, isProbe, event };
  };

  /** Takes the next event whose subject is free. */
  const takeEvent = (): Job | undefined => {
    passOver();
    const event = queue.find(({ subject }) => !flying.has(subject));
    return event && startEvent(event, false);
  };

  const retry = (subject: string, isProbe: boolean): Job => {
    flying.set(subject, undefined);
    return { subject, isProbe };
  };

  /** One subject with many events would keep all others from being read: its own are passed over, and read again. */
  const makeRoom = (): void => {
    const [first] = queue;
    if (first) hold(first.subject, { at: flying.get(first.subject) ?? first.number });
  };

  const dueSubject = (now: Date): string | undefined => {
    let retries = 0;
    for (const number of flying.values()) if (number === undefined) retries++;
    if (retries >= MOST_RETRIES_AT_ONCE) return undefined;
    for (const { subject, nextTryAt } of held.values())
      if (nextTryAt && nextTryAt <= now && !flying.has(subject)) return subject;
    return undefined;
  };

  /** Asks whether the endpoint is back, each time by another subject: one of them may be refused for itself. */
  const probe = (now: Date): Job | undefined => {
    if (!whole || whole.nextTryAt > now || flying.size > 0) return undefined;
    passOver();
    const fresh = [...new Map(queue.toReversed().map((event) => [event.subject, event])).values()].reverse();
    const tried = [...held.values()].filter(({ nextTryAt }) => nextTryAt !== null);
    const candidates = [...fresh.slice(0, REFUSALS_IN_A_ROW), ...tried];
    const chosen = candidates[whole.attempts % Math.max(1, candidates.length)];
    if (chosen === undefined) return undefined;
    return 'kind' in chosen ? startEvent(chosen, true) : retry(chosen.subject, true);
  };

  const succeed = (now: Date): void => {
    refusedInARow = 0;
    if (!whole) return;
    whole = null;
    for (const one of held.values()) if (one.nextTryAt) held.set(one.subject, { ...one, nextTryAt: now });
  };

  return {
    /** The number to read from, if more can be taken in; undefined otherwise. */
    wantsFrom: (): number | undefined =>
      queue.length < MOST_QUEUED && (whole === null || queue.length === 0) ? read : undefined,
    /** Takes in what was read from `wantsFrom` on: all entries below `end`. */
    add: (events: readonly Event[], end: number): void => {
      for (const event of events) if (event.number >= read && event.number < end && isWanted(event)) queue.push(event);
      read = Math.max(read, end);
    },
    take: (now: Date): Job | undefined => {
      if (whole) return probe(now);
      if (flying.size >= MOST_AT_ONCE) return undefined;
      const due = dueSubject(now);
      if (due !== undefined) return retry(due, false);
      const job = takeEvent();
      if (job || queue.length < MOST_QUEUED) return job;
      makeRoom();
      return takeEvent();
    },
    /** Which numbers of a blocked subject to read and deliver next: from `from` on, through `through`. */
    waiting: (subject: string): { readonly from: number; readonly through: number } => {
      const { at, through } = held.get(subject) as Held;
      return { from: at, through };
    },
    isWanted,
    /** An event was delivered. The next one of a blocked subject may follow at once. */
    delivered: ({ subject, event }: Job, number: number, now: Date): void => {
      succeed(now);
      if (event) flying.delete(subject);
      const one = held.get(subject);
      if (one) held.set(subject, { ...one, at: number + 1, attempts: 0, isAnnounced: false, nextTryAt: now });
    },
    /** Nothing of a blocked subject waits through a number. Returns whether it is free, and nothing came meanwhile. */
    caughtUp: (subject: string, through: number): boolean => {
      const { through: last } = held.get(subject) as Held;
      if (last > through) return false;
      held.delete(subject);
      flying.delete(subject);
      return true;
    },
    /** A delivery failed. Returns true if the endpoint is to be paused. */
    failed: (job: Job, fault: Fault, now: Date): boolean => {
      const { subject, event, isProbe } = job;
      flying.delete(subject);
      const before = held.get(subject);
      if (whole || fault.isWhole || (!before && held.size >= MOST_BLOCKED)) {
        if (!before) putBack(job);
        return whole === null || isProbe ? failWhole(fault, now) : false;
      }
      hold(subject, { at: event?.number ?? (before as Held).at, ...again(before, SUBJECT_RETRIES, fault, now) });
      if (event && ++refusedInARow >= REFUSALS_IN_A_ROW) failWhole(fault, now);
      return false;
    },
    /** The delivery was broken off: nothing is known of it. */
    dropped: (job: Job): void => {
      flying.delete(job.subject);
      if (!held.has(job.subject)) putBack(job);
    },
    isWhole: (): boolean => whole !== null,
    /** What the end of tries is to be announced for; undefined: nothing. */
    toAnnounce: (
      { subject }: Job,
      now: Date,
    ): { readonly since: Date; readonly subject: string | null } | undefined => {
      const one = whole ?? held.get(subject);
      if (!one || one.attempts === 0 || one.isAnnounced || !isAnnounced(one.since, now)) return undefined;
      return { since: one.since, subject: whole ? null : subject };
    },
    announced: (subject: string | null): void => {
      const one = subject === null ? undefined : held.get(subject);
      if (one) held.set(one.subject, { ...one, isAnnounced: true });
      else if (subject === null && whole) whole = { ...whole, isAnnounced: true };
    },
    /** Since when a delivery of this job fails; undefined: it did not. */
    failingSince: ({ subject }: Job): Date | undefined => {
      const one = whole ?? held.get(subject);
      return one && one.attempts > 0 ? one.since : undefined;
    },
    position: (): Position => ({
      next: Math.min(read, queue[0]?.number ?? read, ...[...flying.values()].filter((number) => number !== undefined)),
      blocked: [...held.values()].map(({ through, ...one }) => one),
      whole,
    }),
  };
};
export type Lane = ReturnType<typeof createLane>;
