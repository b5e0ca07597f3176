import type { IncomingMessage } from 'node:http';
import { type HeavyWork, workFor } from '../load/heavy-work.ts';
import { type BudgetLimits, enforceLimit } from '../rate-limit/limit.ts';
import type { CachedRead } from './cached-routes.ts';
import type { CachedAnswer, ResponseCache } from './response-cache.ts';

/** Obtains an answer for the caller of a request. @throws ProblemError rate_limited or unavailable */
export type Obtain = (read: CachedRead, req: IncomingMessage) => Promise<CachedAnswer>;

/**
 * Returns the function that obtains answers. A caller pays if an answer has a price and must be built. The caller pays
 * before the build begins, so a refusal does not affect others who wait for the same answer. Heavy work waits its turn
 * first.
 */
export const createObtain =
  (cache: ResponseCache, limits: BudgetLimits, heavy: HeavyWork): Obtain =>
  async ({ key, costs, isHeavy, obtain }, req) => {
    if (costs === undefined || cache.isAtHand(key)) return obtain();
    const pay = async () => {
      const { caller } = req.context;
      if (!caller) throw new Error('the request was not counted');
      if (!cache.isAtHand(key)) await enforceLimit(limits[costs], caller.key, req); // others may have built it meanwhile
      return obtain();
    };
    return isHeavy ? workFor(heavy, req, pay) : pay();
  };
