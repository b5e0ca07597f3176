import type { RoutePolicy } from './route.ts';

/** Every scope that a token can have. */
export const SCOPES = ['reviews:write', 'complaints:write', 'account:read', 'account:write'] as const;
/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/**
 * The callers of a route: everyone, the bearer of any valid token, or the bearer of a token with `scope`. If `kyc` is
 * true, the bearer's identity must also be verified.
 */
export type Access = 'public' | 'token' | { readonly scope: Scope; readonly kyc: boolean };

/**
 * Rate limits by name. An operator can set another number of `requests`; this is the default. `history`, for answers
 * computed from the record at each request, is separate from the budget of prepared answers.
 */
export const LIMITS = {
  public: { requests: 60, windowSeconds: 60 },
  history: { requests: 20, windowSeconds: 60 },
} as const;

/**
 * Returns the requests of a budget if an operator sets those of the public one: at least one.
 * @example scaleBudget('history', 120) // 40
 */
export const scaleBudget = (budget: keyof typeof LIMITS, publicRequests: number): number =>
  Math.max(1, Math.floor((publicRequests * LIMITS[budget].requests) / LIMITS.public.requests));

/** Seconds for which any cache may keep an answer; null for not at all. */
export const CACHES = { catalog: { maxAgeSeconds: 30 }, none: null } as const;

/** The policy of a route, as data: the server enforces it, the documentation and the SDK read it. */
export interface RouteMeta extends RoutePolicy {
  readonly access: Access;
  readonly limit: keyof typeof LIMITS;
}

/**
 * Gives a route's `metadata` its type.
 * @example meta({ access: 'public', limit: 'public', cache: 'none' }).access // 'public'
 */
export const meta = (policy: RouteMeta): RouteMeta => policy;
