import { describe, expect, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { BrokerNotFoundError, createClient, InvalidResponseError, NotFoundError, RateLimitError } from './index.ts';
import { createRecordClient } from './record.ts';
import { createRecordClient as createStrict } from './strict.ts';
import { createTestServer } from './testing.ts';

/** A broker with a few reviews, and a client for what was published of it. */
const start = (options: Parameters<typeof createTestServer>[0] = {}) => {
  const server = createTestServer({ fixtures: { brokers: [{ slug: 'alpha', reviews: 12 }] }, ...options });
  const { baseUrl, fetch } = server;
  return { server, record: createRecordClient({ baseUrl, fetch }), client: createClient({ baseUrl, fetch }) };
};

/** The same after six changes: the broker is published, and five of its reviews are removed. */
const startWithChanges = (options: Parameters<typeof createTestServer>[0] = {}) => {
  const started = start(options);
  for (const { id } of started.server.reviews.slice(0, 5)) started.server.moveReview(id, 'removed');
  return started;
};

describe('history', () => {
  test('history is a list: a page to await, and all steps to iterate over, each once', async () => {
    const { record, server } = startWithChanges({ rateLimit: 1000 });
    const whole = await record.history('alpha', { limit: 100 });
    expect(whole).toMatchObject({ slug: 'alpha', next: null, previous: null });
    expect(whole.data).toHaveLength(6);
    expect(whole.data[0]?.entries.length).toBeGreaterThan(12);
    for (const limit of [1, 4, whole.data.length]) {
      const steps: unknown[] = [];
      for await (const step of record.history('alpha', { limit })) steps.push(step);
      expect(steps).toEqual(whole.data);
    }
    const asked = server.requests.map(({ path }) => path);
    expect(asked[0]).toBe('/transparency/v1/brokers/alpha/history?limit=100');
    expect(asked[1]).toBe('/transparency/v1/brokers/alpha/history?limit=1');
    expect(asked[2]).toBe(`/transparency/v1/brokers/alpha/history?limit=1&from=${whole.data[1]?.entries[0]?.number}`);
  });

  test('begins at a number, and ends at a limit', async () => {
    const { record } = startWithChanges();
    const all = await record.history('alpha').toArray();
    const [, second, third, fourth] = all;
    const from = second?.number as number;
    expect(await record.history('alpha', { from, limit: 2 }).toArray({ limit: 3 })).toEqual([second, third, fourth]);
    for await (const { slug, data } of record.history('alpha', { from }).pages()) {
      expect(slug).toBe('alpha');
      expect(data[0]).toEqual(second);
    }
  });

  test('gives the last steps before a number, and the last one of a day or month', async () => {
    const { record } = startWithChanges({ rateLimit: 1000 });
    const all = await record.history('alpha').toArray();
    expect(await record.history('alpha', { before: 999_999_999, limit: 2 }).toArray()).toEqual(all.slice(-2));
    const third = all[2]?.number as number;
    const older = await record.history('alpha', { before: third });
    expect(older).toMatchObject({ data: all.slice(0, 2), next: third, previous: null });
    expect(await record.history('alpha', { before: third }).toArray(), 'one page').toEqual(all.slice(0, 2));
    const first = all[0]?.entries.map(({ number }) => number) as number[];
    for (const before of first)
      expect(await record.history('alpha', { before })).toMatchObject({ data: [], next: first[0] });
    for (const from of first) expect((await record.history('alpha', { from, limit: 1 })).data).toEqual(all.slice(0, 1));
    const newest = await record.history('alpha', { before: 999_999_999, limit: 2 });
    expect(newest).toMatchObject({ next: null, previous: all[4]?.number });
    for (const [per, length] of [
      ['day', 10],
      ['month', 7],
    ] as const) {
      const lastOfEach = new Map(all.map((step) => [step.time.slice(0, length), step]));
      expect(await record.history('alpha', { per }).toArray()).toEqual([...lastOfEach.values()]);
    }
  });

  test('ends with an error if a page leads back to an earlier one', async () => {
    const page = { slug: 'alpha', since: '2026-01-01T00:00:00Z', data: [], next: 7, previous: null };
    const { baseUrl, requests } = await serve((response) => sendJson(response, 200, page));
    await expect(createRecordClient({ baseUrl }).history('alpha').toArray()).rejects.toThrow(InvalidResponseError);
    expect(requests.map(({ url }) => url)).toEqual([
      '/transparency/v1/brokers/alpha/history',
      '/transparency/v1/brokers/alpha/history?from=7',
    ]);
  });

  test('gives results in place of errors, of which the last ends it', async () => {
    const { record, server } = start();
    server.fail('not_found', { call: 'brokers.history' });
    const results = [];
    for await (const result of record.safe.history('alpha')) results.push(result.error?.code);
    expect(results).toEqual(['not_found']);
    const { data, error } = await record.safe.history('alpha').toArray();
    expect([data?.length, error]).toEqual([(await record.history('alpha')).data.length, undefined]);
  });
});

describe('at', () => {
  test('takes a number or a time, and is the live answer for now', async () => {
    const { record, client } = start();
    const live = await client.brokers.get('alpha');
    const now = await record.at('alpha');
    expect(now.ratingsByMonth).toEqual(live.ratingsByMonth);
    expect(now.score.value).toBeCloseTo(live.score.value as number, 3);
    const [first] = (await record.history('alpha')).data;
    const { number, time } = first as { number: number; time: string };
    expect((await record.at('alpha', { knownAt: number })).knownAt).toBe(number);
    expect((await record.at('alpha', { knownAt: time, validAt: '2027-03-10T00:00:00Z' })).validAt).toBe(
      '2027-03-10T00:00:00.000Z',
    );
    for (const { number: within } of first?.entries ?? [])
      expect((await record.at('alpha', { knownAt: within })).knownAt, 'a change counts as a whole').toBe(number);
    await expect(record.at('alpha', { knownAt: 0 })).rejects.toThrow(BrokerNotFoundError);
  });

  test('knows a review from the moment on when it is published, until it is removed', async () => {
    const { record, server } = start();
    const before = await record.at('alpha');
    const [review] = server.reviews;
    server.moveReview(review?.id as string, 'removed');
    const after = await record.at('alpha');
    const count = (months: typeof after.ratingsByMonth) => months.reduce((sum, month) => sum + month.count, 0);
    expect(count(before.ratingsByMonth) - count(after.ratingsByMonth)).toBe(1);
    const again = await record.at('alpha', { knownAt: before.knownAt });
    expect(count(again.ratingsByMonth)).toBe(count(before.ratingsByMonth));
    const last = (await record.history('alpha').toArray()).at(-1);
    expect(last).toMatchObject({ kind: 'review', key: `review/${review?.id}`, value: after.score.value });
  });
});

test('proof is answered like a service that signs no log', async () => {
  await expect(start().record.proof('alpha')).rejects.toThrow(NotFoundError);
  expect((await start().record.safe.proof('nobody', { number: 3 })).error?.code).toBe('broker_not_found');
});

test('the budget is apart from that of the other calls, both ways', async () => {
  const { record, client } = start({ rateLimit: 6 });
  await record.at('alpha', {}, { retries: 0 });
  await record.proof('alpha', {}, { retries: 0 }).catch(() => {});
  await expect(record.history('alpha', {}, { retries: 0 })).rejects.toThrow(RateLimitError);
  expect(record.rateLimit).toMatchObject({ limit: 2, remaining: 0 });
  expect(client.rateLimit).toBeUndefined();
  await client.news.list();
  expect(client.rateLimit).toMatchObject({ limit: 6, remaining: 5 });
});

test('goes to the address of a call, below the same path', async () => {
  const { baseUrl, requests } = await serve((response) => sendJson(response, 404, { code: 'broker_not_found' }));
  const record = createRecordClient({ baseUrl: 'https://elsewhere.example/api/v1' });
  const below = baseUrl.replace('/api/v1', '/below/api/v1');
  const { error } = await record.safe.proof('alpha', { date: '2026-03-10' }, { baseUrl: below });
  expect(requests[0]?.url).toBe('/below/transparency/v1/brokers/alpha/proof?date=2026-03-10');
  expect(error?.request.url).toBe(below.replace('/api/v1', '/transparency/v1/brokers/alpha/proof?date=2026-03-10'));
});

test('the strict client reports what differs from the contract', async () => {
  const { server } = start();
  const { baseUrl, fetch } = server;
  const drifts: string[] = [];
  const strict = createStrict({
    baseUrl,
    fetch,
    onSchemaDrift: ({ call, issues }) => drifts.push(call, ...issues.map(({ path }) => path)),
  });
  await strict.history('alpha');
  expect(drifts).toEqual([]);
  server.fail('drift', { call: 'brokers.history' });
  await strict.history('alpha');
  expect(drifts).toEqual(['brokers.history', 'data.0.number']);
});
