import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { quietConsole } from '../scripts/quiet-console.ts';
import { type RecordedRequest, sendJson, serve } from '../scripts/test-server.ts';
import { type Client, type ClientOptions, createClient, type FetchOptions, type ReviewSubmission } from './index.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = 'btr_s3cret-0123456789';

const review: ReviewSubmission = {
  broker: 'alpha-markets',
  rating: 4.5,
  title: 'Withdrawals arrive in two days',
  content: 'I withdrew three times this year.',
  language: 'en',
};
const complaint = {
  broker: 'alpha-markets',
  category: 'withdrawal',
  title: 'Refused',
  content: 'I asked for my balance on 1 October.',
  consentToForward: true,
} as const;

/** Makes one call to a new server. Returns the request that the server received. */
const recorded = async (call: (client: Client) => Promise<unknown>, options: Partial<ClientOptions> = {}) => {
  const { baseUrl, requests } = await serve();
  await call(createClient({ baseUrl, ...options }));
  expect(requests).toHaveLength(1);
  return requests[0] as RecordedRequest;
};

describe('every call', () => {
  test.each<[string, string, (client: Client) => Promise<unknown>]>([
    ['GET', '/search?q=ic+m%C3%A4%26x', (client) => client.search({ q: 'ic mä&x' })],
    ['GET', '/brokers', (client) => client.brokers.list()],
    [
      'GET',
      '/brokers?limit=5&color=green',
      (client) => client.brokers.list({ limit: 5, offset: undefined, color: 'green' }),
    ],
    ['GET', '/brokers/alpha-markets', (client) => client.brokers.get('alpha-markets')],
    ['GET', '/brokers/a%2Fb%3Fc', (client) => client.brokers.get('a/b?c')],
    ['GET', '/regulators', (client) => client.regulators.list()],
    ['GET', '/regulators/fsc-mu', (client) => client.regulators.get('fsc-mu')],
    [
      'GET',
      '/reviews?broker=alpha-markets&limit=2',
      (client) => client.reviews.list({ broker: 'alpha-markets', limit: 2 }),
    ],
    ['POST', '/reviews', (client) => client.reviews.create(review)],
    ['POST', '/complaints', (client) => client.complaints.create(complaint)],
    ['GET', '/news?cursor=abc', (client) => client.news.list({ cursor: 'abc' })],
  ])('reaches its route: %s %s', async (method, path, call) => {
    const request = await recorded(call);
    expect(`${request.method} ${request.url}`).toBe(`${method} /api/v1${path}`);
    expect(request.headers['content-type']).toBe(method === 'POST' ? 'application/json' : undefined);
    expect(request.headers['idempotency-key'] !== undefined).toBe(method === 'POST');
  });

  test('sends its body', async () => {
    expect(JSON.parse((await recorded((client) => client.reviews.create(review))).body)).toEqual(review);
    expect((await recorded((client) => client.brokers.list())).body).toBe('');
  });

  test('gives the body of the answer', async () => {
    const body = { data: [{ slug: 'alpha-markets' }] };
    const { baseUrl } = await serve((response) => sendJson(response, 200, body));
    expect(await createClient({ baseUrl }).search({ q: 'alpha' })).toEqual(body);
  });
});

describe('path parameters', () => {
  test.each(['', '.', '..', undefined as unknown as string])(
    'a path parameter cannot reach another route: %j',
    async (slug) => {
      const { baseUrl, requests } = await serve();
      await expect(createClient({ baseUrl }).brokers.get(slug)).rejects.toThrow(TypeError);
      expect(requests).toEqual([]);
    },
  );
});

test.each([undefined, null, {}, 'https://brokers.example/api/v1'])(
  'options without a baseUrl are refused with the name of what is missing: %j',
  (options) => {
    const create = () => createClient(options as unknown as ClientOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(typeof options === 'string' ? 'the options must be an object' : /^baseUrl must be/);
  },
);

describe('Idempotency-Key', () => {
  const readKey = async (call: (client: Client) => Promise<unknown>) =>
    (await recorded(call)).headers['idempotency-key'];

  test('the Idempotency-Key is a new UUID for each POST', async () => {
    const first = await readKey((client) => client.reviews.create(review));
    const second = await readKey((client) => client.reviews.create(review));
    expect(first).toMatch(UUID);
    expect(second).not.toBe(first);
  });

  test('the Idempotency-Key is a UUID even if the platform has no crypto.randomUUID', async () => {
    const { crypto } = globalThis;
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
    try {
      expect(await readKey((client) => client.reviews.create(review))).toMatch(UUID);
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    }
  });

  test('the caller may give the Idempotency-Key as an option or as a header', async () => {
    expect(await readKey((client) => client.reviews.create(review, { idempotencyKey: 'mine' }))).toBe('mine');
    const headers = { 'Idempotency-Key': 'header' };
    expect(await readKey((client) => client.complaints.create(complaint, { headers }))).toBe('header');
  });
});

describe('headers', () => {
  test('headers come from the client and the call; those of the call take precedence', async () => {
    const { headers } = await recorded((client) => client.brokers.list({}, { headers: { 'X-B': 'call' } }), {
      headers: { 'User-Agent': 'app/1.0', 'x-b': 'client' },
      token: TOKEN,
    });
    expect(headers).toMatchObject({
      'user-agent': 'app/1.0',
      'x-b': 'call',
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${TOKEN}`,
    });
  });

  test('sends no authorization header if there is no token', async () => {
    expect((await recorded((client) => client.news.list())).headers.authorization).toBeUndefined();
  });

  test('refuses a header value that cannot be sent, without quoting it', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1' });
    const call = client.news.list({}, { headers: { authorization: `Bearer\n${TOKEN}` } });
    await expect(call).rejects.toThrow(/^the header "authorization" cannot be sent/);
    await expect(call).rejects.not.toThrow(TOKEN);
  });
});

describe('an option of a call', () => {
  const base = (url: string) => `${url.replace('/api/v1', '')}/other/api/v1`;

  test('baseUrl is checked like the client’s, and used for all pages', async () => {
    const { baseUrl, requests } = await serve((response, { url }) =>
      sendJson(response, 200, {
        data: [{}],
        pagination: { limit: 1, nextCursor: url.includes('cursor') ? null : 'a' },
      }),
    );
    const client = createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', token: TOKEN });
    await client.news.list({}, { baseUrl: base(baseUrl) }).toArray();
    expect(requests.map(({ url }) => url)).toEqual(['/other/api/v1/news', '/other/api/v1/news?cursor=a']);
    expect(requests[1]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    await expect(client.news.list({}, { baseUrl: 'brokers.example' })).rejects.toThrow(/^baseUrl must be/);
  });

  const ways: [string, ClientOptions['token']][] = [
    ['a fixed token', 'client'],
    ['a function', () => 'client'],
  ];
  test.each(ways)('token is sent instead of the client’s, which is %s', async (_, token) => {
    const { baseUrl, requests } = await serve();
    const client = createClient({ baseUrl, token });
    await client.news.list({}, { token: 'call' });
    await client.news.list({}, { token: async () => 'called' });
    await client.news.list({}, { token: () => undefined });
    await client.news.list({}, { token: 'call', headers: { authorization: 'Bearer header' } });
    await client.news.list();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(
      ['call', 'called', undefined, 'header', 'client'].map((sent) => sent && `Bearer ${sent}`),
    );
  });

  test('token or baseUrl does not change the client’s budget', async () => {
    const headers = { 'ratelimit-policy': '"public";q=60;w=60', ratelimit: '"public";r=3;t=60' };
    const { baseUrl } = await serve((response) => sendJson(response, 200, { data: [] }, headers));
    const client = createClient({ baseUrl });
    await client.news.list({}, { token: 'call' });
    await client.news.list({}, { baseUrl });
    expect(client.rateLimit).toBeUndefined();
    await client.news.list();
    expect(client.rateLimit?.remaining).toBe(3);
  });
});

test('fetchOptions are passed to fetch, those of the call first, and cannot change the request', async () => {
  const seen: RequestInit[] = [];
  const client = createClient({
    baseUrl: 'https://brokers.example/api/v1',
    fetchOptions: { cache: 'no-store', keepalive: true, redirect: 'follow', method: 'PUT' } as FetchOptions,
    fetch: async (_, init) => {
      seen.push(init);
      return Response.json({ data: [] });
    },
  });
  await client.news.list();
  await client.news.list({}, { fetchOptions: { cache: 'force-cache', next: { revalidate: 60 } } as FetchOptions });
  expect(seen).toMatchObject([
    { cache: 'no-store', keepalive: true, redirect: 'manual', method: 'GET' },
    { cache: 'force-cache', keepalive: true, next: { revalidate: 60 }, redirect: 'manual' },
  ]);
});

describe('the version of the client', () => {
  const sent = async (options: Partial<ClientOptions> = {}) =>
    (await recorded((client) => client.news.list(), options)).headers['x-client-version'];

  test('sends the version of the client on servers, unless they turn it off', async () => {
    expect(await sent()).toMatch(/^broker-transparency-js\/\d+\.\d+\.\d+/);
    expect(await sent({ clientVersion: false })).toBeUndefined();
  });

  test.each(['XMLHttpRequest', 'registration'])(
    'sends the version of the client in a browser, which has %s, only if turned on',
    async (mark) => {
      Object.defineProperty(globalThis, mark, { value: {}, configurable: true });
      onTestFinished(() => {
        Reflect.deleteProperty(globalThis, mark);
      });
      expect(await sent()).toBeUndefined();
      expect(await sent({ clientVersion: true })).toMatch(/^broker-transparency-js/);
    },
  );
});

test('an environment variable turns on a log of each step, without the token', async () => {
  const lines = quietConsole();
  vi.stubEnv('BROKER_TRANSPARENCY_DEBUG', '1');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  await recorded((client) => client.news.list(), { token: TOKEN });
  expect(lines()).toEqual([[expect.stringMatching(/: news\.list http:.*\/news, try 1$/), 200]]);
  expect(inspect(lines(), { depth: null })).not.toContain(TOKEN);
  vi.unstubAllEnvs();
  await recorded((client) => client.news.list());
  expect(lines()).toHaveLength(1);
});

test('uses the caller’s own fetch', async () => {
  const seen: string[] = [];
  await recorded((client) => client.regulators.get('fca'), {
    fetch: (url, init) => {
      seen.push(url);
      return fetch(url, init);
    },
  });
  expect(seen).toEqual([expect.stringMatching(/\/regulators\/fca$/)]);
});

test.each([undefined, null, 0, 'text'])('refuses a body that is not an object: %j', async (body) => {
  const { baseUrl, requests } = await serve();
  const call = createClient({ baseUrl }).reviews.create(body as unknown as ReviewSubmission);
  await expect(call).rejects.toThrow(new TypeError('the body must be an object'));
  expect(requests).toEqual([]);
});

describe('the token', () => {
  test.each(['', 'two words', 'line\n', 'ключ', 'Bearer abc'])('%j is refused without being quoted', (token) => {
    const create = () => createClient({ baseUrl: 'https://brokers.example/api/v1', token });
    expect(create).toThrow(new TypeError('token must be a bearer token without blanks (RFC 6750)'));
  });

  test('the token does not appear in the client', () => {
    const client = createClient({ baseUrl: 'https://brokers.example/api/v1', token: TOKEN });
    const shown = inspect(client, { depth: null, showHidden: true }) + JSON.stringify(client) + String(client);
    expect(shown).toContain('brokers');
    expect(shown).not.toContain(TOKEN);
  });

  test.each<[string, Parameters<typeof serve>[0]]>([
    ['a problem', (response) => sendJson(response, 401, { code: 'invalid_token', detail: 'no' })],
    [
      'a page that echoes it',
      (response, request) =>
        response.writeHead(502, { 'content-type': 'text/html' }).end(request.headers.authorization),
    ],
    ['JSON that echoes it', (response, request) => sendJson(response, 502, request.headers)],
    ['a broken connection', (response) => response.destroy()],
    ['no answer', () => undefined],
  ])('the token does not appear in the error for %s', async (_, answer) => {
    const { baseUrl } = await serve(answer);
    const call = createClient({ baseUrl, token: TOKEN, timeoutMs: 100, retries: 0 }).reviews.create(review);
    const error: Error = await call.then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    const shown = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error) + error.stack;
    expect(shown).toContain('/api/v1/reviews');
    expect(shown).not.toContain(TOKEN);
  });
});
