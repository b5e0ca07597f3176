import { describe, expect, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { BrokerNotFoundError, createClient, InvalidResponseError, RateLimitError } from './index.ts';
import { record } from './record.ts';
import { createClient as createStrict } from './strict.ts';
import { createTestServer } from './testing.ts';
import { verifyProof } from './verify.ts';

/** A broker with a few reviews, and a client for what was published of it. */
const start = (options: Parameters<typeof createTestServer>[0] = {}) => {
  const server = createTestServer({ fixtures: { brokers: [{ slug: 'alpha', reviews: 12 }] }, ...options });
  const { baseUrl, fetch } = server;
  return { server, client: createClient({ baseUrl, fetch, with: [record()] }) };
};

/** The same after six changes: the broker is published, and five of its reviews are removed. */
const startWithChanges = (options: Parameters<typeof createTestServer>[0] = {}) => {
  const started = start(options);
  for (const { id } of started.server.reviews.slice(0, 5)) started.server.moveReview(id, 'removed');
  return started;
};

describe('history', () => {
  test('history is a list: a page to await, and all steps to iterate over, each once', async () => {
    const { client, server } = startWithChanges({ rateLimit: 1000 });
    const whole = await client.record.brokers.history('alpha', { limit: 100 });
    expect(whole).toMatchObject({ slug: 'alpha', next: null, previous: null });
    expect(whole.data).toHaveLength(6);
    expect(whole.data[0]?.entries.length).toBeGreaterThan(12);
    for (const limit of [1, 4, whole.data.length]) {
      const steps: unknown[] = [];
      for await (const step of client.record.brokers.history('alpha', { limit })) steps.push(step);
      expect(steps).toEqual(whole.data);
    }
    const asked = server.requests.map(({ path }) => path);
    expect(asked[0]).toBe('/transparency/v1/brokers/alpha/history?limit=100');
    expect(asked[1]).toBe('/transparency/v1/brokers/alpha/history?limit=1');
    expect(asked[2]).toBe(`/transparency/v1/brokers/alpha/history?limit=1&from=${whole.data[1]?.entries[0]?.number}`);
  });

  test('begins at a number, and ends at a limit', async () => {
    const { client } = startWithChanges();
    const all = await client.record.brokers.history('alpha').toArray();
    const [, second, third, fourth] = all;
    const from = second?.number as number;
    expect(await client.record.brokers.history('alpha', { from, limit: 2 }).toArray({ limit: 3 })).toEqual([
      second,
      third,
      fourth,
    ]);
    for await (const { slug, data } of client.record.brokers.history('alpha', { from }).pages()) {
      expect(slug).toBe('alpha');
      expect(data[0]).toEqual(second);
    }
  });

  test('gives the last steps before a number, and the last one of a day or month', async () => {
    const { client } = startWithChanges({ rateLimit: 1000 });
    const all = await client.record.brokers.history('alpha').toArray();
    expect(await client.record.brokers.history('alpha', { before: 999_999_999, limit: 2 }).toArray()).toEqual(
      all.slice(-2),
    );
    const third = all[2]?.number as number;
    const older = await client.record.brokers.history('alpha', { before: third });
    expect(older).toMatchObject({ data: all.slice(0, 2), next: third, previous: null });
    expect(await client.record.brokers.history('alpha', { before: third }).toArray(), 'one page').toEqual(
      all.slice(0, 2),
    );
    const first = all[0]?.entries.map(({ number }) => number) as number[];
    for (const before of first)
      expect(await client.record.brokers.history('alpha', { before })).toMatchObject({ data: [], next: first[0] });
    for (const from of first)
      expect((await client.record.brokers.history('alpha', { from, limit: 1 })).data).toEqual(all.slice(0, 1));
    const newest = await client.record.brokers.history('alpha', { before: 999_999_999, limit: 2 });
    expect(newest).toMatchObject({ next: null, previous: all[4]?.number });
    for (const [per, length] of [
      ['day', 10],
      ['month', 7],
    ] as const) {
      const lastOfEach = new Map(all.map((step) => [step.time.slice(0, length), step]));
      expect(await client.record.brokers.history('alpha', { per }).toArray()).toEqual([...lastOfEach.values()]);
    }
  });

  test('ends with an error if a page leads back to an earlier one', async () => {
    const page = { slug: 'alpha', since: '2026-01-01T00:00:00Z', data: [], next: 7, previous: null };
    const { baseUrl, requests } = await serve((response) => sendJson(response, 200, page));
    await expect(
      createClient({ baseUrl, with: [record()] })
        .record.brokers.history('alpha')
        .toArray(),
    ).rejects.toThrow(InvalidResponseError);
    expect(requests.map(({ url }) => url)).toEqual([
      '/transparency/v1/brokers/alpha/history',
      '/transparency/v1/brokers/alpha/history?from=7',
    ]);
  });

  test('gives results in place of errors, of which the last ends it', async () => {
    const { client, server } = start();
    server.fail('not_found', { call: 'record.brokers.history' });
    const results = [];
    for await (const result of client.safe.record.brokers.history('alpha')) results.push(result.error?.code);
    expect(results).toEqual(['not_found']);
    const { data, error } = await client.safe.record.brokers.history('alpha').toArray();
    expect([data?.length, error]).toEqual([(await client.record.brokers.history('alpha')).data.length, undefined]);
  });
});

describe('at', () => {
  test('takes a number or a time, and is the live answer for now', async () => {
    const { client } = start();
    const live = await client.brokers.get('alpha');
    const now = await client.record.brokers.at('alpha');
    expect(now.ratingsByMonth).toEqual(live.ratingsByMonth);
    expect(now.score.value).toBeCloseTo(live.score.value as number, 3);
    const [first] = (await client.record.brokers.history('alpha')).data;
    const { number, time } = first as { number: number; time: string };
    expect((await client.record.brokers.at('alpha', { knownAt: number })).knownAt).toBe(number);
    expect((await client.record.brokers.at('alpha', { knownAt: time, validAt: '2027-03-10T00:00:00Z' })).validAt).toBe(
      '2027-03-10T00:00:00.000Z',
    );
    for (const { number: within } of first?.entries ?? [])
      expect((await client.record.brokers.at('alpha', { knownAt: within })).knownAt, 'a change counts as a whole').toBe(
        number,
      );
    await expect(client.record.brokers.at('alpha', { knownAt: 0 })).rejects.toThrow(BrokerNotFoundError);
  });

  test('knows a review from the moment on when it is published, until it is removed', async () => {
    const { client, server } = start();
    const before = await client.record.brokers.at('alpha');
    const [review] = server.reviews;
    server.moveReview(review?.id as string, 'removed');
    const after = await client.record.brokers.at('alpha');
    const count = (months: typeof after.ratingsByMonth) => months.reduce((sum, month) => sum + month.count, 0);
    expect(count(before.ratingsByMonth) - count(after.ratingsByMonth)).toBe(1);
    const again = await client.record.brokers.at('alpha', { knownAt: before.knownAt });
    expect(count(again.ratingsByMonth)).toBe(count(before.ratingsByMonth));
    const last = (await client.record.brokers.history('alpha').toArray()).at(-1);
    expect(last).toMatchObject({ kind: 'review', key: `review/${review?.id}`, value: after.score.value });
  });
});

test('proof gives a proof of the score of a day, or of another entry about the broker', async () => {
  const { client, server } = start();
  const { date, number, proof } = await client.record.brokers.proof('alpha');
  const { entry, score, level } = await verifyProof(proof, server.policy);
  expect([date, level]).toEqual(['2026-01-15', 'witnessed']);
  expect(entry).toMatchObject({ kind: 'day', number });
  const day = await client.record.brokers.at('alpha', { validAt: `${date}T00:00:00Z` });
  expect(score).toEqual({ date, slug: 'alpha', value: day.score.value, color: day.score.color });
  const license = day.facts.find(({ kind }) => kind === 'license');
  const other = await client.record.brokers.proof('alpha', { number: license?.number });
  expect((await verifyProof(other.proof, server.policy)).entry).toMatchObject(license as object);
});

test('proof finds neither a day without scores, nor an entry about somebody else, nor an unknown broker', async () => {
  const { proof } = start().client.safe.record.brokers;
  expect((await proof('alpha', { date: '2026-01-14' })).error?.code).toBe('not_found');
  expect((await proof('alpha', { number: 0 })).error?.code).toBe('not_found');
  expect((await proof('nobody', { number: 3 })).error?.code).toBe('broker_not_found');
});

test('the budget is apart from that of the other calls, both ways', async () => {
  const { client } = start({ rateLimit: 6 });
  await client.record.brokers.at('alpha', {}, { retries: 0 });
  await client.record.brokers.proof('alpha', {}, { retries: 0 }).catch(() => {});
  await expect(client.record.brokers.history('alpha', {}, { retries: 0 })).rejects.toThrow(RateLimitError);
  expect(client.record.rateLimit).toMatchObject({ limit: 2, remaining: 0 });
  expect(client.rateLimit).toBeUndefined();
  await client.news.list();
  expect(client.rateLimit).toMatchObject({ limit: 6, remaining: 5 });
});

test('goes to the address of a call, below the same path', async () => {
  const { baseUrl, requests } = await serve((response) => sendJson(response, 404, { code: 'broker_not_found' }));
  const client = createClient({ baseUrl: 'https://elsewhere.example/api/v1', with: [record()] });
  const below = baseUrl.replace('/api/v1', '/below/api/v1');
  const { error } = await client.safe.record.brokers.proof('alpha', { date: '2026-03-10' }, { baseUrl: below });
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
    with: [record()],
    onSchemaDrift: ({ call, issues }) => drifts.push(call, ...issues.map(({ path }) => path)),
  });
  await strict.record.brokers.history('alpha');
  expect(drifts).toEqual([]);
  server.fail('drift', { call: 'record.brokers.history' });
  await strict.record.brokers.history('alpha');
  expect(drifts).toEqual(['record.brokers.history', 'data.0.number']);
});
