import { createFamily, createFamilyCalls, type Family } from '../families.ts';
import type { EnterpriseFeedChangesQuery } from '../generated/enterprise.ts';
import { enterpriseRoutes } from '../generated/enterprise-routes.ts';
import type { CallOptions, TokenFunction } from '../options.ts';
import { RateLimiter } from '../rate-limit.ts';
import { bearer, type Settings } from '../settings.ts';
import type { EnterpriseCalls, SafeEnterpriseCalls } from './calls.ts';
import { createFiles } from './download.ts';

/**
 * Options of {@link enterprise}.
 * @example const options: EnterpriseOptions = { key: 'bte_live_…' };
 */
export interface EnterpriseOptions {
  /** The key, or a function that gives one for each try. */
  readonly key: string | TokenFunction | undefined;
}

/** Milliseconds that an answer may take after the wait is over. */
const AFTER_WAIT_MS = 10_000;

/** Returns the options of a call that waits, which needs longer limits. */
const extendLimits = (wait: number, options: CallOptions | undefined, { limits }: Settings): CallOptions => {
  const leastMs = wait * 1000 + AFTER_WAIT_MS;
  return {
    timeoutMs: Math.max(limits.timeoutMs, leastMs),
    tryTimeoutMs: Math.max(limits.tryTimeoutMs, leastMs),
    ...options,
  };
};

/** Returns the calls of the feed with longer limits for those that wait. */
const waitPatiently = <Answer>(
  { changes }: { readonly changes: (query?: EnterpriseFeedChangesQuery, options?: CallOptions) => Answer },
  settings: Settings,
) => ({
  changes: (query?: EnterpriseFeedChangesQuery, options?: CallOptions) =>
    changes(query, query?.wait ? extendLimits(query.wait, options, settings) : options),
});

/**
 * Gives a client the calls for customers with a key, as `client.enterprise`. Their answers are never stored.
 * @throws TypeError if `key` cannot be sent
 * @example
 * const client = createClient({
 *   baseUrl: 'https://brokers.example/api/v1',
 *   with: [enterprise({ key: process.env.BROKER_KEY })],
 * });
 * for await (const { url, state } of client.enterprise.webhooks.list()) console.log(url, state);
 */
export const enterprise = ({ key }: EnterpriseOptions): Family<'enterprise', EnterpriseCalls, SafeEnterpriseCalls> => {
  if (typeof key !== 'function') bearer(key);
  return createFamily('enterprise', (client) => {
    const settings: Settings = { ...client, token: key, store: undefined, rateLimiter: new RateLimiter() };
    const { throwing, safe } = createFamilyCalls<EnterpriseCalls, SafeEnterpriseCalls>({
      name: 'enterprise',
      api: '/enterprise/v1',
      routes: enterpriseRoutes,
      settings,
      publicSettings: settings,
    });
    return {
      throwing: Object.assign(throwing, {
        feed: waitPatiently(throwing.feed, settings),
        files: createFiles(settings),
      }),
      safe: { ...safe, feed: waitPatiently(safe.feed, settings) },
    };
  });
};
