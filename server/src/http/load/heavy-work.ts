import type { IncomingMessage } from 'node:http';
import { findAbandonSignal } from '../../platform/waiting.ts';
import { ProblemError } from '../problem/problem.ts';

/** Limits of heavy work in a process. */
export interface HeavyBounds {
  /** Number of tasks at a time, at most one per caller. */
  readonly atOnce: number;
  /** Number of callers in the queue. */
  readonly places: number;
  /** Number of waiting requests per caller in the queue. */
  readonly perPlace: number;
  /** Longest pause after a task, in milliseconds; it is as long as the task took. */
  readonly mostRestMs: number;
}

/**
 * Limits for reads of the record: half of the process's time, so that cached answers come in between. Four requests of
 * a caller may wait, so that opening a few pages at once works.
 */
export const HEAVY_BOUNDS: HeavyBounds = { atOnce: 2, places: 16, perPlace: 4, mostRestMs: 100 };

/** Number of seconds over which retries of refused callers are spread. */
const BACK_OVER_S = 3;

/** Heavy work is refused before it began. */
export class TooMuchHeavyWork extends ProblemError {}

/** Runs heavy work for the caller of a request, in turn. */
export const workFor = <T>(heavy: HeavyWork, { context }: IncomingMessage, work: () => Promise<T>): Promise<T> => {
  if (context.asker === undefined) throw new Error('nobody is known to have sent the request');
  return heavy.run(context.asker, work);
};

const restThen = (ms: number, next: () => void): void => {
  if (ms > 0) setTimeout(next, ms);
  else next();
};

/** Limits heavy work to a few tasks at a time; callers wait in turn. */
export const createHeavyWork = ({ atOnce, places, perPlace, mostRestMs }: HeavyBounds) => {
  const busy = new Set<string>();
  /** Waiting work by caller, in the order of the queue. */
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
  /** Starts the next work that may start. Its caller moves to the end of the queue with the rest of their work. */
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
     * Runs heavy work for a caller, in turn. A caller who stops waiting before it starts loses the place.
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
    /** Number of running tasks, and of waiting callers. */
    state: () => ({ running: busy.size, waiting: queue.size }),
  };
};
export type HeavyWork = ReturnType<typeof createHeavyWork>;
