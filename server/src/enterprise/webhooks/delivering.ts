import type { Clock } from '../../platform/clock.ts';
import type { Deliver, DeliveryResult } from '../../platform/webhooks/deliver.ts';
import { notifyPause } from './announce.ts';
import { createDeliveryQueue, type DeliveryEvent, type DeliveryJob } from './lane.rule.ts';
import { entryMessage } from './message.rule.ts';
import { computePauseTime, FAILURES_KEPT } from './policy.rule.ts';
import type { Endpoint, EndpointProgress, EndpointSettings, Pause } from './store.ts';
import type { EntryReader } from './tail.ts';
import type { WatchedSubjects } from './watched.ts';

/** Says on each try since when it fails how long tries go on. */
const PAUSES_AT = 'webhook-pauses-at';

/** What the deliveries of a process have in common. */
export interface DeliveryContext {
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly tail: EntryReader;
  /** Whether the process still has its endpoints. */
  readonly isTheirs: () => boolean;
  readonly onDelivery: (outcome: DeliveryResult['outcome']) => void;
  readonly onPause: (endpoint: Endpoint, why: Pause['why']) => void;
  readonly onFault: (error: unknown) => void;
}

/** Delivers to one endpoint for as long as this process has it. */
export const createDeliveryWorker = (stored: Endpoint, first: WatchedSubjects, common: DeliveryContext) => {
  const { clock, deliver, tail, isTheirs } = common;
  const { _id, epoch } = stored;
  let settings: EndpointSettings & Pick<Endpoint, 'revision'> = stored;
  let { lastDeliveredAt, failures } = stored;
  let paused: Pause | null = null;
  let watched = first;
  let isChanged = false;
  let isReading = false;
  let isEnding = false;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  const isWanted = ({ kind, subject }: DeliveryEvent): boolean =>
    (settings.kinds === null || settings.kinds.includes(kind)) && (watched === undefined || watched.has(subject));
  const queue = createDeliveryQueue(stored.position, isWanted, Math.random);

  const isStopped = (): boolean => isEnding || paused !== null || !isTheirs();

  const pause = (why: Pause['why']): void => {
    paused = { at: clock(), why };
    common.onPause(stored, why);
  };

  const notifyIfDue = async (job: DeliveryJob): Promise<void> => {
    const pausing = queue.toAnnounce(job, clock());
    if (!pausing) return;
    const isNotified = await notifyPause(deliver, { _id, ...settings }, pausing, ending.signal);
    if (isNotified) queue.announced(pausing.subject);
  };

  const recordFailure = (job: DeliveryJob, event: DeliveryEvent, { fault, isGone }: DeliveryResult): void => {
    if (!fault) return;
    const now = clock();
    failures = [{ at: now, number: event.number, problem: fault.problem }, ...failures].slice(0, FAILURES_KEPT);
    if (isGone) {
      queue.dropped(job);
      pause('gone');
    } else if (queue.failed(job, fault, now)) pause('failing');
  };

  /** Returns whether the event was taken. */
  const sendEvent = async (job: DeliveryJob, event: DeliveryEvent): Promise<boolean> => {
    await notifyIfDue(job);
    const since = queue.failingSince(job);
    const headers = since ? { [PAUSES_AT]: computePauseTime(since).toISOString() } : {};
    const delivery = await deliver(settings, entryMessage(_id, event), { headers, signal: ending.signal });
    common.onDelivery(delivery.outcome);
    isChanged = true;
    if (delivery.fault) recordFailure(job, event, delivery);
    else {
      lastDeliveredAt = clock();
      queue.delivered(job, event.number, lastDeliveredAt);
    }
    return delivery.fault === undefined;
  };

  /** Delivers what waits of a blocked subject, until nothing does or something fails. */
  const sendWaiting = async (job: DeliveryJob): Promise<void> => {
    let { from, through } = queue.waiting(job.subject);
    for (;;) {
      const { events, end } = await tail.readOf(job.subject, from, through);
      for (const event of events.filter(isWanted)) {
        if (isStopped()) throw new Error('the endpoint was given up');
        if (!(await sendEvent(job, event))) return;
      }
      if (end > through && queue.caughtUp(job.subject, through)) return;
      from = end;
      ({ through } = queue.waiting(job.subject));
    }
  };

  const run = async (job: DeliveryJob): Promise<void> => {
    try {
      if (job.event) await sendEvent(job, job.event);
      else await sendWaiting(job);
    } catch (error) {
      queue.dropped(job);
      if (!isStopped()) common.onFault(error);
      return; // the next round goes on
    }
    isChanged = true;
    queueMicrotask(dispatchDue);
  };

  const refill = (): void => {
    const from = queue.wantsFrom();
    if (from === undefined || from >= tail.end() || isReading) return;
    const kept = tail.kept(from);
    if (kept) {
      queue.add(kept.events, kept.end);
      isChanged = true;
      return;
    }
    isReading = true;
    tail
      .read(from)
      .then(({ events, end }) => queue.add(events, end))
      .then(() => {
        isChanged = true;
        isReading = false;
        dispatchDue();
      })
      .catch((error: unknown) => {
        isReading = false;
        common.onFault(error);
      });
  };

  /** Starts all deliveries that can be started now. */
  function dispatchDue(): void {
    if (isStopped()) return;
    refill();
    for (let job = queue.take(clock()); job; job = queue.take(clock())) {
      const one = run(job).finally(() => running.delete(one));
      running.add(one);
    }
  }

  return {
    endpoint: stored,
    epoch,
    revision: (): number => settings.revision,
    update: (changed: EndpointSettings & Pick<Endpoint, 'revision'>, now: WatchedSubjects): void => {
      settings = changed;
      watched = now;
    },
    watchlist: (): string | null => settings.watchlist,
    watch: (now: WatchedSubjects): void => {
      watched = now;
    },
    pump: dispatchDue,
    isPaused: (): boolean => paused !== null,
    /** Returns how far it is, if that has changed since the last call. */
    progress: (): EndpointProgress | undefined => {
      if (!isChanged) return undefined;
      isChanged = false;
      const change = { position: queue.position(), lastDeliveredAt, failures };
      return { _id, epoch, change: paused ? { ...change, paused } : change };
    },
    /** Starts what can be started now. Returns whether nothing is under way. */
    isIdle: (): boolean => {
      dispatchDue();
      return running.size === 0 && !isReading;
    },
    /** What `progress` returned was not stored. */
    notSaved: (): void => {
      isChanged = true;
    },
    /** Starts nothing more. Resolves when what is under way has ended. */
    end: async (): Promise<void> => {
      isEnding = true;
      await Promise.all(running);
    },
    /** Breaks off what is under way. */
    abort: (): void => {
      isEnding = true;
      ending.abort(new Error('the endpoint was given up'));
    },
  };
};
export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;
