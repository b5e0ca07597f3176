import type { Clock } from '../../platform/clock.ts';
import type { Deliver, Delivery } from '../../platform/webhooks/deliver.ts';
import { announcePause } from './announce.ts';
import { createLane, type Event, type Job } from './lane.rule.ts';
import { entryMessage } from './message.rule.ts';
import { endOfTries, FAILURES_KEPT } from './policy.rule.ts';
import type { Endpoint, Pause, Progress, Settings } from './store.ts';
import type { Tail } from './tail.ts';
import type { Watched } from './watched.ts';

/** Says on each try since when it fails how long tries go on. */
const PAUSES_AT = 'webhook-pauses-at';

/** What the deliveries of a process have in common. */
export interface Common {
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly tail: Tail;
  /** Whether the process still has its endpoints. */
  readonly isTheirs: () => boolean;
  readonly onDelivery: (outcome: Delivery['outcome']) => void;
  readonly onPause: (endpoint: Endpoint, why: Pause['why']) => void;
  readonly onFault: (error: unknown) => void;
}

/** Delivers to one endpoint for as long as this process has it. */
export const createDelivering = (stored: Endpoint, first: Watched, common: Common) => {
  const { clock, deliver, tail, isTheirs } = common;
  const { _id, epoch } = stored;
  let settings: Settings & Pick<Endpoint, 'revision'> = stored;
  let { lastDeliveredAt, failures } = stored;
  let paused: Pause | null = null;
  let watched = first;
  let isChanged = false;
  let isReading = false;
  let isEnding = false;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  const isWanted = ({ kind, subject }: Event): boolean =>
    (settings.kinds === null || settings.kinds.includes(kind)) && (watched === undefined || watched.has(subject));
  const lane = createLane(stored.position, isWanted, Math.random);

  const isOver = (): boolean => isEnding || paused !== null || !isTheirs();

  const pause = (why: Pause['why']): void => {
    paused = { at: clock(), why };
    common.onPause(stored, why);
  };

  const announceIfDue = async (job: Job): Promise<void> => {
    const pausing = lane.toAnnounce(job, clock());
    if (!pausing) return;
    const isTold = await announcePause(deliver, { _id, ...settings }, pausing, ending.signal);
    if (isTold) lane.announced(pausing.subject);
  };

  const noteFailure = (job: Job, event: Event, { fault, isGone }: Delivery): void => {
    if (!fault) return;
    const now = clock();
    failures = [{ at: now, number: event.number, problem: fault.problem }, ...failures].slice(0, FAILURES_KEPT);
    if (isGone) {
      lane.dropped(job);
      pause('gone');
    } else if (lane.failed(job, fault, now)) pause('failing');
  };

  /** Returns whether the event was taken. */
  const sendEvent = async (job: Job, event: Event): Promise<boolean> => {
    await announceIfDue(job);
    const since = lane.failingSince(job);
    const headers = since ? { [PAUSES_AT]: endOfTries(since).toISOString() } : {};
    const delivery = await deliver(settings, entryMessage(_id, event), { headers, signal: ending.signal });
    common.onDelivery(delivery.outcome);
    isChanged = true;
    if (delivery.fault) noteFailure(job, event, delivery);
    else {
      lastDeliveredAt = clock();
      lane.delivered(job, event.number, lastDeliveredAt);
    }
    return delivery.fault === undefined;
  };

  /** Delivers what waits of a blocked subject, until nothing does or something fails. */
  const sendWaiting = async (job: Job): Promise<void> => {
    let { from, through } = lane.waiting(job.subject);
    for (;;) {
      const { events, end } = await tail.readOf(job.subject, from, through);
      for (const event of events.filter(isWanted)) {
        if (isOver()) throw new Error('the endpoint was given up');
        if (!(await sendEvent(job, event))) return;
      }
      if (end > through && lane.caughtUp(job.subject, through)) return;
      from = end;
      ({ through } = lane.waiting(job.subject));
    }
  };

  const run = async (job: Job): Promise<void> => {
    try {
      if (job.event) await sendEvent(job, job.event);
      else await sendWaiting(job);
    } catch (error) {
      lane.dropped(job);
      if (!isOver()) common.onFault(error);
      return; // the next round goes on
    }
    isChanged = true;
    queueMicrotask(pump);
  };

  const refill = (): void => {
    const from = lane.wantsFrom();
    if (from === undefined || from >= tail.end() || isReading) return;
    const kept = tail.kept(from);
    if (kept) {
      lane.add(kept.events, kept.end);
      isChanged = true;
      return;
    }
    isReading = true;
    tail
      .read(from)
      .then(({ events, end }) => lane.add(events, end))
      .then(() => {
        isChanged = true;
        isReading = false;
        pump();
      })
      .catch((error: unknown) => {
        isReading = false;
        common.onFault(error);
      });
  };

  /** Starts all deliveries that can be started now. */
  function pump(): void {
    if (isOver()) return;
    refill();
    for (let job = lane.take(clock()); job; job = lane.take(clock())) {
      const one = run(job).finally(() => running.delete(one));
      running.add(one);
    }
  }

  return {
    endpoint: stored,
    epoch,
    revision: (): number => settings.revision,
    update: (changed: Settings & Pick<Endpoint, 'revision'>, now: Watched): void => {
      settings = changed;
      watched = now;
    },
    watchlist: (): string | null => settings.watchlist,
    watch: (now: Watched): void => {
      watched = now;
    },
    pump,
    isPaused: (): boolean => paused !== null,
    /** Returns how far it is, if that has changed since the last call. */
    progress: (): Progress | undefined => {
      if (!isChanged) return undefined;
      isChanged = false;
      const change = { position: lane.position(), lastDeliveredAt, failures };
      return { _id, epoch, change: paused ? { ...change, paused } : change };
    },
    /** Starts what can be started now. Returns whether nothing is under way. */
    isIdle: (): boolean => {
      pump();
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
export type Delivering = ReturnType<typeof createDelivering>;
