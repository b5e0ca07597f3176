import { LIMITS } from '@broker-transparency/contract';
import type { Request, Response } from 'express';
import type { Cluster, Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { watchLimit } from '../observe/limiter.ts';
import { type Budget, outcomeOf } from './outcomes.ts';
import { ProblemError } from './problems.ts';

/** A budget. Counts a request of `key`. */
export interface Limit {
  readonly requests: number;
  readonly consume: (key: string) => Promise<Budget>;
}

/**
 * A budget, such as the one of the public interface. On Redis it is shared by every process; where Redis does not answer, each process
 * counts by itself until it does. Headers: draft-ietf-httpapi-ratelimit-headers-10.
 */
export const createLimit = (requests: number, redis?: Redis | Cluster, name = 'public'): Limit => {
  const { windowSeconds } = LIMITS.public;
  const budget = { points: requests, duration: windowSeconds, keyPrefix: `limit:${name}` };
  const seen = watchLimit(name);
  const insurance = new RateLimiterMemory(budget);
  const consumeInsured = insurance.consume.bind(insurance);
  insurance.consume = (key) => {
    seen.insured();
    return consumeInsured(key);
  };
  const limiter: RateLimiterAbstract = redis
    ? new RateLimiterRedis({
        ...budget,
        storeClient: redis,
        rejectIfRedisNotReady: true,
        insuranceLimiter: insurance,
      })
    : new RateLimiterMemory(budget);
  const policy = `"${name}";q=${requests};w=${windowSeconds}`;
  const budgetOf = (state: RateLimiterRes, allowed: boolean): Budget => {
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    const headers: Record<string, string> = {
      'RateLimit-Policy': policy,
      RateLimit: `"${name}";r=${Math.max(0, state.remainingPoints)};t=${seconds}`,
    };
    if (!allowed) headers['Retry-After'] = String(seconds);
    seen[allowed ? 'allowed' : 'refused']();
    return { allowed, headers };
  };
  return {
    requests,
    consume: async (key) => {
      const start = performance.now();
      try {
        return budgetOf(await limiter.consume(key), true);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return budgetOf(refusal, false);
      } finally {
        if (redis) seen.redis(performance.now() - start);
      }
    },
  };
};

/** Counts a request, unless the short road did, and sets the headers of the budget. @throws ProblemError rate_limited when it is used up */
export const enforceLimit = async ({ requests, consume }: Limit, key: string, res: Response): Promise<void> => {
  const { allowed, headers } = outcomeOf(res.req)?.budget ?? (await consume(key));
  res.set(headers);
  if (!allowed) throw new ProblemError('rate_limited', `The budget of ${requests} requests per minute is used up.`);
};

/** One key per caller: an IPv6 caller has a whole /64, and an IPv4 address mapped into IPv6 is that IPv4 address. */
export const addressKey = (req: Pick<Request, 'ip'>): string => {
  const text = req.ip ?? '';
  if (!ipaddr.isValid(text)) return 'ip:unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return `ip:${address.toString()}`;
  return `ip:${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
