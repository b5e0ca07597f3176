import { enterpriseOpenApiDocument } from '@broker-transparency/contract/enterprise';
import { accountOpenApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { expect, test, vi } from 'vitest';
import { type Call, listCalls } from '../scripts/calls.ts';
import { sendJson, serve } from '../scripts/test-server.ts';
import { account } from './account.ts';
import { enterprise } from './enterprise.ts';
import { createClient, InvalidResponseError, NotFoundError, TimeoutError, UnavailableError } from './index.ts';
import { record } from './record.ts';

const server = { serverUrl: 'https://brokers.example', version: '1.0.0' };
const DOCUMENTS = {
  record: recordOpenApiDocument(server),
  account: accountOpenApiDocument(server),
  enterprise: enterpriseOpenApiDocument(server),
};

interface SentFetch {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A client with every family, whose requests are noted and answered alike. */
const start = (respond: () => Response = () => Response.json({ data: [] })) => {
  const sent: SentFetch[] = [];
  const client = createClient({
    baseUrl: 'https://brokers.example/api/v1',
    token: 'mine',
    fetch: async (url, { method, headers }) => {
      sent.push({ url, method: String(method), headers: headers as Record<string, string> });
      return respond();
    },
    with: [record(), account(), enterprise({ key: 'bte_key' })],
  });
  return { client, sent };
};

const CALLS = Object.entries(DOCUMENTS).flatMap(([family, document]) =>
  listCalls(document, family).map((call) => ({ name: call.id, call, base: String(document.servers[0]?.url) })),
);

/** Makes a call by its dotted path. */
const makeCall = (root: unknown, call: Call, options?: object): Promise<unknown> => {
  const send = call.id.split('.').reduce((node, key) => (node as Record<string, unknown>)[key], root) as (
    ...args: unknown[]
  ) => Promise<unknown>;
  const places = call.pathParameters.map(({ example }) => example);
  const inputs = [...(call.body === undefined ? [] : [{ x: 1 }]), ...(call.query.length === 0 ? [] : [{ limit: 3 }])];
  return send(...places, ...inputs, options);
};

test.each(CALLS)('$name sends the request that the contract has', async ({ call, base }) => {
  const { client, sent } = start();
  await makeCall(client, call);
  const [request] = sent;
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.pathParameters.find((each) => each.name === name)?.example)),
  );
  expect(path).not.toContain('undefined');
  expect(`${request?.method} ${request?.url}`).toBe(
    `${call.method} ${base}${path}${call.query.length === 0 ? '' : '?limit=3'}`,
  );
  expect(request?.headers['authorization']).toBe(`Bearer ${call.id.startsWith('enterprise') ? 'bte_key' : 'mine'}`);
  expect('content-type' in (request?.headers ?? {})).toBe(call.body !== undefined);
  expect('idempotency-key' in (request?.headers ?? {})).toBe(call.hasKey);
});

test.each(CALLS)('$name of the safe client gives data or an error', async ({ call }) => {
  expect(await makeCall(start().client.safe, call)).toMatchObject({ data: { data: [] }, error: undefined });
  const { client } = start(() => Response.json({ code: 'not_found' }, { status: 404 }));
  expect(await makeCall(client.safe, call)).toMatchObject({ data: undefined, error: { code: 'not_found' } });
});

const answerBusy = () => Response.json({ code: 'unavailable' }, { status: 503, headers: { 'retry-after': '0' } });

test.each(CALLS)('$name is tried again only if a second request has no second effect', async ({ call }) => {
  const { client, sent } = start(answerBusy);
  await expect(makeCall(client, call)).rejects.toThrow(UnavailableError);
  expect(sent).toHaveLength(call.isOnce ? 1 : 3);
  await expect(makeCall(client, call, { retries: 1 })).rejects.toThrow(UnavailableError);
  expect(sent).toHaveLength(call.isOnce ? 3 : 5);
});

test('calls that change something and have no idempotency key are those that happen once', () => {
  expect(CALLS.filter(({ call }) => call.isOnce).map(({ name }) => name)).toEqual([
    'record.serviceLevel.canary',
    'account.mail.confirm',
    'enterprise.sandbox.publish',
    'enterprise.webhooks.create',
    'enterprise.webhooks.test',
    'enterprise.webhooks.replay',
    'enterprise.webhooks.rotate',
  ]);
});

test('a list of a family reads every page, by cursor or by number, with other arguments first', async () => {
  const pages = [
    { data: [{ number: 1 }], next: 7 },
    { data: [{ number: 7 }], next: null },
    { data: [{ slug: 'a' }], pagination: { nextCursor: 'two' } },
    { data: [{ slug: 'b' }], pagination: { nextCursor: null } },
  ];
  const { client, sent } = start(() => Response.json(pages.shift()));
  expect(await client.enterprise.brokers.timeline('alpha', { limit: 1 }).toArray()).toHaveLength(2);
  expect(await client.enterprise.brokers.list().toArray()).toEqual([{ slug: 'a' }, { slug: 'b' }]);
  expect(sent.map(({ url }) => url.split('/v1')[1])).toEqual([
    '/brokers/alpha/timeline?limit=1',
    '/brokers/alpha/timeline?limit=1&from=7',
    '/brokers',
    '/brokers?cursor=two',
  ]);
});

test('calls that count against one budget share it, and others have their own', async () => {
  let left = 9;
  const { client } = start(() =>
    Response.json(
      { data: [] },
      { headers: { ratelimit: `"x";r=${left--};t=60`, 'ratelimit-policy': '"x";q=10;w=60' } },
    ),
  );
  await client.news.list();
  expect([client.rateLimit?.remaining, client.account.rateLimit?.remaining]).toEqual([9, 9]);
  await client.record.moderation('alpha');
  await client.account.reviews.list();
  expect([client.rateLimit?.remaining, client.account.rateLimit?.remaining]).toEqual([7, 7]);
  expect([client.record.rateLimit, client.enterprise.rateLimit]).toEqual([undefined, undefined]);
  await client.record.brokers.at('alpha');
  await client.enterprise.webhooks.list();
  expect([client.record.rateLimit?.remaining, client.enterprise.rateLimit?.remaining]).toEqual([6, 5]);
  expect(client.rateLimit?.remaining).toBe(7);
});

test('an account with a token of its own has a budget of its own', async () => {
  const { baseUrl, requests } = await serve((response) => sendJson(response, 200, { data: [] }));
  const client = createClient({ baseUrl, token: 'mine', with: [account({ token: 'other' })] });
  await client.account.reviews.list();
  expect(requests[0]?.headers['authorization']).toBe('Bearer other');
  expect(client.rateLimit).toBeUndefined();
});

test('a call that repeats safely takes the key of an earlier one, and no other call does', async () => {
  const { client, sent } = start();
  await client.account.reviews.withdraw('a', { idempotencyKey: 'earlier' });
  expect(sent[0]?.headers['idempotency-key']).toBe('earlier');
  const test = client.enterprise.webhooks.test('a', { idempotencyKey: 'earlier' } as object);
  await expect(test).rejects.toThrow('there is no option "idempotencyKey"');
});

/** Answers with the page of a proxy. */
const answerByProxy = (status: number) => () =>
  new Response('<h1>Busy</h1>', { status, headers: { 'content-type': 'text/html', 'retry-after': '0' } });

const answerNothing = () => Response.json({ code: 'not_found', detail: 'There is nothing.' }, { status: 404 });

test.each([
  ['the connection broke', () => Promise.reject(new TypeError('fetch failed'))],
  ['the service was not available', answerBusy],
  ['a proxy did not reach the service', answerByProxy(502)],
  ['a proxy waited no longer', answerByProxy(504)],
  ['a proxy had no service', answerByProxy(503)],
  [
    'a proxy said so in JSON',
    () => Response.json({ message: 'Busy' }, { status: 503, headers: { 'retry-after': '0' } }),
  ],
])('the next try of a removal whose answer was lost succeeds, after %s', async (_, first) => {
  const answers = [first, answerNothing, first, answerNothing];
  const { client, sent } = start(() => answers.shift()?.() as Response);
  expect(await client.enterprise.watchlists.remove('clients')).toBeUndefined();
  expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  const { data, error, response } = await client.safe.enterprise.webhooks.remove('a');
  expect([data, error, response?.status]).toEqual([undefined, undefined, 404]);
});

test('a removal of a thing that no try can have removed is an error', async () => {
  const { client } = start(answerNothing);
  await expect(client.enterprise.watchlists.remove('clients')).rejects.toThrow(NotFoundError);
  const refusals = [
    () => Response.json({ code: 'rate_limited' }, { status: 429, headers: { 'retry-after': '0' } }),
    answerNothing,
  ];
  const { client: limited } = start(() => refusals.shift()?.() as Response);
  await expect(limited.enterprise.watchlists.remove('clients')).rejects.toThrow(NotFoundError);
  const pages = [
    answerBusy,
    () => new Response('<h1>Not found</h1>', { status: 404, headers: { 'content-type': 'text/html' } }),
  ];
  const { client: behindProxy } = start(() => pages.shift()?.() as Response);
  await expect(behindProxy.enterprise.watchlists.remove('clients')).rejects.toThrow(InvalidResponseError);
  const gone = [answerBusy, answerNothing];
  const { client: reader } = start(() => gone.shift()?.() as Response);
  await expect(reader.enterprise.watchlists.get('clients')).rejects.toThrow(NotFoundError);
});

test('a call with a wait has more time for a try, and a call without one has the usual time', async () => {
  vi.useFakeTimers();
  try {
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      fetch: () => new Promise(() => {}),
      retries: 0,
      with: [enterprise({ key: 'bte_key' })],
    });
    const { feed, webhooks } = client.enterprise;
    const calls = [
      feed.changes({ wait: 25 }),
      feed.changes({ wait: 25 }, { tryTimeoutMs: undefined }),
      feed.changes({ wait: 25 }, { tryTimeoutMs: 5_000 }),
      webhooks.test('a'),
      feed.changes({}),
    ].map((call) =>
      call.then(
        () => 'answered',
        (error: unknown) => error instanceof TimeoutError && error.timeoutMs,
      ),
    );
    await vi.advanceTimersByTimeAsync(40_000);
    expect(await Promise.all(calls)).toEqual([35_000, 35_000, 5_000, 25_000, 10_000]);
  } finally {
    vi.useRealTimers();
  }
});

test('refuses a family that is given twice, and a credential that cannot be sent', () => {
  const baseUrl = 'https://brokers.example/api/v1';
  expect(() => createClient({ baseUrl, with: [record(), record()] })).toThrow(
    new TypeError('with has the family record twice'),
  );
  expect(() => enterprise({ key: 'two words' })).toThrow(TypeError);
  expect(() => account({ token: 'two words' })).toThrow(TypeError);
});

test('a client without families has none', () => {
  const client = createClient({ baseUrl: 'https://brokers.example/api/v1' });
  expect(Object.keys(client)).not.toContain('record');
  // @ts-expect-error: no family was given
  expect(client.record).toBeUndefined();
  // @ts-expect-error: another family was given
  expect(createClient({ baseUrl: 'https://brokers.example/api/v1', with: [record()] }).account).toBeUndefined();
});
