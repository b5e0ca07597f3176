import type { ServerResponse } from 'node:http';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Answerer, catchError, type RecordedRequest, sendJson, serve } from '../scripts/test-server.ts';
import { type Client, createClient, type Fetch, type Hooks, InvalidResponseError, type KeptAnswer } from './index.ts';

const TOKEN = 'btr_s3cret-0123456789';
const NOW = Date.parse('2026-11-02T09:30:00.000Z');
const budget = (left: number) => ({ 'ratelimit-policy': '"public";q=60;w=60', ratelimit: `"public";r=${left};t=20` });
const review = { broker: 'alpha', rating: 4, title: 'A title', content: 'I withdrew twice.', language: 'en' };

const moved = (response: ServerResponse, location: string | undefined, status = 308) =>
  sendJson(response, status, { slug: 'beta' }, location === undefined ? {} : { location });

/** Serves a broker that was renamed from `alpha` to `beta`, and its reviews, one a page. */
const renamed = (answer: Answerer = (response) => sendJson(response, 200, { slug: 'beta' })) =>
  serve((response, request) =>
    request.url.includes('alpha') ? moved(response, request.url.replace('alpha', 'beta')) : answer(response, request),
  );

const listUrls = (requests: readonly RecordedRequest[]) => requests.map(({ url }) => url);

describe('a broker that was renamed', () => {
  test.each<[string, string, (client: Client) => Promise<unknown>]>([
    ['/brokers/alpha', '/brokers/beta', (client) => client.brokers.get('alpha')],
    ['/reviews?broker=alpha', '/reviews?broker=beta', (client) => client.reviews.list({ broker: 'alpha' })],
    [
      '/reviews?broker=alpha&limit=5&cursor=abc',
      '/reviews?broker=beta&limit=5&cursor=abc',
      (client) => client.reviews.list({ broker: 'alpha', limit: 5, cursor: 'abc' }),
    ],
    ['/brokers/alpha', '/brokers/beta', (client) => client.safe.brokers.get('alpha').then(({ data }) => data)],
  ])('finds a renamed broker where it is now: %s', async (from, to, call) => {
    const { baseUrl, requests } = await renamed();
    expect(await call(createClient({ baseUrl, retries: 0 }))).toEqual({ slug: 'beta' });
    expect(listUrls(requests)).toEqual([`/api/v1${from}`, `/api/v1${to}`]);
  });

  test('follows the redirect with the same method, headers and token', async () => {
    const { baseUrl, requests } = await renamed();
    const client = createClient({ baseUrl, token: TOKEN, headers: { 'User-Agent': 'app/1.0' } });
    await client.brokers.get('alpha', { headers: { 'x-b': 'call' } });
    const [first, second] = requests.map(({ method, headers }) => ({ method, headers }));
    expect(second).toEqual(first);
    expect(second).toMatchObject({
      method: 'GET',
      headers: { authorization: `Bearer ${TOKEN}`, 'user-agent': 'app/1.0', 'x-b': 'call' },
    });
  });

  test('gives the last request and answer, also in an error', async () => {
    const { baseUrl } = await renamed();
    const { request, response } = await createClient({ baseUrl }).brokers.get('alpha').withResponse();
    expect(request.url).toBe(`${baseUrl}/brokers/beta`);
    expect(response.status).toBe(200);
    const gone = await renamed((response) => sendJson(response, 404, { code: 'broker_not_found', detail: 'None.' }));
    expect(await catchError(createClient({ baseUrl: gone.baseUrl }).brokers.get('alpha'))).toMatchObject({
      code: 'broker_not_found',
      request: { url: `${gone.baseUrl}/brokers/beta` },
    });
  });

  test('lists a broker to the end if it is renamed between two pages', async () => {
    const { baseUrl, requests } = await serve((response, { url }) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('cursor') ?? 1);
      if (page > 1 && url.includes('alpha')) return moved(response, url.replace('alpha', 'beta'));
      const nextCursor = page < 3 ? String(page + 1) : null;
      return sendJson(response, 200, { data: [{ id: `review-${page}` }], pagination: { limit: 1, nextCursor } });
    });
    const reviews = await createClient({ baseUrl }).reviews.list({ broker: 'alpha', limit: 1 }).toArray();
    expect(reviews.map(({ id }) => id)).toEqual(['review-1', 'review-2', 'review-3']);
    expect(listUrls(requests)).toEqual([
      '/api/v1/reviews?broker=alpha&limit=1',
      '/api/v1/reviews?broker=alpha&limit=1&cursor=2',
      '/api/v1/reviews?broker=beta&limit=1&cursor=2',
      '/api/v1/reviews?broker=alpha&limit=1&cursor=3',
      '/api/v1/reviews?broker=beta&limit=1&cursor=3',
    ]);
  });

  test('stores a renamed broker under its current address, and asks with the version stored there', async () => {
    const { baseUrl, requests } = await renamed((response, { headers }) =>
      headers['if-none-match'] === '"1"'
        ? response.writeHead(304, { etag: '"1"' }).end()
        : sendJson(response, 200, { slug: 'beta' }, { etag: '"1"' }),
    );
    const kept = new Map<string, KeptAnswer>();
    const client = createClient({ baseUrl, store: kept });
    await client.brokers.get('alpha');
    expect([...kept.keys()]).toEqual([`${baseUrl}/brokers/beta`]);
    const { data, response } = await client.brokers.get('alpha').withResponse();
    expect([response.status, data]).toEqual([304, { slug: 'beta' }]);
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined, '"1"']);
  });

  test('hooks see the redirect as a failed try, with the same request object, whose address changes', async () => {
    const { baseUrl } = await renamed();
    const events: string[] = [];
    const seen = new Set<object>();
    const note =
      (name: string) =>
      ({ request, attempt, ...more }: Parameters<NonNullable<Hooks['request']>>[0]) => {
        const { response, error } = more as { response?: Response; error?: Error };
        seen.add(request);
        events.push([name, attempt, response?.status, error?.name].filter(Boolean).join(' '));
        if (name === 'request') events.push(request.url.slice(baseUrl.length));
      };
    const hooks = Object.fromEntries(['request', 'response', 'retry', 'error'].map((name) => [name, note(name)]));
    await createClient({ baseUrl, hooks: hooks as Hooks, retries: 0 }).brokers.get('alpha');
    expect(events).toEqual([
      'request 1',
      '/brokers/alpha',
      'response 1 308',
      'retry 1 InvalidResponseError',
      'request 2',
      '/brokers/beta',
      'response 2 200',
    ]);
    expect(seen.size).toBe(1);
  });

  test('costs none of the retries, which go to the current address', async () => {
    let tries = 0;
    const { baseUrl, requests } = await renamed((response) =>
      ++tries < 3
        ? sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '0' })
        : sendJson(response, 200, { slug: 'beta' }),
    );
    expect(await createClient({ baseUrl, retries: 2 }).brokers.get('alpha')).toEqual({ slug: 'beta' });
    expect(listUrls(requests).map((url) => url.split('/').at(-1))).toEqual(['alpha', 'beta', 'beta', 'beta']);
  });

  test('finds a renamed broker after a failed try', async () => {
    let tries = 0;
    const { baseUrl, requests } = await serve((response, { url }) => {
      if (++tries === 1) return sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '0' });
      return url.includes('alpha') ? moved(response, 'beta') : sendJson(response, 200, { slug: 'beta' });
    });
    expect(await createClient({ baseUrl, retries: 1 }).brokers.get('alpha')).toEqual({ slug: 'beta' });
    expect(requests).toHaveLength(3);
  });

  test('gets a token of the function for each request, and a refused one is replaced', async () => {
    const { baseUrl, requests } = await renamed((response, { headers }) =>
      headers.authorization === 'Bearer fresh'
        ? sendJson(response, 200, { slug: 'beta' })
        : sendJson(response, 401, { code: 'invalid_token' }),
    );
    const token = (refused?: string) => (refused ? 'fresh' : 'stale');
    expect(await createClient({ baseUrl, token }).brokers.get('alpha')).toEqual({ slug: 'beta' });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(
      ['stale', 'stale', 'fresh'].map((given) => `Bearer ${given}`),
    );
  });

  test('counts two requests in the budget', async () => {
    let left = 10;
    const { baseUrl } = await serve((response, { url }) =>
      sendJson(response, url.includes('alpha') ? 308 : 200, { slug: 'beta' }, { ...budget(--left), location: 'beta' }),
    );
    const client = createClient({ baseUrl });
    await client.brokers.get('alpha');
    expect(client.rateLimit?.remaining).toBe(8);
  });

  test('waits for the next window if the redirect took the last request of a paced client', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { baseUrl, requests } = await serve((response, { url }) =>
      sendJson(response, url.includes('alpha') ? 308 : 200, { slug: 'beta' }, { ...budget(0), location: 'beta' }),
    );
    let call: PromiseLike<unknown> | undefined;
    await new Promise<void>((redirected) => {
      call = createClient({ baseUrl, pace: true, hooks: { retry: () => redirected() } }).brokers.get('alpha');
    });
    await vi.advanceTimersByTimeAsync(19_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toEqual({ slug: 'beta' });
    expect(requests).toHaveLength(2);
  });

  test('a redirected call keeps its time limit, and ends with its signal', async () => {
    const { baseUrl } = await renamed(() => undefined);
    const late = createClient({ baseUrl, timeoutMs: 150, retries: 0 }).brokers.get('alpha');
    expect(await catchError(late)).toMatchObject({ code: 'timeout', request: { url: `${baseUrl}/brokers/beta` } });
    const controller = new AbortController();
    const hooks: Hooks = { retry: () => controller.abort('enough') };
    const call = createClient({ baseUrl, hooks }).brokers.get('alpha', { signal: controller.signal });
    await expect(call).rejects.toBe('enough');
  });
});

describe('a redirect that is none of the API’s', () => {
  const toBeta: Answerer = (response) => moved(response, '/api/v1/brokers/beta');

  test.each<[string, number, number, Answerer, ((client: Client) => Promise<unknown>)?]>([
    ...[300, 301, 302, 303, 305, 307].map((status): [string, number, number, Answerer] => [
      `a ${status}`,
      status,
      1,
      (response) => moved(response, '/api/v1/brokers/beta', status),
    ]),
    ['a 308 without Location', 308, 1, (response) => moved(response, undefined)],
    ['a 308 of a POST', 308, 1, toBeta, (client) => client.reviews.create(review)],
    ['a second 308', 308, 2, (response, { url }) => moved(response, `${url}x`)],
    ['a 308 to itself', 308, 2, (response, { url }) => moved(response, url)],
  ])(
    'a redirect that is not the API’s is an error: %s',
    async (_, status, sent, answer, call = (client) => client.brokers.get('alpha')) => {
      const { baseUrl, requests } = await serve(answer);
      const error = await catchError(call(createClient({ baseUrl })));
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect(error).toMatchObject({ status });
      expect(requests).toHaveLength(sent);
    },
  );

  test('a second 308 is an error, even if a failed try came between', async () => {
    let tries = 0;
    const { baseUrl, requests } = await serve((response, { url }) =>
      ++tries === 2
        ? sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '0' })
        : moved(response, `${url}x`),
    );
    expect(await catchError(createClient({ baseUrl }).brokers.get('alpha'))).toMatchObject({ status: 308 });
    expect(requests).toHaveLength(3);
  });
});

describe('a Location', () => {
  const long = 'x'.repeat(9_000);

  test.each([
    ['/api/v1/brokers/beta', '/brokers/beta'],
    ['beta', '/brokers/beta'],
    ['?x=1', '/brokers/alpha?x=1'],
    ['ORIGIN/api/v1/brokers/beta', '/brokers/beta'],
    ['/api/v1/x/../brokers/beta', '/brokers/beta'],
    ['\\api\\v1\\brokers\\beta', '/brokers/beta'],
    ['/api/v1/brokers/b\u00e9ta', '/brokers/b%C3%A9ta'],
    [`/api/v1/brokers/${long}`, `/brokers/${long}`],
  ])('a Location below the base address is followed: %s', async (given, to) => {
    const { baseUrl, requests } = await serve((response) =>
      requests.length === 1
        ? moved(response, given.replace('ORIGIN', new URL(baseUrl).origin))
        : sendJson(response, 200, { slug: 'beta' }),
    );
    expect(await createClient({ baseUrl }).brokers.get('alpha')).toEqual({ slug: 'beta' });
    expect(listUrls(requests)).toEqual(['/api/v1/brokers/alpha', `/api/v1${to}`]);
  });

  test.each([
    '',
    '//OTHER/api/v1/brokers/x',
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example\\x',
    '/\t/evil.example/x',
    'https://evil.example/api/v1/brokers/x',
    'http://OTHER/api/v1/brokers/x',
    'https://HOST/api/v1/brokers/x',
    'http://user@HOST/api/v1/brokers/x',
    'http://user:secret@HOST/api/v1/brokers/x',
    'http://HOST@evil.example/api/v1/brokers/x',
    'http://HOST.evil.example/api/v1/brokers/x',
    'http://127.0.0.1/api/v1/brokers/x',
    '/elsewhere',
    '/api/v1',
    '/api/v10/brokers/x',
    '/API/v1/brokers/x',
    '/api/v1/../admin',
    '/api/v1/brokers/../../admin',
    '/api/v1/%2e%2e/admin',
    '/api/v1/brokers/.%2E/..\\admin',
    '../../../..',
    `/${long}`,
    'http://[',
    'http://evil\u00e9.example/',
    'javascript:alert(1)',
    'data:application/json,{}',
  ])('a Location elsewhere is an error, and nobody gets a request: %j', async (given) => {
    const other = await serve();
    const { baseUrl, requests } = await serve((response) =>
      moved(response, given.replace('HOST', new URL(baseUrl).host).replace('OTHER', new URL(other.baseUrl).host)),
    );
    const error = await catchError(createClient({ baseUrl, token: TOKEN }).brokers.get('alpha'));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status: 308, request: { url: `${baseUrl}/brokers/alpha` } });
    expect(error.message.length).toBeLessThan(3_000);
    expect([requests.length, other.requests.length]).toEqual([1, 0]);
  });

  test('a Location of any form leads to no request outside the base address', async () => {
    const base = 'https://brokers.example/prefix/api/v1';
    const part = fc.constantFrom(
      ...['/', '\\', '..', '.', '%2e', '@', ':', '?', '#', '\t', ' ', 'https:', 'http:', 'é', 'x', ':443', ':8443'],
      ...['brokers.example', 'evil.example', 'prefix', 'api', 'v1', '/prefix/api/v1/', base],
    );
    const location = fc.array(part, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));
    let followed = 0;
    await fc.assert(
      fc.asyncProperty(location, async (given) => {
        const sent: string[] = [];
        const fetch: Fetch = async (url) =>
          sent.push(url) === 1
            ? Response.json({}, { status: 308, headers: { location: given } })
            : Response.json({ slug: 'beta' });
        await createClient({ baseUrl: base, fetch, store: false }).safe.brokers.get('alpha');
        followed += sent.length - 1;
        for (const url of sent) {
          const { origin, pathname, username, password } = new URL(url);
          expect([origin, username, password]).toEqual(['https://brokers.example', '', '']);
          expect(pathname).toMatch(/^\/prefix\/api\/v1\//);
        }
      }),
      { seed: 20_261_121, numRuns: 3_000 },
    );
    expect(followed).toBeGreaterThan(300);
  });
});

/** A browser’s `fetch`: it hides redirects that it does not follow. */
const browserFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  return init.redirect === 'manual' && [301, 302, 303, 307, 308].includes(response.status)
    ? ({ type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), text: async () => '' } as Response)
    : response;
};

describe('in a browser, which hides where a redirect leads', () => {
  const HIDDEN = /was answered 0 with a redirect to an address that is not told$/;

  test('a renamed broker is found, and the request that the browser redirects has no headers', async () => {
    const { baseUrl, requests } = await renamed();
    const client = createClient({ baseUrl, fetch: browserFetch, token: TOKEN, headers: { 'x-b': 'mine' } });
    const { data, request } = await client.brokers.get('alpha').withResponse();
    expect([data, request.url]).toEqual([{ slug: 'beta' }, `${baseUrl}/brokers/beta`]);
    const sent = requests.map(({ method, url, headers }) => [
      `${method} ${url.split('/').at(-1)}`,
      headers.authorization,
      headers['x-b'],
    ]);
    expect(sent).toEqual([
      ['GET alpha', `Bearer ${TOKEN}`, 'mine'],
      ['GET alpha', undefined, undefined],
      ['GET beta', undefined, undefined],
      ['GET beta', `Bearer ${TOKEN}`, 'mine'],
    ]);
  });

  test('a redirect to another origin is an error, and that origin gets no header of the caller', async () => {
    const other = await serve();
    const { baseUrl } = await serve((response) => moved(response, `${other.baseUrl}/brokers/x`));
    const client = createClient({ baseUrl, fetch: browserFetch, token: TOKEN, headers: { 'x-b': 'mine' } });
    expect((await catchError(client.brokers.get('alpha'))).message).toMatch(HIDDEN);
    for (const { headers } of other.requests)
      expect([headers.authorization, headers['x-b']]).toEqual([undefined, undefined]);
  });

  test.each<[string, Answerer, ((client: Client) => Promise<unknown>)?]>([
    [
      'outside the base address',
      (response, { url }) => (url === '/x' ? sendJson(response, 200, {}) : moved(response, '/x')),
    ],
    ['without an end', (response, { url }) => moved(response, `${url}x`)],
    [
      'of a POST',
      (response, { url }) => (url.endsWith('x') ? sendJson(response, 200, {}) : moved(response, '/api/v1/x')),
      (client) => client.reviews.create(review),
    ],
  ])('a redirect is an error: one %s', async (_, answer, call = (client) => client.brokers.get('alpha')) => {
    const { baseUrl } = await serve(answer);
    expect((await catchError(call(createClient({ baseUrl, fetch: browserFetch })))).message).toMatch(HIDDEN);
  });

  test('the request that the browser redirects ends with the try, and has the caller’s options for fetch', async () => {
    const options: RequestInit[] = [];
    const fetch: Fetch = (url, init) => {
      options.push(init);
      return browserFetch(url, init);
    };
    let closed = () => {};
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { baseUrl, requests } = await serve((response) =>
      requests.length === 1 ? moved(response, 'beta') : response.on('close', closed),
    );
    const given = { fetch, fetchOptions: { cache: 'no-cache' }, timeoutMs: 150, retries: 0 } as const;
    const error = await catchError(createClient({ baseUrl, ...given }).brokers.get('alpha'));
    expect(error).toMatchObject({ code: 'timeout' });
    expect(options.map(({ cache }) => cache)).toEqual(['no-cache', 'no-cache']);
    await closing; // no socket is left behind
  });
});
