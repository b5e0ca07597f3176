import type { RequestHandler, Response } from 'express';
import { whileWaitedFor } from '../../platform/waiting.ts';
import { unavailable } from '../problem/error-handler.ts';

/** A stopped database lets commands hang; callers hear of it within two seconds, whatever a request waits for in turn. The rest is
 * for a process that is busy. */
const DEADLINE_MS = 1500;

/** Time that a request has left. It does not run while the caller is the one to wait for. */
const createClock = (onOver: () => void) => {
  let left = DEADLINE_MS;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    since = performance.now();
    timer = setTimeout(onOver, left);
  };
  const pause = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    left -= performance.now() - since;
  };
  run();
  return { run, pause };
};

const clocks = new WeakMap<Response, ReturnType<typeof createClock>>();

/** Stops the clock, while the caller is the one to wait for. */
export const pauseDeadline = (res: Response): void => clocks.get(res)?.pause();

/** Lets the clock run on. */
export const resumeDeadline = (res: Response): void => clocks.get(res)?.run();

/**
 * Answers by 503, its outcome unknown, what `handler` has not answered when the clock runs out. What the handler says after
 * that goes nowhere: Express would close the connection for it, on which the caller may wait for another answer.
 */
export const withDeadline =
  (handler: RequestHandler): RequestHandler =>
  (req, res, next) => {
    let over = false;
    const done = (error?: unknown): void => {
      if (over) return;
      over = true;
      next(error);
    };
    const clock = createClock(() => {
      if (!res.headersSent) done(unavailable());
    });
    clocks.set(res, clock);
    res.once('close', clock.pause);
    whileWaitedFor(
      () => over,
      () => handler(req, res, done),
    );
  };

/** What comes of `work`, or a refusal when the clock of a request that came at `start` (`performance`) runs out. @throws ProblemError unavailable */
export const inTime = <T>(work: Promise<T>, start: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), DEADLINE_MS - (performance.now() - start));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
