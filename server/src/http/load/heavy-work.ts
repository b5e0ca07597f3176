import type { IncomingMessage } from 'node:http';
import { findAbandonSignal } from '../../platform/waiting.ts';
import { ProblemError } from '../problem/problem.ts';

/** How much heavy work a process does and keeps waiting. */
export interface HeavyBounds {
  /** How much is done at a time, at most one for each caller. */
  readonly atOnce: number;
  /** How many callers have a place in the queue, each one place. */
  readonly places: number;
  /** How many requests of one caller wait at their place, one behind the other. */
  readonly perPlace: number;
  /** Most milliseconds for which nothing else begins in place of work that has ended: as long as the work took. */
  readonly mostRestMs: number;
}

/**
 * What reads the record may use of a process: half of its time, so that answers from the cache come between. Four requests
 * of a caller wait, so that whoever opens a few pages at once sees all of them.
 */
export const HEAVY_BOUNDS: HeavyBounds = { atOnce: 2, places: 16, perPlace: 4, mostRestMs: 100 };

/** Over how many seconds callers come back who were refused at the same time. */
const BACK_OVER_S = 3;

/** Heavy work is refused for now, before any of it was done. */
export class TooMuchHeavyWork extends ProblemError {}

/** Does heavy work for whoever sent a request, in their turn. */
export const workFor = <T>(heavy: HeavyWork, { context }: IncomingMessage, work: () => Promise<T>): Promise<T> => {
  if (context.asker === undefined) throw new Error('nobody is known to have sent the request');
  return heavy.run(context.asker, work);
};

const restThen = (ms: number, next: () => void): void => {
  if (ms > 0) setTimeout(next, ms);
  else next();
};

/** Lets little heavy work run at a time, and callers wait for it in turn. */
export const createHeavyWork = ({ atOnce, places, perPlace, mostRestMs }: HeavyBounds) => {
  const busy = new Set<string>();
  /** Who waits, by caller, in the order of their places. */
  const queue = new Map<string, (() => void)[]>();
  let refused = 0;

  const refuse = (): never => {
    const detail = 'Others read as much of the record as the service can at a time. Nothing was done for this request.';
    const headers = { 'Retry-After': String(1 + (refused++ % BACK_OVER_S)) };
    throw new TooMuchHeavyWork('unavailable', detail, { headers });
  };
  const keep = (caller: string, waiting: (() => void)[]): void => {
    if (waiting.length === 0) queue.delete(caller);
    else queue.set(caller, waiting);
  };
  /** Begins the next work that may begin. Its caller goes to the end of the queue with what else they wait for. */
  const beginNext = (): void => {
    if (busy.size >= atOnce) return;
    const next = [...queue.keys()].find((caller) => !busy.has(caller));
    const [begin, ...others] = (next !== undefined && queue.get(next)) || [];
    if (next === undefined || begin === undefined) return;
    busy.add(next);
    queue.delete(next);
    keep(next, others);
    begin();
  };
  const takeTurn = (caller: string): Promise<void> => {
    const signal = findAbandonSignal();
    return new Promise((resolve, reject) => {
      const waiting = queue.get(caller) ?? [];
      const leave = (): void => {
        keep(caller, queue.get(caller)?.filter((other) => other !== begin) ?? []);
        reject(signal?.reason);
      };
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      signal?.addEventListener('abort', leave, { once: true });
      keep(caller, [...waiting, begin]);
      beginNext();
    });
  };

  return {
    /**
     * Does heavy work for a caller, in their turn. Whoever stops waiting before it begins loses their place.
     * @throws TooMuchHeavyWork if there is no place in the queue
     */
    run: async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
      const waiting = queue.get(caller);
      if (waiting ? waiting.length >= perPlace : queue.size >= places) refuse();
      await takeTurn(caller);
      const begun = performance.now();
      try {
        return await work();
      } finally {
        restThen(Math.min(mostRestMs, performance.now() - begun), () => {
          busy.delete(caller);
          beginNext();
        });
      }
    },
    /** How much is done now, and how many callers wait. */
    state: () => ({ running: busy.size, waiting: queue.size }),
  };
};
export type HeavyWork = ReturnType<typeof createHeavyWork>;
