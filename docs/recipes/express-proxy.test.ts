import type { AddressInfo } from 'node:net';
import { createTestServer } from '@broker-transparency/client/testing';
import express from 'express';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const api = createTestServer({ origin: 'https://brokers.example' });
const token = api.token();
vi.stubEnv('BROKER_TOKEN', token);
const { brokers } = await import('./express-proxy.ts');

const { fetch } = globalThis;
const upstream = vi.fn(api.fetch);
const server = express()
  .use('/api', brokers)
  .use(((_error, _req, res, _next) => res.status(500).end()) satisfies express.ErrorRequestHandler)
  .listen(0, '127.0.0.1');
let origin: string;

beforeAll(async () => {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubGlobal('fetch', upstream);
});
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

const ask = (slug: string, init?: RequestInit) => fetch(`${origin}/api/brokers/${slug}`, init);

test('passes an answer on, and keeps the token on the server', async () => {
  const response = await ask('alpha-markets');
  expect(response.headers.get('cache-control')).toBe('public, max-age=30');
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({ slug: 'alpha-markets' });
  expect(upstream.mock.lastCall?.[1]?.headers).toMatchObject({ authorization: `Bearer ${token}` });
  expect(text).not.toContain(token);
});

test('takes an unchanged answer from the store, by its version', async () => {
  await ask('alpha-markets');
  expect(await (await ask('alpha-markets')).json()).toMatchObject({ slug: 'alpha-markets' });
  expect(upstream.mock.lastCall?.[1]?.headers).toHaveProperty('if-none-match');
});

test('answers 404 for an unknown broker', async () => {
  const response = await ask('nobody');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ code: 'broker_not_found' });
});

test.each([
  ['unavailable', 7, '7'],
  ['rate_limited', 40, '40'],
  ['dropped', undefined, '5'],
] as const)('answers %s with 503, which says when to come back', async (fault, retryAfter, seconds) => {
  api.fail(fault, { times: 3, ...(retryAfter === undefined ? {} : { retryAfter }) });
  const response = await ask('alpha-markets');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe(seconds);
  api.reset();
});

test('ends the request to the API when its visitor leaves', async () => {
  api.fail('slow', { delayMs: 60_000 });
  const calls = upstream.mock.calls.length;
  const leave = new AbortController();
  const left = expect(ask('alpha-markets', { signal: leave.signal })).rejects.toThrow();
  await vi.waitFor(() => expect(upstream.mock.calls.length).toBe(calls + 1));
  leave.abort();
  await left;
  await vi.waitFor(() => expect(upstream.mock.lastCall?.[1]?.signal?.aborted).toBe(true));
});
