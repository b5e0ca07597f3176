import { ApiError } from '@broker-transparency/client';
import { LANGUAGES } from '@broker-transparency/portal';
import { expect, test } from 'vitest';
import type { ServedRoute } from '../http/cache/cached-routes.ts';
import { createResponseCache } from '../http/cache/response-cache.ts';
import { DomainError } from '../platform/domain-error.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { createCacheCounts } from '../platform/observe/reading.ts';
import { type ContextParts, createContexts } from './context.ts';

const counts = createCacheCounts(createMetrics());

const MISSING = new DomainError('broker_not_found', 'There is no such broker.');
const AWAY = new DomainError('unavailable', 'Come back later.');

const failing = (path: string, error: Error): ServedRoute => ({
  basePath: '/api/v1',
  route: { method: 'GET', path },
  policy: { access: 'public', limit: 'public' },
  local: () => ({ obtain: () => Promise.reject(error) }),
});

const empty = { data: [], next: null, since: '2026-11-02T00:00:00.000Z', slug: 'alpha' };

/** A route that has a budget of its own. */
const counted: ServedRoute = {
  basePath: '/transparency/v1',
  route: { method: 'GET', path: '/brokers/:slug/history' },
  policy: { access: 'public', limit: 'history' },
  local: () => ({ obtain: async () => ({ status: 200, plain: Buffer.from(JSON.stringify(empty)) }) }),
};

const contextFor = createContexts({
  clock: () => new Date(),
  cache: createResponseCache(0, Date.now, counts),
  routes: [failing('/brokers/:slug', MISSING), failing('/regulators', AWAY), counted],
  publicUrl: 'http://127.0.0.1:3000',
} as unknown as ContextParts);

test('the cause of a failed page is what the service said of that read, not of one before it', async () => {
  const { context, findCause } = contextFor(LANGUAGES[0], '/', () => undefined);
  const { error } = await context.client.safe.brokers.get('nobody');
  expect(error?.code).toBe('broker_not_found');
  const fault = await context.client.regulators.list().catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(ApiError);
  expect(findCause(fault)).toBe(AWAY);
  expect(findCause(error)).toBe(MISSING);
  const own = new Error('of the page itself');
  expect(findCause(own)).toBe(own);
});

test('a page reads what has a budget of its own only if it costs that budget', async () => {
  const read = (costs?: 'history') =>
    contextFor(LANGUAGES[0], '/', () => undefined, costs)
      .context.client.record.brokers.history('alpha')
      .toArray();
  await expect(read('history')).resolves.toEqual([]);
  const { context, findCause } = contextFor(LANGUAGES[0], '/', () => undefined);
  const fault = await context.client.record.brokers.history('alpha').catch((each: unknown) => each);
  expect(String(findCause(fault))).toContain("a page that reads it needs costs: 'history'");
});
