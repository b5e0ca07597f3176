import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { startLoop } from '../loop.ts';

/** The deliveries of an engine, and their rules. */
export interface DeliveryPolicy<Job> {
  /**
   * Takes due jobs, one after another, so that no other process takes them. The engine reads no further than it has
   * free places. The function keeps the order of a target: it leaves out the targets of jobs under way.
   */
  readonly takeDue: (underWay: ReadonlyMap<Job, unknown>) => Iterable<Job> | AsyncIterable<Job>;
  /** Delivers, and stores what came of it. */
  readonly deliver: (job: Job, signal: AbortSignal) => Promise<void>;
  /** Hears what `deliver` throws, and what `takeDue` throws where nobody else waits for it. Neither ends the engine. */
  readonly onFault: (error: unknown, job?: Job) => void;
  /** Deliveries at the same time; absent: `takeDue` bounds them. */
  readonly mostAtOnce?: number;
  /** Returns whether nothing more is taken before the end of this one: it asks whether a receiver is back. */
  readonly isAlone?: (job: Job) => boolean;
  /** Interval in milliseconds between looks for what is due; absent: whoever has the engine looks. */
  readonly lookMs?: number;
  /** True if the end of a delivery looks for more. */
  readonly isEager?: boolean;
}

/** Delivers what is due, several at a time, until it is ended. */
export const createDeliveryEngine = <Job>(policy: DeliveryPolicy<Job>) => {
  const { takeDue, deliver, onFault, mostAtOnce = Number.POSITIVE_INFINITY, isAlone, lookMs, isEager } = policy;
  const underWay = new Map<Job, Promise<void>>();
  const aborting = new AbortController();
  const inTurn = pLimit(1); // a look does not see what another one is taking
  let started = 0;
  let isEnding = false;

  const run = async (job: Job): Promise<void> => {
    try {
      await deliver(job, aborting.signal);
    } catch (error) {
      if (!aborting.signal.aborted) onFault(error, job);
      return;
    } finally {
      underWay.delete(job);
    }
    if (isEager) look().catch(onFault);
  };

  const hasPlace = (): boolean => !isEnding && underWay.size < mostAtOnce;

  const startDue = async (): Promise<void> => {
    if (!hasPlace()) return;
    for await (const job of takeDue(underWay)) {
      const running = run(job);
      underWay.set(job, running);
      started++;
      if (isAlone?.(job)) await running;
      if (!hasPlace()) return;
    }
  };
  const look = (): Promise<void> => inTurn(startDue);
  const looking = lookMs === undefined ? undefined : startLoop(look, lookMs, (error) => onFault(error));

  const waitForAll = async (): Promise<void> => {
    await Promise.all(underWay.values());
  };

  return {
    /** Starts what is due, as far as there are places, and waits for none of it. */
    look,
    /** Resolves when everything that is due has been tried once. */
    settle: async (): Promise<void> => {
      for (let before = -1; before !== started || underWay.size > 0; ) {
        await waitForAll(); // other jobs for their targets wait for them
        before = started;
        await look();
      }
    },
    isEnding: (): boolean => isEnding,
    /** Takes nothing more. Resolves when what is under way has ended, after `graceMs` at the latest. */
    end: async (graceMs?: number): Promise<void> => {
      isEnding = true;
      void looking?.stop();
      const ended = inTurn(waitForAll);
      await (graceMs === undefined ? ended : Promise.race([ended, sleep(graceMs, undefined, { ref: false })]));
    },
    /** Takes nothing more, and breaks off what is under way. */
    abort: (): void => {
      isEnding = true;
      aborting.abort(new Error('deliveries were ended'));
    },
  };
};
