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

const contextFor = createContexts({
  clock: () => new Date(),
  cache: createResponseCache(0, Date.now, counts),
  routes: [failing('/brokers/:slug', MISSING), failing('/regulators', AWAY)],
  publicUrl: 'http://127.0.0.1:3000',
} as unknown as ContextParts);

test('what a page fails of is what the service said of that read, not of one that failed before it', async () => {
  const { context, causeOf } = contextFor(LANGUAGES[0], '/', () => undefined);
  const { error } = await context.client.safe.brokers.get('nobody');
  expect(error?.code).toBe('broker_not_found');
  const fault = await context.client.regulators.list().catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(ApiError);
  expect(causeOf(fault)).toBe(AWAY);
  expect(causeOf(error)).toBe(MISSING);
  const own = new Error('of the page itself');
  expect(causeOf(own)).toBe(own);
});
