import { createTestServer } from '@broker-transparency/client/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { brokerQuery, brokersQuery, newsQuery, queryClient } from './tanstack-query.ts';

const api = createTestServer({ origin: 'https://brokers.example' });

beforeEach(() => void vi.stubGlobal('fetch', vi.fn(api.fetch)));
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a broker is requested once within half a minute', async () => {
  const first = await queryClient.fetchQuery(brokerQuery('alpha-markets'));
  const second = await queryClient.fetchQuery(brokerQuery('alpha-markets'));
  expect(first).toMatchObject({ slug: 'alpha-markets' });
  expect(second).toBe(first);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('pages by offset follow each other to the end', async () => {
  const { pages } = await queryClient.fetchInfiniteQuery({ ...brokersQuery(), pages: 100 });
  expect(pages.flatMap(({ data }) => data.map(({ slug }) => slug))).toEqual(api.brokers.map(({ slug }) => slug));
});

test('pages by cursor follow each other to the end', async () => {
  const { pages } = await queryClient.fetchInfiniteQuery({ ...newsQuery, pages: 100 });
  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(api.news.map(({ id }) => id));
});

test('a cancelled query stops its request', async () => {
  api.fail('slow', { delayMs: 60_000 });
  const asked = queryClient.fetchQuery(brokerQuery('alpha-markets'));
  const settled = expect(asked).rejects.toThrow();
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  await queryClient.cancelQueries();
  await settled;
  expect(vi.mocked(fetch).mock.calls[0]?.[1]?.signal?.aborted).toBe(true);
});

test('an error of the API becomes the error of the query, without another attempt', async () => {
  await expect(queryClient.fetchQuery(brokerQuery('nobody'))).rejects.toMatchObject({ code: 'broker_not_found' });
  expect(fetch).toHaveBeenCalledTimes(1);
});
