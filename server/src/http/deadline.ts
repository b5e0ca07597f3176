import type { RequestHandler, Response } from 'express';
import { unavailable } from './faults.ts';

/** A stopped database lets commands hang; callers hear of it within two seconds. */
const DEADLINE_MS = 1800;

/** Stops the clock, while the caller is the one to wait for. */
export const pauseDeadline = (res: Response): void => clearTimeout(res.locals['deadline']);

/** Starts the clock anew. */
export const restartDeadline = (res: Response): void => {
  pauseDeadline(res);
  res.locals['deadline'] = setTimeout(res.locals['expire'], DEADLINE_MS);
};

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
    res.locals['expire'] = () => {
      if (!res.headersSent) done(unavailable());
    };
    res.once('close', () => pauseDeadline(res));
    restartDeadline(res);
    handler(req, res, done);
  };

/** What comes of `work`, or a refusal when the clock runs out. @throws ProblemError unavailable */
export const inTime = <T>(work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unavailable()), DEADLINE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
