import { afterEach, describe, expect, test } from 'vitest';
import {
  type Client,
  type ClientOptions,
  ConnectionError,
  createClient,
  InvalidResponseError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from '../index.ts';
import { createClient as createStrict, SchemaDriftError } from '../strict.ts';
import { createTestServer, type TestServer } from '../testing.ts';

const server = createTestServer({ fixtures: { brokers: [{ slug: 'alpha' }, { slug: 'beta', color: 'red' }] } });
afterEach(() => server.reset());

const review = (broker = 'alpha') => ({
  broker,
  rating: 4.5,
  language: 'en',
  title: 'Paid out in two days',
  content: 'I withdrew twice this year, and both times it came.',
});

const connectClient = (options: Partial<ClientOptions> = {}, of: TestServer = server): Client =>
  createClient({ baseUrl: of.baseUrl, fetch: of.fetch, ...options });
const author = (options: Partial<ClientOptions> = {}): Client => connectClient({ token: server.token(), ...options });

const failed = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => expect.unreachable(),
    (error: unknown) => error,
  );

describe('a fault', () => {
  test('a fault with any code is answered, and the request has no effect', async () => {
    server.fail('unavailable', { retryAfter: 7 });
    const error = await failed(author({ retries: 0 }).reviews.create(review()));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ retryAfter: 7 });
    server.fail('rate_limited', { retryAfter: 90 });
    const limited = connectClient();
    expect(await failed(limited.news.list())).toBeInstanceOf(RateLimitError);
    expect(limited.rateLimit?.remaining).toBe(0);
    server.fail('internal_error');
    expect(await connectClient({ retries: 0 }).safe.news.list()).toMatchObject({
      error: { code: 'internal_error', retryAfter: undefined },
    });
    expect(server.reviews.filter(({ token }) => token)).toEqual([]);
  });

  test('affects the given number of requests, and the client recovers', async () => {
    server.fail('unavailable', { times: 2, retryAfter: 0 });
    expect((await connectClient().brokers.get('alpha')).slug).toBe('alpha');
    expect(server.requests.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  test('affects only the requests it is for', async () => {
    const client = author({ retries: 0 });
    server.fail('unavailable', { call: 'brokers.get', broker: 'beta' });
    server.fail('internal_error', { method: 'POST', broker: 'alpha' });
    server.fail('rate_limited', { call: 'reviews.list', broker: 'beta' });
    await client.brokers.list();
    await client.brokers.get('alpha');
    expect(await failed(client.brokers.get('beta'))).toMatchObject({ code: 'unavailable' });
    await client.brokers.get('beta');
    await client.reviews.create(review('beta'));
    expect(await failed(client.reviews.create(review('alpha')))).toMatchObject({ code: 'internal_error' });
    expect(await failed(client.reviews.list({ broker: 'beta' }))).toMatchObject({ code: 'rate_limited' });
  });

  test('dropped: the request has no effect', async () => {
    server.fail('dropped');
    expect(await failed(author({ retries: 0 }).reviews.create(review()))).toBeInstanceOf(ConnectionError);
    expect(server.reviews.filter(({ token }) => token)).toEqual([]);
    expect(server.requests).toMatchObject([{ call: 'reviews.create', status: undefined }]);
  });

  test('dropped_after_write: one review is stored, and the next try gets the answer', async () => {
    server.fail('dropped_after_write', { call: 'reviews.create' });
    const { data, response } = await author().reviews.create(review()).withResponse();
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    const stored = server.reviews.filter(({ token }) => token);
    expect(stored).toMatchObject([{ id: data.id, status: 'pending' }]);
    expect(server.requests).toHaveLength(2);
  });

  test('slow: the write still happens after the caller’s time, and a repetition finds it in progress', async () => {
    server.fail('slow', { delayMs: 150 });
    const client = author({ retries: 0 });
    const idempotencyKey = 'once';
    const error = await failed(client.reviews.create(review(), { idempotencyKey, timeoutMs: 30 }));
    expect(error).toBeInstanceOf(TimeoutError);
    const again = client.safe.reviews.create(review(), { idempotencyKey });
    expect((await again).error?.code).toBe('idempotency_in_progress');
    await expect.poll(() => server.reviews.filter(({ token }) => token).length).toBe(1);
    expect((await client.reviews.create(review(), { idempotencyKey })).status).toBe('pending');
  });

  test('cut: the answer is not JSON', async () => {
    server.fail('cut');
    expect(await failed(connectClient().brokers.list())).toBeInstanceOf(InvalidResponseError);
  });

  test('drift: the answer breaks the contract, which only the strict client notices', async () => {
    const strict = createStrict({ baseUrl: server.baseUrl, fetch: server.fetch, token: server.token() });
    for (const [call, make] of [
      ['brokers.get', () => strict.brokers.get('alpha')],
      ['brokers.list', () => strict.brokers.list()],
      ['regulators.list', () => strict.regulators.list()],
      ['reviews.create', () => strict.reviews.create(review())],
    ] as const) {
      server.fail('drift', { call });
      expect(await failed(make()), call).toBeInstanceOf(SchemaDriftError);
    }
    server.fail('drift');
    expect(await connectClient().brokers.get('alpha')).toMatchObject({ slug: 'alpha' });
  });

  test('html: a proxy’s page comes with any status, and the request has no effect', async () => {
    server.fail('html');
    const error = await failed(author({ retries: 0 }).reviews.create(review()));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status: 502 });
    server.fail('html', { status: 503, retryAfter: 30 });
    expect(await failed(connectClient({ retries: 0 }).news.list())).toMatchObject({
      code: 'unavailable',
      retryAfter: 30,
    });
    server.fail('html', { status: 200 });
    expect(await failed(connectClient().news.list())).toBeInstanceOf(InvalidResponseError);
    expect(server.reviews.filter(({ token }) => token)).toEqual([]);
  });

  test('trickle: the answer comes in pieces, whole or too late', async () => {
    server.fail('trickle', { delayMs: 1 });
    expect((await connectClient().brokers.get('alpha')).slug).toBe('alpha');
    server.fail('trickle', { delayMs: 60_000 });
    const error = await failed(connectClient({ retries: 0, timeoutMs: 50 }).news.list());
    expect(error).toMatchObject({ code: 'timeout', requestId: expect.stringMatching(/^test-request-/) });
  });

  test.each<[string, () => void]>([
    // @ts-expect-error: no such fault
    ['there is no fault "unavailabel"; there are slow, trickle, ', () => server.fail('unavailabel')],
    // @ts-expect-error: no such fault
    ['there is no fault "toString"', () => server.fail('toString')],
    [
      'there is no call "brokers.gett"; there are search, brokers.list, ',
      // @ts-expect-error: no such call
      () => server.fail('slow', { call: 'brokers.gett' }),
    ],
    // @ts-expect-error: no such option
    ['there is no option "cal"; there are call, ', () => server.fail('slow', { cal: 'brokers.get' })],
    // @ts-expect-error: no such method
    ['there is no method "HEAD"', () => server.fail('slow', { method: 'HEAD' })],
    ['times must be 1 or more', () => server.fail('slow', { times: 0 })],
    ['delayMs must be 0 or more', () => server.fail('slow', { delayMs: Number.NaN })],
  ])('a fault is refused if it is misspelt or would affect nothing: %s', (message, fail) => {
    expect(fail).toThrow(message);
  });
});

describe('a test server on a port', () => {
  test('behaves the same, even with broken connections', async () => {
    const origin = await server.listen();
    try {
      expect(server.baseUrl).toBe(`${origin}/api/v1`);
      const client = createClient({ baseUrl: server.baseUrl, token: server.token() });
      server.fail('dropped');
      server.fail('dropped_after_write');
      await client.reviews.create(review());
      expect(server.requests.map(({ status }) => status)).toEqual([undefined, undefined, 201]);
      expect(server.reviews.filter(({ token }) => token)).toHaveLength(1);
      server.fail('cut');
      expect(await failed(client.news.list())).toBeInstanceOf(InvalidResponseError);
      const problem = await failed(client.brokers.get('nobody'));
      expect(problem).toMatchObject({ code: 'broker_not_found', requestId: expect.stringMatching(/^test-request-/) });
    } finally {
      await server.close();
    }
    await expect(fetch(`${origin}/api/v1/news`)).rejects.toThrow();
    expect(server.baseUrl).not.toContain(origin);
  });

  test('drops waiting requests when it is closed or disposed', async () => {
    await server.listen();
    const client = createClient({ baseUrl: server.baseUrl, retries: 0 });
    server.fail('slow', { delayMs: 60_000 });
    const waiting = failed(client.news.list());
    await expect.poll(() => server.requests.length).toBe(1);
    await server[Symbol.asyncDispose]();
    expect(await waiting).toBeInstanceOf(ConnectionError);
  });
});

describe('the origin option', () => {
  test('replaces the default, so that addresses in the code need no change', async () => {
    const own = createTestServer({ origin: 'https://brokers.example', fixtures: { brokers: 1 } });
    expect(own.baseUrl).toBe('https://brokers.example/api/v1');
    expect((await own.fetch(new Request('https://brokers.example/api/v1/brokers'))).status).toBe(200);
    const { error } = await connectClient({}, own).safe.brokers.get('nobody');
    expect(error?.code).toBe('broker_not_found');
    await expect(own.fetch(`${server.baseUrl}/brokers`)).rejects.toThrow(/answers https:\/\/brokers\.example/);
  });

  test.each([
    'brokers.example',
    'https://brokers.example/api/v1',
    'https://user@brokers.example',
    'ftp://brokers.example',
    'https://x y',
  ])('refuses %j', (origin) => {
    expect(() => createTestServer({ origin })).toThrow(TypeError);
  });
});

describe('the test server’s fetch', () => {
  test('answers no other address', async () => {
    await expect(server.fetch('https://brokers.example/api/v1/news')).rejects.toThrow(/answers https:.* not https:/);
    expect(server.requests).toEqual([]);
  });

  test('takes the arguments of the platform’s fetch, and stops on its signal', async () => {
    const url = new URL(`${server.baseUrl}/brokers/alpha`);
    expect((await server.fetch(url)).status).toBe(200);
    expect((await server.fetch(new Request(url, { method: 'HEAD' }))).body).toBeNull();
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(server.fetch(url, { signal: stopped })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(2);
  });

  test('counts requests until the window ends', async () => {
    let now = Date.UTC(2026, 0, 1);
    const limited = createTestServer({ rateLimit: 2, now: () => new Date(now), fixtures: { brokers: 1 } });
    const client = connectClient({}, limited);
    await client.news.list();
    await client.news.list();
    expect(client.rateLimit).toMatchObject({ limit: 2, remaining: 0 });
    expect(await failed(client.news.list())).toMatchObject({ code: 'rate_limited', retryAfter: 60 });
    await connectClient({ token: limited.token() }, limited).news.list();
    now += 60_000;
    await client.news.list();
  });
});

describe('a test', () => {
  test('sees what the server received and stored', async () => {
    const client = author();
    await client.complaints.create({
      broker: 'alpha',
      category: 'withdrawal',
      title: 'Refused',
      content: 'I asked for it on 1 October, twice.',
      consentToForward: true,
    });
    expect(server.complaints).toMatchObject([{ broker: 'alpha', category: 'withdrawal', status: 'received' }]);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/complaints',
        call: 'complaints.create',
        status: 201,
        body: { title: 'Refused' },
      },
    ]);
    expect((await client.brokers.get('alpha')).complaintSummary.open).toBe(1);
  });

  test('publishes a review, which then counts, and removes it, which ends that', async () => {
    const client = author();
    const before = await client.brokers.get('beta');
    const { id } = await client.reviews.create(review('beta'));
    expect((await client.brokers.get('beta')).ratingSummary).toEqual(before.ratingSummary);
    server.moveReview(id, 'published');
    const after = await client.brokers.get('beta');
    expect(after.ratingSummary.count).toBe(before.ratingSummary.count + 1);
    expect(after.recentReviews[0]?.id).toBe(id);
    server.moveReview(id, 'removed');
    expect((await client.brokers.get('beta')).ratingSummary.count).toBe(before.ratingSummary.count);
    expect(() => server.moveReview(id, 'pending')).toThrow(/removed review can become published, not pending/);
    expect(() => server.moveReview('nobody', 'published')).toThrow(/no review "nobody"/);
  });

  test('changes an account', async () => {
    const token = server.token({ kyc: 'pending', displayName: 'Ann', country: 'GB' });
    const client = connectClient({ token });
    expect(await failed(client.reviews.create(review()))).toMatchObject({ code: 'kyc_required' });
    server.changeAccount(token, { kyc: 'verified' });
    expect((await client.reviews.create(review())).author).toEqual({ displayName: 'Ann', country: 'GB' });
    server.changeAccount(token, { revoked: true });
    expect(await failed(client.reviews.create(review('beta')))).toMatchObject({ code: 'invalid_token' });
    expect(() => server.changeAccount('other', {})).toThrow(TypeError);
  });

  test('adds fixtures later', async () => {
    const client = connectClient();
    const first = await client.news.list({ limit: 20 });
    server.add({ brokers: [{ slug: 'gamma' }, { slug: 'beta', color: 'green' }], news: [{ title: 'Later' }] });
    const { data } = await client.news.list({ cursor: first.pagination.nextCursor ?? '' });
    expect(data).toHaveLength(5);
    expect((await client.news.list({ limit: 1 })).data[0]?.title).toBe('Later');
    expect((await client.brokers.list({ color: 'green' })).pagination.total).toBe(3);
    expect(() => server.add({ brokers: 3 })).toThrow(TypeError);
  });

  test('lists what changed since an entry, and says where to go on', async () => {
    const fixtures = {
      brokers: [{ slug: 'alpha' }, { slug: 'beta' }, { slug: 'gamma' }],
      formerSlugs: { old: 'gamma' },
    };
    const own = createTestServer({ fixtures });
    const list = (updatedSince: number) => connectClient({}, own).brokers.list({ updatedSince, limit: 2 });
    const first = await list(0);
    expect([first.data.map(({ slug }) => slug), first.updates?.more]).toEqual([['alpha', 'beta'], true]);
    const rest = await list(first.updates?.next ?? 0);
    expect(rest).toMatchObject({ data: [{ slug: 'gamma' }], updates: { more: false, gone: ['old'] } });
    expect((await list(rest.updates?.next ?? 0)).data).toEqual([]);
    own.add({ brokers: [{ slug: 'alpha', color: 'red' }] });
    expect(await list(rest.updates?.next ?? 0)).toMatchObject({ data: [{ slug: 'alpha', color: 'red' }] });
    expect(await list(0).toArray()).toHaveLength(3);
  });

  test('asks for a broker by a former slug, and reaches it where it is now', async () => {
    const own = createTestServer({
      fixtures: { brokers: [{ slug: 'alpha-markets', reviews: 3 }], formerSlugs: { alpha: 'alpha-markets' } },
    });
    const client = connectClient({ token: own.token() }, own);
    expect((await client.brokers.get('alpha')).slug).toBe('alpha-markets');
    expect((await client.reviews.list({ broker: 'alpha', limit: 1 }).toArray()).length).toBe(3);
    expect((await client.reviews.create(review('alpha'))).brokerSlug).toBe('alpha-markets');
    const { title, content } = review();
    const complaint = { broker: 'alpha', category: 'pricing', title, content, consentToForward: false } as const;
    expect((await client.complaints.create(complaint)).brokerSlug).toBe('alpha-markets');
    expect(own.complaints).toMatchObject([{ broker: 'alpha-markets' }]);
    expect(own.requests.map(({ path, status }) => `${status} ${path.replace(/cursor=.*/, 'cursor')}`)).toEqual([
      '308 /api/v1/brokers/alpha',
      '200 /api/v1/brokers/alpha-markets',
      ...['', '&cursor', '&cursor'].flatMap((more) => [
        `308 /api/v1/reviews?broker=alpha&limit=1${more}`,
        `200 /api/v1/reviews?broker=alpha-markets&limit=1${more}`,
      ]),
      '201 /api/v1/reviews',
      '201 /api/v1/complaints',
    ]);
    expect(own.brokers.map(({ slug }) => slug)).toEqual(['alpha-markets']);
  });

  test('sees a redirect with its headers, for GET and HEAD', async () => {
    server.add({ formerSlugs: { 'old-alpha': 'alpha' } });
    const url = `${server.baseUrl}/reviews?limit=2&broker=old-alpha`;
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => server.fetch(url, { method, redirect: 'manual' })),
    );
    for (const { status, headers } of [get, head] as Response[]) {
      expect([status, headers.get('location')]).toEqual([308, '/api/v1/reviews?broker=alpha&limit=2']);
      expect(headers.get('cache-control')).toBe('public, max-age=30');
      expect(headers.get('ratelimit')).toMatch(/^"public";r=\d+;t=60$/);
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    expect([await get?.json(), await head?.text()]).toEqual([{ slug: 'alpha' }, '']);
    const wrong = await server.fetch(`${server.baseUrl}/reviews?broker=old-alpha&limit=0`);
    expect(wrong.status).toBe(400);
  });

  test('renames a broker between two pages, and merges it into a third', async () => {
    const own = createTestServer({ fixtures: { brokers: ['a', 'b', 'c'].map((slug) => ({ slug, reviews: 0 })) } });
    own.add({ brokers: [{ slug: 'a', reviews: 4 }] });
    const client = connectClient({}, own);
    const seen: string[] = [];
    for await (const { id, brokerSlug } of client.reviews.list({ broker: 'a', limit: 1 })) {
      if (seen.length === 0) own.add({ formerSlugs: { a: 'b' } });
      if (seen.length === 1) own.add({ formerSlugs: { b: 'c' } });
      seen.push(`${id} ${brokerSlug}`);
    }
    expect(seen.map((line) => line.split(' ')[1])).toEqual(['a', 'b', 'c', 'c']);
    expect(new Set(seen).size).toBe(4);
    expect((await client.brokers.get('a')).ratingSummary.count).toBe(4);
    expect(own.brokers.map(({ slug }) => slug)).toEqual(['c']);
    expect(() => own.add({ brokers: [{ slug: 'a' }] })).toThrow('broker "a": this is a former slug');
  });

  test('resets the server to its initial state', async () => {
    const token = server.token();
    const made = server.brokers;
    await connectClient({ token }).reviews.create(review());
    server.fail('unavailable', { times: Infinity });
    server.add({ brokers: [{ slug: 'gamma' }] });
    server.reset();
    expect([server.brokers, server.requests]).toEqual([made, []]);
    expect(await failed(connectClient({ token }).reviews.create(review()))).toMatchObject({ code: 'invalid_token' });
  });
});

test('the filter by residence judges at the time of the server', async () => {
  const regulator = { code: 'test-xz', country: 'XZ', registerReadAt: '2026-01-14T00:00:00.000Z' };
  const protections = {
    compensationLimit: null,
    negativeBalance: true,
    segregation: true,
    retailLeverageCap: 30,
    retailLeveragedFx: 'licensed',
  } as const;
  const serves = { countries: ['XZ'], sourceUrl: 'https://alpha.example/', asOf: '2026-01-14T00:00:00.000Z' };
  const times = { lastVerifiedAt: '2026-01-14T00:00:00.000Z', expiresAt: '2026-03-01T00:00:00.000Z', stale: false };
  const listAt = async (now: string): Promise<string[]> => {
    const { baseUrl, fetch } = createTestServer({
      now: () => new Date(now),
      fixtures: {
        regulators: [{ ...regulator, protections }],
        brokers: [
          {
            slug: 'alpha',
            entities: [{ legalName: 'Alpha Ltd', country: 'XZ', retailClients: true, serves }],
            licenses: [{ regulatorCode: 'test-xz', legalName: 'Alpha Ltd', status: 'active', ...times }],
          },
        ],
      },
    });
    const { data } = await createClient({ baseUrl, fetch }).brokers.list({ residence: 'XZ' });
    return data.map(({ slug }) => slug);
  };
  expect(await listAt('2026-01-15T12:00:00.000Z')).toEqual(['alpha']);
  expect(await listAt('2026-03-02T12:00:00.000Z')).toEqual([]);
});
