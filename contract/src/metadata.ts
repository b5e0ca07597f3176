/** What a token may be allowed to do. */
export const SCOPES = ['reviews:write', 'complaints:write', 'account:read', 'account:write'] as const;
/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number];

/**
 * Scopes that a token has without naming them, for a time: any valid token opened their routes before they were there.
 * A token that names one of them, or was issued by a service that knows them, has those it names and no others.
 */
export const IMPLIED_SCOPES = {
  scopes: ['account:read', 'account:write'],
  /** From when on it is deprecated to leave them out (RFC 9745). */
  deprecatedAt: '2026-12-01T00:00:00Z',
  /** When they are implied no more (RFC 8594). */
  endsAt: '2027-12-01T00:00:00Z',
} as const satisfies { scopes: readonly Scope[]; deprecatedAt: string; endsAt: string };

/**
 * Who may call a route: everyone, the bearer of any valid token, or of one with `scope`, with a verified identity where
 * `kyc`.
 */
export type Access = 'public' | 'token' | { readonly scope: Scope; readonly kyc: boolean };

/** Budgets of requests. `requests` is the default of the configurable number. */
export const LIMITS = { public: { requests: 60, windowSeconds: 60 } } as const;

/** How long an answer may be kept by any cache, in seconds. */
export const CACHES = { catalog: { maxAgeSeconds: 30 }, none: null } as const;

/** How a repeated POST is recognised: by its `Idempotency-Key`, or else by an equal body of the same account. */
export type Idempotency = 'key' | 'key-or-body';

/** Policy of a route. It is data: one place in the server enforces it, documentation and SDK read it. */
export interface RouteMeta {
  readonly access: Access;
  readonly limit: keyof typeof LIMITS;
  readonly cache: keyof typeof CACHES;
  readonly idempotency?: Idempotency;
  /**
   * What an answer that may be kept shows, with parameters in braces: `broker:{slug}`. A server that keeps answers
   * ready makes them anew when that changes.
   */
  readonly shows?: readonly string[];
}

/**
 * Types a route's `metadata`.
 * @example meta({ access: 'public', limit: 'public', cache: 'none' }).access // 'public'
 */
export const meta = (policy: RouteMeta): RouteMeta => policy;
