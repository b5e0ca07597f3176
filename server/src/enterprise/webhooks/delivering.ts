import type { Clock } from '../../platform/clock.ts';
import { createDeliveryEngine } from '../../platform/delivery/engine.ts';
import type { Deliver, DeliveryResult } from '../../platform/webhooks/deliver.ts';
import type { DeliveryFault } from '../../platform/webhooks/message.rule.ts';
import { notifyPause } from './announce.ts';
import { createDeliveryQueue, type DeliveryEvent, type DeliveryJob, type DeliveryQueue } from './lane.rule.ts';
import { entryMessage } from './message.rule.ts';
import { computePauseTime, FAILURES_KEPT } from './policy.rule.ts';
import type { Endpoint, EndpointProgress, EndpointSettings, Pause } from './store.ts';
import type { EntryReader, EntrySlice } from './tail.ts';
import type { WatchedSubjects } from './watched.ts';

/** Says on each try since when it fails how long tries go on. */
const PAUSES_AT = 'webhook-pauses-at';

/** The parts that all deliveries of a process share. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly tail: EntryReader;
  /** Returns true while the process has its endpoints. */
  readonly isTheirs: () => boolean;
  readonly onDelivery: (outcome: DeliveryResult['outcome']) => void;
  readonly onPause: (endpoint: Endpoint, why: Pause['why']) => void;
  readonly onFault: (error: unknown) => void;
}

/** The state of an endpoint that changes while this process has it. */
interface EndpointCourse {
  settings: EndpointSettings & Pick<Endpoint, 'revision'>;
  watched: WatchedSubjects;
  lastDeliveredAt: Date | null;
  failures: Endpoint['failures'];
  paused: Pause | null;
  /** True if something has to be stored. */
  isChanged: boolean;
}

/** The parts that all deliveries to one endpoint share. */
interface EndpointDeliveries {
  readonly stored: Endpoint;
  readonly course: EndpointCourse;
  readonly queue: DeliveryQueue;
  readonly common: DeliveryContext;
  readonly isStopped: () => boolean;
}

/** Makes the function that sends an event, notes what came of it, and returns whether it was taken. */
const createSend = ({ stored, course, queue, common }: EndpointDeliveries) => {
  const { clock, deliver } = common;
  const { _id } = stored;

  const pause = (why: Pause['why']): void => {
    course.paused = { at: clock(), why };
    common.onPause(stored, why);
  };

  const notifyIfDue = async (job: DeliveryJob, signal: AbortSignal): Promise<void> => {
    const pausing = queue.toAnnounce(job, clock());
    if (!pausing) return;
    const isNotified = await notifyPause(deliver, { _id, ...course.settings }, pausing, signal);
    if (isNotified) queue.announced(pausing.subject);
  };

  const recordFailure = (job: DeliveryJob, { number }: DeliveryEvent, fault: DeliveryFault, isGone = false): void => {
    const now = clock();
    course.failures = [{ at: now, number, problem: fault.problem }, ...course.failures].slice(0, FAILURES_KEPT);
    if (isGone) {
      queue.dropped(job);
      pause('gone');
    } else if (queue.failed(job, fault, now)) pause('failing');
  };

  return async (job: DeliveryJob, event: DeliveryEvent, signal: AbortSignal): Promise<boolean> => {
    await notifyIfDue(job, signal);
    const since = queue.failingSince(job);
    const headers = since ? { [PAUSES_AT]: computePauseTime(since).toISOString() } : {};
    const { outcome, fault, isGone } = await deliver(course.settings, entryMessage(_id, event), { headers, signal });
    common.onDelivery(outcome);
    course.isChanged = true;
    if (fault) recordFailure(job, event, fault, isGone);
    else {
      course.lastDeliveredAt = clock();
      queue.delivered(job, event.number, course.lastDeliveredAt);
    }
    return fault === undefined;
  };
};

const isWanted = ({ settings: { kinds }, watched }: EndpointCourse, { kind, subject }: DeliveryEvent): boolean =>
  (kinds === null || kinds.includes(kind)) && (watched === undefined || watched.has(subject));

/** Makes the function that does what the queue says. */
const createJobRunner = (deliveries: EndpointDeliveries) => {
  const { course, queue, common, isStopped } = deliveries;
  const send = createSend(deliveries);

  /** Delivers what waits of a blocked subject, until nothing does or something fails. */
  const sendWaiting = async (job: DeliveryJob, signal: AbortSignal): Promise<void> => {
    let { from, through } = queue.waiting(job.subject);
    for (;;) {
      const { events, end } = await common.tail.readSubject(job.subject, from, through);
      for (const event of events.filter((one) => isWanted(course, one))) {
        if (isStopped()) throw new Error('the endpoint was given up');
        if (!(await send(job, event, signal))) return;
      }
      if (end > through && queue.caughtUp(job.subject, through)) return;
      from = end;
      ({ through } = queue.waiting(job.subject));
    }
  };

  return async (job: DeliveryJob, signal: AbortSignal): Promise<void> => {
    if (job.event) await send(job, job.event, signal);
    else await sendWaiting(job, signal);
    course.isChanged = true;
  };
};

/** A delivery, or the number from which entries are read for the queue. */
type EndpointJob = DeliveryJob | number;

/**
 * Makes the engine of an endpoint. The queue decides what it gets; entries that are not in memory are read beside that.
 */
const createEndpointEngine = (deliveries: EndpointDeliveries) => {
  const { course, queue, common, isStopped } = deliveries;
  const { clock, tail } = common;
  const runJob = createJobRunner(deliveries);

  const refill = ({ events, end }: EntrySlice): void => {
    queue.add(events, end);
    course.isChanged = true;
  };

  return createDeliveryEngine<EndpointJob>({
    takeDue: function* (underWay) {
      if (isStopped()) return;
      const from = queue.wantsFrom();
      if (from !== undefined && from < tail.end() && !underWay.has(from)) {
        const kept = tail.kept(from);
        if (kept) refill(kept);
        else yield from;
      }
      for (let job = queue.take(clock()); job; job = isStopped() ? undefined : queue.take(clock())) yield job;
    },
    deliver: async (job, signal) =>
      typeof job === 'number' ? refill(await tail.read(job)) : await runJob(job, signal),
    onFault: (error, job) => {
      if (typeof job === 'object') queue.dropped(job);
      if (!isStopped()) common.onFault(error);
    },
    isEager: true,
  });
};

/** Delivers to one endpoint for as long as this process has it. */
export const createDeliveryWorker = (stored: Endpoint, watched: WatchedSubjects, common: DeliveryContext) => {
  const { _id, epoch, lastDeliveredAt, failures } = stored;
  const course: EndpointCourse = {
    settings: stored,
    watched,
    lastDeliveredAt,
    failures,
    paused: null,
    isChanged: false,
  };
  const queue = createDeliveryQueue(stored.position, (event) => isWanted(course, event), Math.random);
  const isStopped = (): boolean => engine.isEnding() || course.paused !== null || !common.isTheirs();
  const engine = createEndpointEngine({ stored, course, queue, common, isStopped });

  return {
    ...engine,
    endpoint: stored,
    epoch,
    revision: (): number => course.settings.revision,
    update: (settings: EndpointCourse['settings'], now: WatchedSubjects): void => {
      course.settings = settings;
      course.watched = now;
    },
    watchlist: (): string | null => course.settings.watchlist,
    watch: (now: WatchedSubjects): void => {
      course.watched = now;
    },
    /** Returns how far it is, if that has changed since the last call. */
    progress: (): EndpointProgress | undefined => {
      if (!course.isChanged) return undefined;
      course.isChanged = false;
      const change = { position: queue.position(), lastDeliveredAt: course.lastDeliveredAt, failures: course.failures };
      return { _id, epoch, change: course.paused ? { ...change, paused: course.paused } : change };
    },
    /** The progress that `progress` returned was not stored. */
    notSaved: (): void => {
      course.isChanged = true;
    },
  };
};
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;
