import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendJson, serve } from '../scripts/test-server.ts';
import { type Client, createClient, RateLimitError } from './index.ts';
import { RateLimiter } from './rate-limit.ts';

const NOW = Date.parse('2026-11-02T09:30:00.000Z');
const budget = (r: number, t = 60) => ({
  'ratelimit-policy': '"public";q=60;w=60',
  ratelimit: `"public";r=${r};t=${t}`,
});

const stopClock = () => {
  vi.useFakeTimers({ now: NOW, toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};

/** Serves answers with these headers in turn, and repeats the last ones. */
const servingHeaders = (...all: Record<string, string>[]) => {
  const left = [...all];
  return serve((response) => sendJson(response, 200, { data: [] }, left.length > 1 ? left.shift() : left[0]));
};

describe('client.rateLimit', () => {
  test('the rate limit is unknown before the first answer, and if no answer states it', async () => {
    const { baseUrl } = await serve();
    const client = createClient({ baseUrl });
    expect(client.rateLimit).toBeUndefined();
    await client.news.list();
    expect(client.rateLimit).toBeUndefined();
  });

  test('the rate limit is what the last answer stated', async () => {
    stopClock();
    const { baseUrl } = await servingHeaders(budget(59), budget(58, 20));
    const client = createClient({ baseUrl });
    await client.news.list();
    expect(client.rateLimit).toEqual({ limit: 60, remaining: 59, resetsAt: new Date(NOW + 60_000) });
    await client.news.list();
    expect(client.rateLimit).toEqual({ limit: 60, remaining: 58, resetsAt: new Date(NOW + 20_000) });
  });

  test('the rate limit is the public budget if an answer also states another one', async () => {
    stopClock();
    const { baseUrl } = await servingHeaders({
      'ratelimit-policy': '"public";q=60;w=60, "bad-tokens";q=30;w=60',
      ratelimit: '"public";r=29;t=50, "bad-tokens";r=0;t=40',
    });
    const client = createClient({ baseUrl });
    await client.news.list();
    expect(client.rateLimit).toEqual({ limit: 60, remaining: 29, resetsAt: new Date(NOW + 50_000) });
  });

  test('reads the rate limit from error answers too', async () => {
    const { baseUrl } = await serve((response) => sendJson(response, 404, { code: 'not_found' }, budget(12)));
    const client = createClient({ baseUrl });
    await client.safe.news.list();
    expect(client.rateLimit?.remaining).toBe(12);
  });

  test('ignores the rate limit in an answer of a shared cache', async () => {
    const { baseUrl } = await servingHeaders(budget(40), { ...budget(3), age: '7' });
    const client = createClient({ baseUrl });
    await client.news.list();
    await client.news.list();
    expect(client.rateLimit?.remaining).toBe(39); // the request that was sent still counts
  });

  test('a new window raises the remaining budget, but an answer that arrives late does not', async () => {
    stopClock();
    const { baseUrl } = await servingHeaders(budget(10, 30), budget(20, 30), budget(59));
    const client = createClient({ baseUrl });
    for (const expected of [10, 9, 59]) {
      await client.news.list();
      expect(client.rateLimit?.remaining).toBe(expected);
    }
  });

  test.each(['nonsense', '"public";r=1', '"public";t=1', '"public";r=1;t=9999999999'])(
    'the rate limit is unknown from %j',
    async (ratelimit) => {
      const { baseUrl } = await servingHeaders({ ratelimit });
      const client = createClient({ baseUrl });
      await client.news.list();
      expect(client.rateLimit).toBeUndefined();
    },
  );
});

describe('pacing', () => {
  test('waits for the next window when nothing is left', async () => {
    stopClock();
    const { baseUrl } = await servingHeaders(budget(0, 20), budget(59));
    const sent: string[] = [];
    const client = createClient({ baseUrl, pace: true, hooks: { request: ({ call }) => sent.push(call) } });
    await client.news.list();
    const waiting = client.regulators.list();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toEqual(['news.list']);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual(['news.list', 'regulators.list']);
    await waiting;
  });

  test('counts the requests that are running', async () => {
    stopClock();
    const { baseUrl, requests } = await servingHeaders(budget(2, 20));
    const client = createClient({ baseUrl, pace: true, timeoutMs: Infinity });
    await client.news.list();
    const calls = Array.from({ length: 3 }, () => client.news.list());
    await Promise.all(calls.slice(0, 2));
    expect(requests).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(20_000);
    await calls[2];
    expect(requests).toHaveLength(4);
  });

  test('sends no request that must fail before the first answer states the budget', async () => {
    stopClock();
    let [used, endsAt] = [0, 0];
    const { baseUrl, requests } = await serve((response) => {
      if (Date.now() >= endsAt) [used, endsAt] = [0, Date.now() + 20_000];
      used += 1;
      if (used > 5) return sendJson(response, 429, { code: 'rate_limited' }, { 'retry-after': '20' });
      return sendJson(
        response,
        200,
        { data: [] },
        { ...budget(5 - used, 20), 'ratelimit-policy': '"public";q=5;w=20' },
      );
    });
    const client = createClient({ baseUrl, pace: true, retries: 0 });
    const calls = Array.from({ length: 8 }, () => client.news.list());
    await Promise.all(calls.slice(0, 5));
    expect(requests).toHaveLength(5);
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all(calls);
    expect(requests).toHaveLength(8);
  });

  test('sends one request at a time until an answer states the budget', async () => {
    const sent: number[] = [];
    let running = 0;
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      pace: true,
      store: false,
      retries: 0,
      fetch: async () => {
        sent.push(++running);
        await new Promise(setImmediate);
        running -= 1;
        if (sent.length === 1) throw new TypeError('broken');
        const headers = sent.length === 2 ? { age: '3', ...budget(0) } : sent.length === 3 ? budget(50) : {};
        return Response.json({ data: [] }, { headers });
      },
    });
    const results = await Promise.all(Array.from({ length: 8 }, () => client.safe.news.list()));
    expect(results.filter(({ error }) => error)).toHaveLength(1);
    expect(sent).toEqual([1, 1, 1, 1, 2, 3, 4, 5]);
  });

  test('sends everything at once if the API does not state the budget', async () => {
    const sent: number[] = [];
    let running = 0;
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      pace: true,
      store: false,
      fetch: async () => {
        sent.push(++running);
        await new Promise(setImmediate);
        running -= 1;
        return Response.json({ data: [] });
      },
    });
    await Promise.all(Array.from({ length: 4 }, () => client.news.list()));
    expect(sent).toEqual([1, 1, 2, 3]);
  });

  test('waits for the first answer no longer than the call’s time and its signal allow', async () => {
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      pace: true,
      fetch: () => new Promise(() => {}),
    });
    const first = client.safe.news.list({}, { timeoutMs: 200, retries: 0 });
    await expect(client.news.list({}, { timeoutMs: 30 })).rejects.toMatchObject({ code: 'timeout', timeoutMs: 30 });
    const controller = new AbortController();
    const aborted = client.news.list({}, { signal: controller.signal });
    controller.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    expect((await first).error?.code).toBe('timeout');
  });

  test('a call waits for the next window longer than timeoutMs allows, but not longer than maxWaitMs', async () => {
    stopClock();
    const { baseUrl, requests } = await servingHeaders(budget(0, 40));
    const client = createClient({ baseUrl, pace: true, timeoutMs: 30_000 });
    await client.news.list();
    await client.news.list({}, { maxWaitMs: 39_999 });
    expect(requests).toHaveLength(2);
    const waiting = client.news.list();
    await vi.advanceTimersByTimeAsync(39_999);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    await waiting;
    expect(requests).toHaveLength(3);
  });

  test('a paced call waits as long as the answer to a refused request says', async () => {
    stopClock();
    let refused = 0;
    const { baseUrl } = await serve((response) =>
      refused++ ? sendJson(response, 200, { data: [] }) : sendJson(response, 429, {}, { 'retry-after': '40' }),
    );
    const delays: number[] = [];
    const client = createClient({ baseUrl, pace: true, hooks: { retry: ({ delayMs }) => delays.push(delayMs) } });
    const call = client.news.list();
    await vi.waitUntil(() => delays.length > 0);
    await vi.advanceTimersByTimeAsync(40_000);
    await call;
    expect(delays).toEqual([40_000]);
  });

  test('a call is not paced by default', async () => {
    stopClock();
    const { baseUrl, requests } = await servingHeaders(budget(0, 20));
    const client = createClient({ baseUrl });
    await client.news.list();
    await client.news.list();
    expect(requests).toHaveLength(2);
  });
});

describe('a list of more pages than the budget of a window', () => {
  const LIMIT = 60;
  const PAGES = 300;

  /** Serves pages of one item, with a budget of 60 in a window of one second, which begins with its first request. */
  const serveBudgeted = async () => {
    const counts = { answered: 0, refused: 0 };
    let [used, endsAt] = [0, 0];
    const { baseUrl } = await serve((response, { url }) => {
      const now = performance.now();
      if (now >= endsAt) [used, endsAt] = [0, now + 1000];
      used += 1;
      const seconds = Math.ceil((endsAt - now) / 1000);
      const headers = {
        'ratelimit-policy': `"public";q=${LIMIT};w=1`,
        ratelimit: `"public";r=${Math.max(0, LIMIT - used)};t=${seconds}`,
      };
      if (used > LIMIT) {
        counts.refused += 1;
        return sendJson(response, 429, { code: 'rate_limited' }, { ...headers, 'retry-after': `${seconds}` });
      }
      counts.answered += 1;
      const offset = Number(new URL(url, 'http://x').searchParams.get('offset') ?? 0);
      return sendJson(
        response,
        200,
        { data: [{ id: `${offset}` }], pagination: { limit: 1, offset, total: PAGES } },
        headers,
      );
    });
    return { baseUrl, counts };
  };

  test.each<[string, (client: Client) => Promise<unknown>]>([
    [
      'iteration',
      async (client) => {
        for await (const _ of client.brokers.list({ limit: 1 }));
      },
    ],
    ['toArray', (client) => client.brokers.list({ limit: 1 }).toArray()],
    [
      'pages of client.safe',
      async (client) => {
        for await (const _ of client.safe.brokers.list({ limit: 1 }).pages());
      },
    ],
  ])(
    'reads all pages by %s with the default options in the time that the budget needs, and none is refused',
    async (_, read) => {
      const { baseUrl, counts } = await serveBudgeted();
      const client = createClient({ baseUrl });
      const started = performance.now();
      await read(client);
      const windows = (performance.now() - started) / 1000;
      expect(counts).toEqual({ answered: PAGES, refused: 0 });
      expect(windows).toBeGreaterThanOrEqual(PAGES / LIMIT - 1);
      expect(windows).toBeLessThan(4 * (PAGES / LIMIT)); // a busy machine is slower, a wait for nothing is longer
    },
  );

  test('begins in the next window if the budget is used up before its first page', async () => {
    const { baseUrl, counts } = await serveBudgeted();
    const client = createClient({ baseUrl, retries: 0 });
    await Promise.all(Array.from({ length: LIMIT }, () => client.brokers.list()));
    await expect(client.brokers.list()).rejects.toBeInstanceOf(RateLimitError);
    expect(await client.brokers.list({ limit: 1, offset: PAGES - 2 }).toArray()).toHaveLength(2);
    expect(counts.refused).toBe(2);
  });

  test('fails where the budget ends if pacing is turned off', async () => {
    const { baseUrl, counts } = await serveBudgeted();
    const list = createClient({ baseUrl, pace: false, retries: 0 }).brokers.list({ limit: 1 });
    await expect(list.toArray()).rejects.toBeInstanceOf(RateLimitError);
    expect(counts).toEqual({ answered: LIMIT, refused: 1 });
  });
});

test('whatever answers state and when, the budget stays valid and is never exceeded', () => {
  const number = fc.oneof(fc.nat(70), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.constantFrom('', '-1', 'x', '1.5'));
  const parameters = (...names: string[]) =>
    fc
      .tuple(...names.map((name) => number.map((value) => `;${name}=${value}`)))
      .map((all) => `"public"${all.join('')}`);
  const answer = fc.record(
    { ratelimit: parameters('r', 't'), 'ratelimit-policy': parameters('q', 'w') },
    { requiredKeys: [] },
  );
  const step = fc.record({ passed: fc.nat(90_000), answer: fc.option(answer) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const limiter = new RateLimiter();
      let now = NOW;
      for (const { passed, answer: headers } of steps) {
        now += passed;
        if (headers) limiter.read(new Headers(headers), now);
        const before = limiter.state;
        const wait = limiter.take(now);
        const after = limiter.state;
        expect(Number.isFinite(wait) && wait >= 0).toBe(true);
        expect(after === undefined || after.remaining >= 0).toBe(true);
        expect(after?.resetsAt.getTime()).not.toBeNaN();
        if (before && before.resetsAt.getTime() > now) expect(wait === 0).toBe(before.remaining > 0);
      }
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
