import type { IncomingMessage } from 'node:http';
import { enforceLimit, type Limits } from '../rate-limit/limit.ts';
import type { CachedRead } from './cached-routes.ts';
import type { CachedAnswer, ResponseCache } from './response-cache.ts';

/** Obtains an answer for whoever sent a request. @throws ProblemError rate_limited */
export type Obtain = (read: CachedRead, req: IncomingMessage) => Promise<CachedAnswer>;

/**
 * Makes the function that obtains answers, and has callers pay for those that have to be built for them. They pay before
 * the building begins: others who wait for the same answer are not refused with them.
 */
export const createObtain =
  (cache: ResponseCache, limits: Limits): Obtain =>
  async ({ key, costs, obtain }, req) => {
    if (costs !== undefined && !cache.isAtHand(key)) {
      const { caller } = req.context;
      if (!caller) throw new Error('the request was not counted');
      await enforceLimit(limits[costs], caller.key, req);
    }
    return obtain();
  };
