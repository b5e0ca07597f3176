import type { EntryKind } from '@broker-transparency/contract/record';
import type { DeliveryFault } from '../../platform/webhooks/message.rule.ts';
import { type BlockedSubjects, createBlockedSubjects, type SubjectBlock } from './blocked.rule.ts';
import { recordFault } from './failure.rule.ts';
import { createOutage, type EndpointOutage, type Outage } from './outage.rule.ts';
import {
  isNoticeDue,
  MOST_AT_ONCE,
  MOST_QUEUED,
  MOST_RETRIES_AT_ONCE,
  REFUSALS_IN_A_ROW,
  SUBJECT_RETRIES,
} from './policy.rule.ts';

/** An event, and the subject whose order it keeps. */
export interface DeliveryEvent {
  readonly number: number;
  readonly kind: EntryKind;
  readonly key: string;
  readonly subject: string;
  readonly time: string;
}

/** How far an endpoint is. It is all that is stored: what waits is read from the record again. */
export interface DeliveryPosition {
  /** Everything below this number is delivered, or is of a blocked subject. */
  readonly next: number;
  readonly blocked: readonly SubjectBlock[];
  readonly whole: EndpointOutage | null;
}

/** The next delivery: one event, or the events of a blocked subject, one after another. */
export type DeliveryJob =
  | { readonly subject: string; readonly isProbe: boolean; readonly event: DeliveryEvent }
  | { readonly subject: string; readonly isProbe: boolean; readonly event?: undefined };

/** The position from which an endpoint goes on after a pause: everything that failed is tried at once. */
export const resumePosition = ({ next, blocked }: DeliveryPosition, now: Date): DeliveryPosition => ({
  next,
  blocked: blocked.map((one) => ({ ...one, since: now, attempts: 0, isAnnounced: false, nextTryAt: now })),
  whole: null,
});

/** Keeps the events that an endpoint has read ahead, in the order of numbers. */
const createReadAhead = (next: number, isWanted: (event: DeliveryEvent) => boolean) => {
  let read = next;
  let events: DeliveryEvent[] = [];
  return {
    /** The number to read from. */
    end: (): number => read,
    first: (): DeliveryEvent | undefined => events[0],
    isFull: (): boolean => events.length >= MOST_QUEUED,
    find: (isFree: (event: DeliveryEvent) => boolean): DeliveryEvent | undefined => events.find(isFree),
    /** The first event of each subject. */
    firsts: (): DeliveryEvent[] =>
      [...new Map(events.toReversed().map((event) => [event.subject, event])).values()].reverse(),
    add: (added: readonly DeliveryEvent[], end: number): void => {
      for (const event of added) if (event.number >= read && event.number < end && isWanted(event)) events.push(event);
      read = Math.max(read, end);
    },
    putBack: ({ event }: DeliveryJob): void => {
      if (event) events = [...events, event].sort((a, b) => a.number - b.number);
    },
    leaveOut: (isLeftOut: (event: DeliveryEvent) => boolean): void => {
      events = events.filter((event) => !isLeftOut(event));
    },
  };
};

/** The known state of the deliveries to an endpoint. */
interface QueueState {
  readonly ahead: ReturnType<typeof createReadAhead>;
  readonly blocked: BlockedSubjects;
  readonly outage: Outage;
  /** The number of the event that is under way, by subject; undefined where a blocked subject is tried. */
  readonly inFlight: Map<string, number | undefined>;
}

/** Makes the function that takes what to deliver next. */
const createTake = ({ ahead, blocked, outage, inFlight }: QueueState) => {
  const startEvent = (event: DeliveryEvent, isProbe: boolean): DeliveryJob => {
    ahead.leaveOut((one) => one === event);
    inFlight.set(event.subject, event.number);
    return { subject: event.subject, isProbe, event };
  };

  const startRetry = (subject: string, isProbe: boolean): DeliveryJob => {
    inFlight.set(subject, undefined);
    return { subject, isProbe };
  };

  /** Leaves out events of blocked subjects: they are read again when their turn comes. */
  const skipBlocked = (): void => {
    if (!blocked.isEmpty()) ahead.leaveOut(blocked.hold);
  };

  /** Takes the next event whose subject is free. */
  const takeEvent = (): DeliveryJob | undefined => {
    skipBlocked();
    const event = ahead.find(({ subject }) => !inFlight.has(subject));
    return event && startEvent(event, false);
  };

  /** One subject with many events would keep all others from being read: its own are passed over, and read again. */
  const blockFirst = (): void => {
    const first = ahead.first();
    if (first) blocked.block(first.subject, { at: inFlight.get(first.subject) ?? first.number });
  };

  const findDueSubject = (now: Date): string | undefined => {
    let retries = 0;
    for (const number of inFlight.values()) if (number === undefined) retries++;
    if (retries >= MOST_RETRIES_AT_ONCE) return undefined;
    for (const { subject, nextTryAt } of blocked.tried())
      if (nextTryAt && nextTryAt <= now && !inFlight.has(subject)) return subject;
    return undefined;
  };

  /** Asks whether the endpoint is back, each time by another subject: one of them may be refused for itself. */
  const takeProbe = ({ attempts, nextTryAt }: EndpointOutage, now: Date): DeliveryJob | undefined => {
    if (nextTryAt > now || inFlight.size > 0) return undefined;
    skipBlocked();
    const candidates = [...ahead.firsts().slice(0, REFUSALS_IN_A_ROW), ...blocked.tried()];
    const chosen = candidates[attempts % Math.max(1, candidates.length)];
    if (chosen === undefined) return undefined;
    return 'kind' in chosen ? startEvent(chosen, true) : startRetry(chosen.subject, true);
  };

  return (now: Date): DeliveryJob | undefined => {
    const failing = outage.current();
    if (failing) return takeProbe(failing, now);
    if (inFlight.size >= MOST_AT_ONCE) return undefined;
    const due = findDueSubject(now);
    if (due !== undefined) return startRetry(due, false);
    const job = takeEvent();
    if (job || !ahead.isFull()) return job;
    blockFirst();
    return takeEvent();
  };
};

/** Makes the functions that note what came of deliveries. */
const createOutcomes = ({ ahead, blocked, outage, inFlight }: QueueState, random: () => number) => ({
  /** An event was delivered. The next one of a blocked subject may follow at once. */
  delivered: ({ subject, event }: DeliveryJob, number: number, now: Date): void => {
    if (outage.end()) blocked.retryAll(now);
    if (event) inFlight.delete(subject);
    blocked.change(subject, { at: number + 1, attempts: 0, isAnnounced: false, nextTryAt: now });
  },
  /** Nothing of a blocked subject waits through a number. Returns whether it is free, and nothing came meanwhile. */
  caughtUp: (subject: string, through: number): boolean => {
    const isFree = blocked.free(subject, through);
    if (isFree) inFlight.delete(subject);
    return isFree;
  },
  /** A delivery failed. Returns true if the endpoint is to be paused. */
  failed: (job: DeliveryJob, fault: DeliveryFault, now: Date): boolean => {
    const { subject, event, isProbe } = job;
    inFlight.delete(subject);
    const before = blocked.find(subject);
    const isOut = outage.current() !== null;
    if (isOut || fault.isWhole || (!before && blocked.isFull())) {
      if (!before) ahead.putBack(job);
      return !isOut || isProbe ? outage.record(fault, now) : false;
    }
    const at = event?.number ?? blocked.get(subject).at;
    blocked.block(subject, { at, ...recordFault(before, SUBJECT_RETRIES, fault, now, random()) });
    if (event) outage.countRefusal(fault, now);
    return false;
  },
  /** The delivery was broken off: nothing is known of it. */
  dropped: (job: DeliveryJob): void => {
    inFlight.delete(job.subject);
    if (!blocked.find(job.subject)) ahead.putBack(job);
  },
});

/** Makes the functions that say what fails, and since when. */
const createFailures = ({ blocked, outage }: QueueState) => ({
  /** The target whose end of tries is to be announced; undefined if there is none. */
  toAnnounce: (
    { subject }: DeliveryJob,
    now: Date,
  ): { readonly since: Date; readonly subject: string | null } | undefined => {
    const one = outage.current() ?? blocked.find(subject);
    if (!one || one.attempts === 0 || one.isAnnounced || !isNoticeDue(one.since, now)) return undefined;
    return { since: one.since, subject: outage.current() ? null : subject };
  },
  announced: (subject: string | null): void => {
    if (subject === null) outage.announced();
    else blocked.change(subject, { isAnnounced: true });
  },
  /** Since when a delivery of this job fails; undefined: it did not. */
  failingSince: ({ subject }: DeliveryJob): Date | undefined => {
    const one = outage.current() ?? blocked.find(subject);
    return one && one.attempts > 0 ? one.since : undefined;
  },
});

/**
 * Decides what an endpoint gets next. Events of one subject keep their order; a subject whose event is refused waits,
 * and the others go on. A failure of the endpoint as a whole is one block: one request at a time asks whether it is
 * over.
 * @param random returns numbers from 0 to 1
 */
export const createDeliveryQueue = (
  stored: DeliveryPosition,
  isWanted: (event: DeliveryEvent) => boolean,
  random: () => number,
) => {
  const ahead = createReadAhead(stored.next, isWanted);
  const blocked = createBlockedSubjects(stored.blocked, stored.next);
  const outage = createOutage(stored.whole, random);
  const inFlight: QueueState['inFlight'] = new Map();
  const state: QueueState = { ahead, blocked, outage, inFlight };

  return {
    /** The number to read from, if more can be taken in; undefined otherwise. */
    wantsFrom: (): number | undefined =>
      !ahead.isFull() && (outage.current() === null || ahead.first() === undefined) ? ahead.end() : undefined,
    /** Takes in what was read from `wantsFrom` on: all entries below `end`. */
    add: ahead.add,
    take: createTake(state),
    /** The numbers of a blocked subject to read and deliver next: `from` through `through`. */
    waiting: (subject: string): { readonly from: number; readonly through: number } => {
      const { at, through } = blocked.get(subject);
      return { from: at, through };
    },
    ...createOutcomes(state, random),
    ...createFailures(state),
    position: (): DeliveryPosition => ({
      next: Math.min(
        ahead.end(),
        ahead.first()?.number ?? ahead.end(),
        ...[...inFlight.values()].filter((number) => number !== undefined),
      ),
      blocked: blocked.stored(),
      whole: outage.current(),
    }),
  };
};
export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;
