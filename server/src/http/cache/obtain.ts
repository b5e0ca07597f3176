import type { IncomingMessage } from 'node:http';
import { type HeavyWork, workFor } from '../load/heavy-work.ts';
import { enforceLimit, type Limits } from '../rate-limit/limit.ts';
import type { CachedRead } from './cached-routes.ts';
import type { CachedAnswer, ResponseCache } from './response-cache.ts';

/** Obtains an answer for whoever sent a request. @throws ProblemError rate_limited or unavailable */
export type Obtain = (read: CachedRead, req: IncomingMessage) => Promise<CachedAnswer>;

/**
 * Makes the function that obtains answers. What costs something and has to be built is heavy work, for which callers wait
 * in turn and pay. They pay before the building begins: others who wait for the same answer are not refused with them.
 */
export const createObtain =
  (cache: ResponseCache, limits: Limits, heavy: HeavyWork): Obtain =>
  async ({ key, costs, obtain }, req) => {
    if (costs === undefined || cache.isAtHand(key)) return obtain();
    return workFor(heavy, req, async () => {
      const { caller } = req.context;
      if (!caller) throw new Error('the request was not counted');
      if (!cache.isAtHand(key)) await enforceLimit(limits[costs], caller.key, req); // others may have built it meanwhile
      return obtain();
    });
  };
