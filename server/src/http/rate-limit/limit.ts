import type { IncomingMessage } from 'node:http';
import { LIMITS, type RouteMeta } from '@broker-transparency/contract';
import type { Request } from 'express';
import type { Cluster, Redis } from 'ioredis';
import ipaddr from 'ipaddr.js';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitCounts } from '../../platform/observe/limiter.ts';
import { createBatchSender } from '../../platform/redis-turn.ts';
import { ProblemError } from '../problem/problem.ts';
import { createFixedWindows, type WindowUsage } from './fixed-window.ts';

/** State of a caller's budget after a request, with its headers. */
export interface Budget {
  readonly allowed: boolean;
  /** True if all addresses of a network together have used it up. */
  readonly isOfNetwork?: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts requests against one budget per key. */
export interface Limit {
  /** Number of requests that each key may send in a window. */
  readonly requests: number;
  /** Counts a request of `key`. */
  readonly consume: (key: string) => Promise<Budget>;
}

/** The budgets that routes name, and those of pages and of badges. */
export type BudgetLimits = Readonly<Record<RouteMeta['limit'] | 'pages' | 'badges', Limit>>;

type WindowCounter = (key: string) => Promise<WindowUsage>;

const toWindowUsage = ({ consumedPoints, msBeforeNext }: RateLimiterRes): WindowUsage => ({
  count: consumedPoints,
  msLeft: msBeforeNext,
});

/** Counts on Redis, for all processes together. Rejects if Redis does not answer. */
const countOnRedis = (
  redis: Redis | Cluster,
  requests: number,
  name: string,
  observe: (ms: number) => void,
): WindowCounter => {
  const limiter = new RateLimiterRedis({
    points: requests,
    duration: LIMITS.public.windowSeconds,
    keyPrefix: `limit:${name}`,
    storeClient: redis,
    rejectIfRedisNotReady: true,
  });
  const together = createBatchSender(redis);
  return async (key) => {
    const start = performance.now();
    try {
      return toWindowUsage(await together(() => limiter.consume(key)));
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return toWindowUsage(refusal);
      throw refusal;
    } finally {
      observe(performance.now() - start);
    }
  };
};

/** Counts requests against one budget per key. Headers: draft-ietf-httpapi-ratelimit-headers-10. */
const createBudgets = (counts: LimitCounts, requests: number, redis: Redis | Cluster | undefined, name: string) => {
  const { windowSeconds } = LIMITS.public;
  const { count } = createFixedWindows(windowSeconds * 1000);
  const seen = counts(name);
  const shared = redis && countOnRedis(redis, requests, name, seen.redis);
  const countInsured = (key: string): WindowUsage => {
    seen.insured();
    return count(key);
  };
  const policy = `"${name}";q=${requests};w=${windowSeconds}`;
  return async (key: string): Promise<Budget> => {
    const place = shared ? await shared(key).catch(() => countInsured(key)) : count(key);
    const seconds = Math.max(1, Math.ceil(place.msLeft / 1000));
    const headers: Record<string, string> = {
      'RateLimit-Policy': policy,
      RateLimit: `"${name}";r=${Math.max(0, requests - place.count)};t=${seconds}`,
    };
    const allowed = place.count <= requests;
    seen[allowed ? 'allowed' : 'refused']();
    if (allowed) return { allowed, headers };
    return { allowed, headers: { ...headers, 'Retry-After': String(seconds) } };
  };
};

/**
 * Budget of a network as a multiple of an address's budget. In an office or a mobile network people share few
 * addresses, and each sends little: they stay below it.
 */
export const NETWORK_TIMES = 16;

/**
 * Returns a budget, such as the one of the public API. All processes share it on Redis. While Redis does not answer,
 * each process counts by itself. An address also counts against its network, unless its own budget is used up: one
 * address alone cannot use up the budget of its network.
 */
export const createLimit = (counts: LimitCounts, requests: number, redis?: Redis | Cluster, name = 'public'): Limit => {
  const count = createBudgets(counts, requests, redis, name);
  const countNetwork = createBudgets(counts, requests * NETWORK_TIMES, redis, `${name}-network`);
  return {
    requests,
    consume: async (key) => {
      const own = await count(key);
      const network = networkKey(key);
      if (!own.allowed || network === undefined) return own;
      const ofNetwork = await countNetwork(network);
      if (ofNetwork.allowed) return own;
      const headers = { ...own.headers };
      addBudgetHeaders(headers, ofNetwork);
      return { allowed: false, isOfNetwork: true, headers };
    },
  };
};

/** @throws ProblemError rate_limited when the budget is used up */
export const requireBudget = ({ allowed, isOfNetwork }: Budget, { requests }: Limit): void => {
  if (allowed) return;
  const used = isOfNetwork
    ? `of ${requests * NETWORK_TIMES} requests per minute for all addresses of your network`
    : `of ${requests} requests per minute`;
  throw new ProblemError('rate_limited', `The budget ${used} is used up.`);
};

/** Headers that name each budget that a request was counted against. */
const LISTS = ['RateLimit-Policy', 'RateLimit'] as const;

/** Adds a budget to the headers of an answer, behind the budgets that are there. */
export const addBudgetHeaders = (said: Record<string, string>, { headers }: Pick<Budget, 'headers'>): void => {
  const lists = LISTS.map((name) => [name, [said[name], headers[name]].filter(Boolean).join(', ')]);
  Object.assign(said, headers, Object.fromEntries(lists));
};

/**
 * Counts a request of `key`, and adds the rest of the budget to its answer.
 * @throws ProblemError rate_limited when the budget is used up
 */
export const enforceLimit = async (limit: Limit, key: string, { context }: IncomingMessage): Promise<void> => {
  const budget = await limit.consume(key);
  addBudgetHeaders(context.headers, budget);
  requireBudget(budget, limit);
};

/**
 * Returns the key of a caller's address. An IPv6 caller has a whole /64. An IPv4 address that is mapped into IPv6
 * counts as IPv4.
 */
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

/**
 * Returns the key of an address's network, by the key of the address: an IPv4 /24 or an IPv6 /48, which one customer of
 * a provider gets easily. Undefined for accounts, organisations and unknown addresses.
 */
export const networkKey = (key: string): string | undefined => {
  if (key.endsWith('::/64')) return `${key.split(':', 4).join(':')}::/48`;
  const end = key.startsWith('ip:') ? key.lastIndexOf('.') : -1;
  return end < 0 ? undefined : `${key.slice(0, end)}.0/24`;
};
