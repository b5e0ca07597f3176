import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { json, serve } from '../scripts/test-server.ts';
import { createClient, TimeoutError } from './index.ts';

describe('a token function', () => {
  test('is asked before each try', async () => {
    const { baseUrl, requests } = await serve((response, { headers }) =>
      headers.authorization === 'Bearer t2'
        ? json(response, 200, { data: [] })
        : json(response, 503, { code: 'unavailable' }, { 'retry-after': '0' }),
    );
    let asked = 0;
    const client = createClient({ baseUrl, token: async () => `t${++asked}` });
    await client.news.list();
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  });

  test('is not asked where the call has an authorization of its own', async () => {
    const { baseUrl, requests } = await serve();
    const client = createClient({ baseUrl, token: () => expect.unreachable() });
    await client.news.list({}, { headers: { Authorization: 'Bearer mine' } });
    expect(requests[0]?.headers.authorization).toBe('Bearer mine');
  });

  test('that fails makes the call fail with its error, at once', async () => {
    const { baseUrl, requests } = await serve();
    const fault = new Error('no token today');
    const client = createClient({ baseUrl, token: () => Promise.reject(fault) });
    await expect(client.news.list()).rejects.toBe(fault);
    expect(requests).toEqual([]);
  });

  test('that gives no token is refused without quoting it', async () => {
    const { baseUrl } = await serve();
    const client = createClient({ baseUrl, token: () => 'not\na token' });
    const error = await client.news.list().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error)).not.toContain('not\na token');
  });

  test('that comes too late sends nothing', async () => {
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

  test('that hangs is within the time of the call', async () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1/api/v1',
      token: () => new Promise(() => {}),
      timeoutMs: 30,
    });
    await expect(client.news.list()).rejects.toThrow(TimeoutError);
  });
});
