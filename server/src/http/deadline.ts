import type { NextFunction, Request, Response } from 'express';
import { unavailable } from './faults.ts';

/** A stopped database lets commands hang; callers hear of it within two seconds. */
const DEADLINE_MS = 1800;

/** Stops the clock, while the caller is the one to wait for. */
export const pauseDeadline = (res: Response): void => clearTimeout(res.locals['deadline']);

/** Starts the clock anew: what is not answered when it runs out is answered by 503, its outcome unknown. */
export const deadline = (_req: Request, res: Response, next: NextFunction): void => {
  pauseDeadline(res);
  res.locals['deadline'] = setTimeout(() => {
    if (!res.headersSent) next(unavailable());
  }, DEADLINE_MS);
  res.once('close', () => pauseDeadline(res));
  next();
};
