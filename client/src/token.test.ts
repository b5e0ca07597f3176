import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { type ClientOptions, createClient, TimeoutError } from './index.ts';

describe('a token function', () => {
  test('calls the token function before each try', async () => {
    const { baseUrl, requests } = await serve((response, { headers }) =>
      headers.authorization === 'Bearer t2'
        ? sendJson(response, 200, { data: [] })
        : sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '0' }),
    );
    let asked = 0;
    const client = createClient({ baseUrl, token: async () => `t${++asked}` });
    await client.news.list();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  test('leaves the token function alone if the call has its own authorization', async () => {
    const { baseUrl, requests } = await serve();
    const client = createClient({ baseUrl, token: () => expect.unreachable() });
    await client.news.list({}, { headers: { Authorization: 'Bearer mine' } });
    expect(requests[0]?.headers.authorization).toBe('Bearer mine');
  });

  test('a token function that fails makes the call fail at once with the same error', async () => {
    const { baseUrl, requests } = await serve();
    const fault = new Error('no token today');
    const client = createClient({ baseUrl, token: () => Promise.reject(fault) });
    await expect(client.news.list()).rejects.toBe(fault);
    expect(requests).toEqual([]);
  });

  test('a malformed token makes the call fail without being quoted', async () => {
    const { baseUrl } = await serve();
    const client = createClient({ baseUrl, token: () => 'not\na token' });
    const error = await client.news.list().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain('not\na token');
  });

  test.each([undefined, null])('a token function that gives %s sends no token', async (nothing) => {
    const { baseUrl, requests } = await serve();
    for (const token of [() => nothing, async () => nothing, nothing]) {
      const client = createClient({ baseUrl, token: token as undefined });
      await client.news.list();
    }
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
  });

  test('a token that comes too late sends no request', async () => {
    let give: (token: string) => void = () => {};
    const sent: string[] = [];
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1/api/v1',
      token: () =>
        new Promise((resolve) => {
          give = resolve;
        }),
      fetch: async (url) => {
        sent.push(url);
        return Response.json({ data: [] });
      },
      timeoutMs: 30,
    });
    await expect(client.news.list()).rejects.toThrow(TimeoutError);
    give('t1');
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });

  test('the time limit of the call ends a token function that hangs', async () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1/api/v1',
      token: () => new Promise(() => {}),
      timeoutMs: 30,
    });
    await expect(client.news.list()).rejects.toThrow(TimeoutError);
  });
});

describe('a refused token', () => {
  const review = { broker: 'a', rating: 1, title: 'abc', content: 'abc', language: 'en' };
  /** Serves one valid token only. */
  const taking = (good: string, code = 'invalid_token') =>
    serve((response, { headers }) =>
      headers.authorization === `Bearer ${good}`
        ? sendJson(response, 201, { id: 'r-1' })
        : sendJson(response, 401, { code }),
    );

  test('passes a refused token to the function once, which gives the next one, even without retries', async () => {
    const { baseUrl, requests } = await taking('new');
    const asked: (string | undefined)[] = [];
    const token = (refused?: string) => {
      asked.push(refused);
      return refused === undefined ? 'old' : 'new';
    };
    const client = createClient({ baseUrl, token, retries: 0 });
    expect(await client.reviews.create(review)).toEqual({ id: 'r-1' });
    expect(asked).toEqual([undefined, 'old']);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('a refused token is an error if the next one is refused too', async () => {
    const { baseUrl, requests } = await taking('none');
    let number = 0;
    const client = createClient({ baseUrl, token: () => `t${++number}` });
    await expect(client.reviews.create(review)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(requests).toHaveLength(2);
  });

  test.each<[string, ClientOptions['token'], object, string?]>([
    ['the function gives the same token again', () => 'same', {}],
    ['it is a fixed token', 'same', {}],
    ['the call has its own authorization', () => 'new', { headers: { authorization: 'Bearer old' } }],
    ['the API refuses something else', () => 'old', {}, 'authentication_required'],
  ])('a refused token is not replaced if %s', async (_, token, options, code) => {
    const { baseUrl, requests } = await taking('new', code);
    const client = createClient({ baseUrl, token });
    await expect(client.reviews.create(review, options)).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
  });
});
