import { createFamily, createFamilyCalls, type Family } from '../families.ts';
import type { EnterpriseFeedChangesQuery } from '../generated/enterprise.ts';
import { enterpriseRoutes } from '../generated/enterprise-routes.ts';
import type { TokenFunction } from '../options.ts';
import { bearer, type Settings } from '../settings.ts';
import type { EnterpriseCalls, SafeEnterpriseCalls } from './calls.ts';
import { createFiles } from './download.ts';
import { EnterpriseRateLimiter } from './rate-limiter.ts';
import { acceptRemoved } from './removed.ts';

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
/** Seconds for which the service waits for the answer of a tested endpoint. */
const TEST_SECONDS = 15;

/** Returns the seconds for which the service waits before it answers. */
const findWait = (call: string, args: readonly unknown[]): number => {
  if (call === 'enterprise.webhooks.test') return TEST_SECONDS;
  return call === 'enterprise.feed.changes' ? ((args[0] as EnterpriseFeedChangesQuery | undefined)?.wait ?? 0) : 0;
};

/** Returns the least limit of a call that waits; 0 for another. */
const findLeastMs = (call: string, args: readonly unknown[]): number => {
  const wait = findWait(call, args);
  return wait > 0 ? wait * 1000 + AFTER_WAIT_MS : 0;
};

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
    const settings: Settings = { ...client, token: key, store: undefined, rateLimiter: new EnterpriseRateLimiter() };
    const { throwing, safe } = createFamilyCalls<EnterpriseCalls, SafeEnterpriseCalls>({
      name: 'enterprise',
      api: '/enterprise/v1',
      routes: enterpriseRoutes,
      settings,
      adapt: acceptRemoved,
      findLeastMs,
    });
    return { throwing: Object.assign(throwing, { files: createFiles(settings) }), safe };
  });
};
