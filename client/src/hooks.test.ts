import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { quietConsole } from '../scripts/quiet-console.ts';
import { sendJson, serve } from '../scripts/test-server.ts';
import {
  type ClientOptions,
  createClient,
  type Hooks,
  logTo,
  NotFoundError,
  type RequestEvent,
  TimeoutError,
} from './index.ts';

const TOKEN = 'btr_s3cret-0123456789';
const once503 = () => {
  let first = true;
  return serve((response) => {
    if (!first) return sendJson(response, 200, { data: [] });
    first = false;
    return sendJson(response, 503, { code: 'unavailable' }, { 'retry-after': '0' });
  });
};

/** Returns hooks that record all events. */
const recorder = () => {
  const events: [string, Record<string, unknown>][] = [];
  const record = (name: string) => (event: object) => events.push([name, { ...event }]);
  const hooks: Hooks = {
    request: record('request'),
    response: record('response'),
    retry: record('retry'),
    error: record('error'),
  };
  return { events, hooks };
};

describe('hooks', () => {
  test('hooks receive every step of a call, always with the same request object', async () => {
    const { baseUrl } = await once503();
    const { events, hooks } = recorder();
    await createClient({ baseUrl, hooks, token: TOKEN }).news.list();
    expect(events.map(([name, { call, attempt }]) => `${name} ${call} ${attempt}`)).toEqual([
      'request news.list 1',
      'response news.list 1',
      'retry news.list 1',
      'request news.list 2',
      'response news.list 2',
    ]);
    expect(new Set(events.map(([, { request }]) => request)).size).toBe(1);
    expect(events.map(([, { data }]) => data)).toEqual([undefined, undefined, undefined, undefined, { data: [] }]);
    expect(events[2]?.[1]).toMatchObject({ delayMs: 0, error: { code: 'unavailable' } });
    expect(inspect(events, { depth: null, showHidden: true })).not.toContain(TOKEN);
  });

  test('hooks receive a failed call once, whether an answer or an abort ended it', async () => {
    const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'not_found' }));
    const { events, hooks } = recorder();
    const client = createClient({ baseUrl, hooks });
    await client.safe.news.list();
    await client.news.list({}, { signal: AbortSignal.abort('enough') }).catch(() => undefined);
    const errors = events.filter(([name]) => name === 'error').map(([, { error }]) => error);
    expect(errors).toEqual([expect.any(NotFoundError), 'enough']);
  });

  test('hooks can add headers, such as traceparent', async () => {
    const { baseUrl, requests } = await serve();
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const hooks: Hooks = {
      request: ({ headers }) => {
        headers['traceparent'] = traceparent;
      },
    };
    await createClient({ baseUrl, hooks, token: TOKEN }).news.list();
    expect(requests[0]?.headers).toMatchObject({ traceparent, authorization: `Bearer ${TOKEN}` });
  });

  test('a request waits for a hook that signs it, in each try', async () => {
    const { baseUrl, requests } = await once503();
    const sign = async ({ request: { method, url }, body }: RequestEvent) => {
      const text = new TextEncoder().encode(`${method} ${url} ${body}`);
      return Buffer.from(await crypto.subtle.digest('SHA-256', text)).toString('base64');
    };
    const signatures: string[] = [];
    const hooks: Hooks = {
      request: async (event) => {
        event.headers['x-signature'] = await sign(event);
        signatures.push(event.headers['x-signature']);
      },
    };
    await createClient({ baseUrl, hooks }).news.list();
    expect(requests.map(({ headers }) => headers['x-signature'])).toEqual(signatures);
    expect(signatures).toHaveLength(2);
  });

  test('a call throws what a hook before its request rejects with, and ends in time if the hook does not', async () => {
    const { baseUrl, requests } = await serve();
    const fault = new Error('no key');
    const rejecting: Hooks = { request: () => Promise.reject(fault) };
    await expect(createClient({ baseUrl, hooks: rejecting }).news.list()).rejects.toBe(fault);
    const hanging: Hooks = { request: () => new Promise(() => {}) };
    const client = createClient({ baseUrl, hooks: hanging, timeoutMs: 30 });
    await expect(client.news.list()).rejects.toBeInstanceOf(TimeoutError);
    expect(requests).toEqual([]);
  });

  test('hooks do not receive an answer that arrives after the call has ended', async () => {
    let give: (response: Response) => void = () => {};
    const { events, hooks } = recorder();
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1/api/v1',
      fetch: () =>
        new Promise((resolve) => {
          give = resolve;
        }),
      hooks,
      timeoutMs: 30,
    });
    await client.safe.news.list();
    give(Response.json({ data: [] }));
    await new Promise(setImmediate);
    expect(events.map(([name]) => name)).toEqual(['request', 'error']);
  });

  test('a hook that fails asynchronously is reported, and affects neither the call nor the process', async () => {
    const complaints = quietConsole();
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => {
      process.off('unhandledRejection', note);
    });
    const fault = new Error('a fault in a hook');
    const reject = (): Promise<void> => Promise.reject(fault);
    const hooks: Hooks = { response: reject, retry: reject, error: reject };
    const { baseUrl } = await once503();
    const client = createClient({ baseUrl, hooks, token: TOKEN });
    expect(await client.news.list()).toEqual({ data: [] });
    await client.news.list({}, { signal: AbortSignal.abort('enough') }).catch(() => undefined);
    await new Promise(setImmediate);
    expect(rejections).toEqual([]);
    expect(complaints()).toEqual(
      ['response', 'retry', 'response', 'error'].map((name) => [`broker-transparency: a hook failed: ${name}`, fault]),
    );
  });

  test('several hooks can be given, and a call throws what one of them throws', async () => {
    const { baseUrl } = await serve();
    const { events, hooks } = recorder();
    const fault = new Error('a fault in a hook');
    const thrower: Hooks = {
      response: () => {
        throw fault;
      },
    };
    await expect(createClient({ baseUrl, hooks: [hooks, thrower] }).news.list()).rejects.toBe(fault);
    expect(events.map(([name]) => name)).toEqual(['request', 'response', 'error']);
  });
});

describe('a logger', () => {
  test('receives answers, retries and failures, but no token', async () => {
    const lines: string[] = [];
    const line = (level: string) => (message: string, fields: object) =>
      lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    const hooks = logTo({ debug: line('debug'), warn: line('warn'), error: line('error') });
    const options: ClientOptions = { baseUrl: (await once503()).baseUrl, hooks, token: TOKEN };
    const client = createClient(options);
    await client.news.list();
    const missing = await serve((response, { headers }) =>
      sendJson(response, 404, { code: 'not_found', detail: 'no' }, { 'x-echo': String(headers.authorization) }),
    );
    await createClient({ ...options, baseUrl: missing.baseUrl }).safe.news.list();
    expect(lines.map((text) => text.replace(/ \{.*/, ''))).toEqual([
      'debug news.list was answered 503',
      'warn news.list is tried again in 0 ms',
      'debug news.list was answered 200',
      'debug news.list was answered 404',
      'error news.list failed',
    ]);
    expect(lines.at(-1)).toContain('"error":"NotFoundError: 404 not_found: no"');
    expect(lines.join()).not.toContain(TOKEN);
  });
});
