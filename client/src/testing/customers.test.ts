import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { enterprise } from '../enterprise.ts';
import { createClient } from '../index.ts';
import { createTestServer, type TestCustomer, type TestServerOptions } from '../testing.ts';

const start = (options: TestServerOptions = {}) => {
  const server = createTestServer({
    fixtures: { brokers: [{ slug: 'alpha' }, { slug: 'beta' }], news: 0 },
    ...options,
  });
  const { baseUrl, fetch } = server;
  const connect = (key: string | undefined) =>
    createClient({ baseUrl, fetch, retries: 0, pace: false, with: [enterprise({ key })] }).safe.enterprise;
  const join = (customer?: TestCustomer) => connect(server.key(customer));
  return { server, connect, join };
};

describe('a key', () => {
  test('a key is required, must be one of the server, and ends when it is revoked', async () => {
    const { server, connect } = start();
    expect((await connect(undefined).account.get()).error?.code).toBe('authentication_required');
    expect((await connect(server.token()).account.get()).error?.code).toBe('invalid_token');
    const key = server.key({ name: 'Gazette', plan: 'media' });
    expect((await connect(key).account.get()).data).toMatchObject({ name: 'Gazette', plan: 'media' });
    server.changeCustomer(key, { revoked: true });
    const { error } = await connect(key).account.get();
    expect(error?.code).toBe('invalid_token');
    expect(error?.response?.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(() => server.changeCustomer('bte_sandbox_other', {})).toThrow(TypeError);
  });

  test('a key has the scopes of its plan, or fewer', async () => {
    const { join } = start();
    const media = join({ plan: 'media' });
    expect((await media.media.movers({ since: '2026-01-01' })).error).toBeUndefined();
    const { error } = await media.screening.screen({ queries: [{ name: 'Alpha' }] });
    expect(error).toMatchObject({
      code: 'insufficient_scope',
      detail: 'This needs the scope "screening:read", and the plan "media" does not have it.',
    });
    const reader = join({ scopes: ['record:read'] });
    expect((await reader.feed.changes()).data?.texts).toBeUndefined();
    expect((await join().feed.changes()).data?.texts).toBeDefined();
    const { error: missing } = await reader.webhooks.list();
    expect(missing?.message).toContain('this key does not have it');
  });

  test('a key has the budgets of its plan, one of them for reads of the record, and others have their own', async () => {
    const { join } = start({ now: () => new Date('2026-01-15T12:00:00Z') });
    const reader = join();
    for (let count = 0; count < 60; count++) await reader.regulators.list();
    expect((await reader.regulators.list()).error).toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    const { data, response } = await reader.account.usage();
    expect(response?.headers.get('ratelimit-policy')).toBe('"enterprise";q=1200;w=60');
    expect(data).toMatchObject({ month: '2026-01', requests: 60, routes: [{ route: '/regulators', requests: 60 }] });
    expect((await join().regulators.list()).error).toBeUndefined();
  });
});

describe('the feed', () => {
  test('ends pages with whole changes, and leaves out what was not asked for', async () => {
    const { server, join } = start();
    const { feed, watchlists } = join();
    const { data: first } = await feed.changes({ limit: 1 });
    expect(first?.entries.at(-1)?.last).toBe(true);
    const { data: news } = await feed.changes({ kind: 'license', limit: 1000 });
    expect(news).toMatchObject({ isFiltered: true, through: news?.end });
    expect(new Set(news?.entries.map(({ kind }) => kind))).toEqual(new Set(['license']));
    await watchlists.put('own', { brokers: ['beta'] });
    const { data: watched } = await feed.changes({ watchlist: 'own', limit: 1000 });
    expect(watched?.entries.filter(({ kind }) => kind === 'broker').map(({ key }) => key)).toEqual(['broker/beta']);
    expect((await feed.changes({ after: (first?.end ?? 0) + 1 })).error?.code).toBe('state_conflict');
    expect((await feed.changes({ watchlist: 'none' })).error?.code).toBe('not_found');
    expect((await feed.changes({ broker: 'nobody' })).error?.code).toBe('broker_not_found');
    expect(server.requests).toHaveLength(7);
  });

  test('answers a caller who waits as soon as something is published', async () => {
    const { server, join } = start();
    const { feed } = join();
    const { data } = await feed.changes({ limit: 1000 });
    const after = data?.end ?? 0;
    const waiting = feed.changes({ after, wait: 25 });
    await expect.poll(() => server.requests.length).toBe(2);
    server.moveReview(server.reviews[0]?.id ?? '', 'removed');
    expect((await waiting).data?.entries).toMatchObject([{ number: after + 1, kind: 'review' }]);
    expect((await feed.changes({ after: after + 1, wait: 1 })).data?.entries).toEqual([]);
  });
});

test('a request that waits leaves no timer behind, and no rejection when the server closes', async () => {
  const [setTimer, clearTimer] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  const { server, join } = start();
  const { feed } = join();
  const { data } = await feed.changes({ limit: 1, wait: 25 });
  expect(data?.entries).toHaveLength(1);
  const waiting = feed.changes({ after: data?.end ?? 0, wait: 25 });
  await expect.poll(() => setTimer.mock.calls.some(([, ms = 0]) => ms > 24_000 && ms <= 25_000)).toBe(true);
  server.moveReview(server.reviews[0]?.id ?? '', 'removed');
  await waiting;
  const cleared = new Set(clearTimer.mock.calls.map(([timer]) => timer));
  const long = setTimer.mock.results.filter((_, at) => (setTimer.mock.calls[at]?.[1] ?? 0) > 24_000);
  expect(long.filter(({ value }) => !cleared.has(value))).toEqual([]);
  const after = (data?.end ?? 0) + 1;
  const dropped = feed.changes({ after, wait: 25 });
  await expect.poll(() => server.requests.length).toBe(3);
  await server.close();
  expect((await dropped).error?.code).toBe('connection_failed');
});

test.each([
  ['an exact name', { name: 'Alpha Ltd' }, [['alpha', 'exact', []]]],
  [
    'a name and a foreign domain',
    { name: 'Alpha', domain: 'https://www.other.example/' },
    [['alpha', 'likely', ['domain']]],
  ],
  ['a domain', { domain: 'https://www.beta.example/login' }, [['beta', 'exact', []]]],
  ['nobody', { name: 'Nobody At All' }, []],
])('screening finds %s', async (_, query, expected) => {
  const { data } = await start()
    .join()
    .screening.screen({ queries: [query, {}] });
  expect(data?.results[0]?.candidates.map(({ slug, match, unmatched }) => [slug, match, unmatched])).toEqual(expected);
  expect(data?.results[1]).toMatchObject({ outcome: 'invalid', faults: [{ field: 'query' }] });
});

test('the timeline and the lists of other times follow the record', async () => {
  const { server, join } = start();
  const { brokers, regulators, media } = join();
  const { data: before } = await brokers.list({ limit: 1 });
  expect(before).toMatchObject({ data: [{ slug: 'alpha', licenses: 1 }], pagination: { nextCursor: 'alpha' } });
  server.add(
    { brokers: [{ slug: 'alpha', licenses: [{ regulatorCode: 'test-xa', status: 'suspended' }] }] },
    'correction',
  );
  const { data: now } = await brokers.list({ limit: 1 });
  expect(now?.data[0]?.score).toBeLessThan(before?.data[0]?.score ?? 0);
  expect((await brokers.list({ limit: 1, knownAt: before?.knownAt })).data?.data).toEqual(before?.data);
  const { data: timeline } = await brokers.timeline('alpha');
  const step = timeline?.data.find(({ cause, license }) => cause === 'correction' && license?.after);
  expect(step?.score.after?.value).toBe(now?.data[0]?.score);
  const { data: corrections } = await media.corrections({ since: '2026-01-01' });
  expect(corrections?.data.map(({ broker, cause }) => `${broker} ${cause}`)).toContain('alpha correction');
  expect((await regulators.get('test-xa')).data?.brokers.map(({ slug }) => slug)).toContain('alpha');
  expect((await regulators.get('nobody')).error?.code).toBe('regulator_not_found');
});

test('a watchlist that an endpoint follows cannot be removed, and a plan limits their number', async () => {
  const { watchlists, webhooks } = start().join({ plan: 'media' });
  expect((await watchlists.put('own', { brokers: ['nobody'] })).error?.code).toBe('broker_not_found');
  for (let number = 0; number < 20; number++) await watchlists.put(`list-${number}`, { brokers: [] });
  expect((await watchlists.put('own', { brokers: [] })).error?.code).toBe('state_conflict');
  await webhooks.create({ url: 'https://hooks.example/', watchlist: 'list-0' });
  expect((await watchlists.remove('list-0')).error?.code).toBe('state_conflict');
  expect((await watchlists.remove('list-1')).data?.name).toBe('list-1');
  expect((await watchlists.get('list-1')).error?.code).toBe('not_found');
});

test('a watchlist whose removal was done before the connection broke is removed, and the caller is told no error', async () => {
  const { server } = start();
  const { baseUrl, fetch } = server;
  const client = createClient({ baseUrl, fetch, with: [enterprise({ key: server.key() })] });
  const { watchlists } = client.enterprise;
  await watchlists.put('own', { brokers: [] });
  server.fail('dropped_after_write', { call: 'enterprise.watchlists.remove' });
  expect(await watchlists.remove('own')).toBeUndefined();
  expect((await watchlists.list()).data).toEqual([]);
});
