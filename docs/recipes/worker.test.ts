import { createTestServer } from '@broker-transparency/client/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import worker from './worker.ts';

const api = createTestServer();
const env = { BROKER_API: api.baseUrl };

beforeEach(() => void vi.stubGlobal('fetch', vi.fn(api.fetch)));
afterEach(() => void vi.unstubAllGlobals());

const ask = (path: string) => worker.fetch(new Request(`https://badges.example${path}`), env);

test('the worker answers with the rating, which the edge may keep', async () => {
  const [broker] = api.brokers;
  const response = await ask(`/badge/${broker?.slug}`);
  expect(await response.json()).toEqual({ name: broker?.name, color: broker?.color, value: broker?.score.value });
  expect(response.headers.get('cache-control')).toBe('public, max-age=30');
  expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject({ cf: { cacheEverything: true, cacheTtl: 30 } });
});

test.each([
  ['/badge/nobody', 404, 'broker_not_found'],
  ['/badge/..', 404, 'not_found'],
  ['/', 404, 'not_found'],
])('answers %s with %i %s', async (path, status, code) => {
  const response = await ask(path);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ code });
});

test('answers 503 while the service is away', async () => {
  api.fail('rate_limited', { retryAfter: 60 });
  expect((await ask('/badge/alpha-markets')).status).toBe(503);
});
