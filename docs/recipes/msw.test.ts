import { createClient } from '@broker-transparency/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { api, msw } from './msw.ts';

beforeAll(() => msw.listen({ onUnhandledFrame: 'error' }));
afterEach(() => api.reset());
afterAll(() => msw.close());

/** As it stands in an app: nothing of it knows of a test. */
const client = createClient({ baseUrl: 'https://brokers.example/api/v1', retries: 0 });

test('answers an app with a fixed address from the API in memory', async () => {
  expect(await client.brokers.get('alpha-markets')).toMatchObject({ slug: 'alpha-markets' });
  expect(api.requests.map(({ call }) => call)).toEqual(['brokers.get']);
});

test('lets faults reach the app as if they came from the network', async () => {
  api.fail('dropped');
  await expect(client.news.list()).rejects.toMatchObject({ code: 'connection_failed' });
  api.fail('unavailable', { retryAfter: 9 });
  await expect(client.news.list()).rejects.toMatchObject({ code: 'unavailable', retryAfter: 9 });
  expect((await client.news.list()).data.length).toBeGreaterThan(0);
});

test('stores a review, and knows its token', async () => {
  const review = {
    broker: 'alpha-markets',
    rating: 4,
    language: 'en',
    title: 'Paid within two days',
    content: 'I withdrew twice this year, and was paid within two days.',
  };
  await expect(client.reviews.create(review)).rejects.toMatchObject({ code: 'authentication_required' });
  const { id } = await client.reviews.create(review, { token: api.token() });
  expect(api.reviews.map((stored) => stored.id)).toContain(id);
});
