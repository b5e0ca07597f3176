import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Answerer, sendJson, serve } from '../scripts/test-server.ts';
import {
  type Client,
  type ClientOptions,
  type ComplaintSubmission,
  ConnectionError,
  createClient,
  type Hooks,
  RateLimitError,
  type ReviewSubmission,
  TimeoutError,
  UnavailableError,
} from './index.ts';

const review: ReviewSubmission = { broker: 'a', rating: 1, title: 'abc', content: 'abc', language: 'en' };

const failing =
  (status: number, code: string, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    sendJson(response, status, { code }, headers);
const good: Answerer = (response) => sendJson(response, 200, { data: [] });

/** Answers in turn, and repeats the last answer. */
const inTurn = (...answers: Answerer[]): Answerer => {
  const left = [...answers];
  return (response, request) => (left.length > 1 ? left.shift() : left[0])?.(response, request);
};

/** A client whose waits pass at once on a fake clock. They are recorded. */
const hurried = (options: ClientOptions) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const waits: number[] = [];
  const client = createClient({
    ...options,
    hooks: {
      retry: ({ delayMs }) => {
        waits.push(delayMs);
        // the wait begins after this hook
        queueMicrotask(() => vi.advanceTimersByTime(delayMs));
      },
    },
  });
  return { client, waits };
};

const thrown = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('it was answered'),
    (error) => error,
  );

/** Serves this answer twice, then a good one. */
const twice = async (answer: Answerer, call: (client: Client) => Promise<unknown> = (client) => client.news.list()) => {
  const { baseUrl, requests } = await serve(inTurn(answer, answer, good));
  const { client, waits } = hurried({ baseUrl });
  const outcome = await call(client).catch((error) => error);
  return { outcome, requests, waits };
};

describe('a call is retried', () => {
  test.each<[string, Answerer]>([
    ['408', failing(408, 'request_timeout')],
    ['429', failing(429, 'rate_limited')],
    ['502 of a proxy', (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>')],
    ['503', failing(503, 'unavailable')],
    ['504 of a proxy', (response) => response.writeHead(504).end()],
    ['a dropped connection', (response) => response.destroy()],
    [
      'a body that breaks off',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"data": [', () => response.destroy());
      },
    ],
  ])('a call is retried after %s', async (_, answer) => {
    const { outcome, requests, waits } = await twice(answer);
    expect(outcome).toEqual({ data: [] });
    expect(requests).toHaveLength(3);
    expect(waits).toHaveLength(2);
  });

  test.each<[string, Answerer]>([
    ['400', failing(400, 'invalid_request')],
    ['409', failing(409, 'review_exists')],
    ['501', (response) => response.writeHead(501).end()],
    ['505', (response) => response.writeHead(505).end()],
    ['a redirect', (response) => response.writeHead(307, { location: '/elsewhere' }).end()],
    ['broken JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":')],
  ])('a call is not retried after %s', async (_, answer) => {
    const { outcome, requests } = await twice(answer);
    expect(outcome).toBeInstanceOf(Error);
    expect(requests).toHaveLength(1);
  });

  test.each([500, 507, 520, 599])(
    'a call that reads is retried after %d, and one that writes is not',
    async (status) => {
      const fail: Answerer = (response) => response.writeHead(status).end();
      expect((await twice(fail)).requests).toHaveLength(3);
      const { baseUrl, requests } = await serve(fail);
      await hurried({ baseUrl, token: 't' })
        .client.complaints.create({} as ComplaintSubmission)
        .catch(() => undefined);
      expect(requests).toHaveLength(1);
    },
  );

  test('a call is retried as often as `retries` says', async () => {
    const { baseUrl, requests } = await serve(failing(503, 'unavailable'));
    const { client } = hurried({ baseUrl, retries: 4 });
    expect(await thrown(client.news.list())).toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(5);
    expect(await thrown(client.news.list({}, { retries: 0 }))).toBeInstanceOf(UnavailableError);
    expect(requests).toHaveLength(6);
  });

  test.each([-1, Number.NaN])('a call cannot be retried %d times', async (retries) => {
    expect(() => createClient({ baseUrl: 'http://127.0.0.1:1/api/v1', retries })).toThrow(RangeError);
  });

  test('a call that writes is retried with the same key and body', async () => {
    const { requests } = await twice(
      (response) => response.destroy(),
      (client) => client.reviews.create(review),
    );
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers, body }) => `${headers['idempotency-key']} ${body}`)).size).toBe(1);
  });
});

describe('a write that the API is still processing', () => {
  const inProgress = failing(409, 'idempotency_in_progress', { 'retry-after': '1' });
  const created: Answerer = (response) => sendJson(response, 201, { id: 'r-1' });

  test('asks for a write that is in progress until it is done, however few retries are left', async () => {
    const answers = [(response) => response.destroy(), ...Array<Answerer>(6).fill(inProgress), created] as Answerer[];
    const { baseUrl, requests } = await serve(inTurn(...answers));
    const { client, waits } = hurried({ baseUrl, retries: 1 });
    expect(await client.reviews.create(review)).toEqual({ id: 'r-1' });
    expect(requests).toHaveLength(8);
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(waits.slice(1)).toEqual(Array(6).fill(1_000));
  });

  test('asks for a write that is in progress after a try that took too long', async () => {
    const { baseUrl, requests } = await serve(inTurn(() => undefined, inProgress, created));
    const { client } = hurried({ baseUrl, tryTimeoutMs: 1_000 });
    const call = client.reviews.create(review);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual({ id: 'r-1' });
  });

  test('fails when the time of the call is over', async () => {
    const { baseUrl, requests } = await serve(inProgress);
    const { client } = hurried({ baseUrl, timeoutMs: 5_500 });
    expect(await thrown(client.reviews.create(review))).toMatchObject({ code: 'idempotency_in_progress' });
    expect(requests).toHaveLength(6);
  });

  test('asks for a write that is in progress at most once a second, whatever Retry-After says', async () => {
    const hasty = failing(409, 'idempotency_in_progress', { 'retry-after': '0' });
    const { baseUrl } = await serve(inTurn(hasty, created));
    const { client, waits } = hurried({ baseUrl });
    await client.reviews.create(review);
    expect(waits).toEqual([1_000]);
  });

  test('fails at once if retries are turned off', async () => {
    const { baseUrl, requests } = await serve(inProgress);
    const call = createClient({ baseUrl, retries: 0 }).reviews.create(review);
    expect(await thrown(call)).toMatchObject({ code: 'idempotency_in_progress', retryAfter: 1 });
    expect(requests).toHaveLength(1);
  });
});

describe('the wait before a retry', () => {
  test('the wait is random, below a bound that doubles up to 8 s', async () => {
    const { baseUrl } = await serve(failing(503, 'unavailable'));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { client, waits } = hurried({ baseUrl, retries: 6, timeoutMs: 60_000 });
    await thrown(client.news.list());
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
  });

  test('the wait is what Retry-After says, to the millisecond', async () => {
    const { baseUrl } = await serve(inTurn(failing(429, 'rate_limited', { 'retry-after': '7' }), good));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const sent: number[] = [];
    let call: Promise<unknown> | undefined;
    const delayMs = await new Promise<number>((retried) => {
      const hooks: Hooks = {
        request: ({ attempt }) => sent.push(attempt),
        retry: (event) => retried(event.delayMs),
      };
      call = createClient({ baseUrl, hooks }).news.list();
    });
    expect(delayMs).toBe(7_000);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(sent).toEqual([1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([1, 2]);
    expect(await call).toEqual({ data: [] });
  });

  test.each([
    ['600 seconds late', 600],
    ['right', 0],
    ['600 seconds early', -600],
  ])('the wait until a date is that of the answer if the clock of this machine is %s', async (_, seconds) => {
    const { baseUrl } = await serve(
      inTurn(
        failing(503, 'unavailable', {
          date: 'Mon, 02 Nov 2026 09:30:00 GMT',
          'retry-after': 'Mon, 02 Nov 2026 09:30:05 GMT',
        }),
        good,
      ),
    );
    const { client, waits } = hurried({ baseUrl });
    vi.setSystemTime(Date.parse('2026-11-02T09:30:00Z') - seconds * 1000);
    await client.news.list();
    expect(waits).toEqual([5_000]);
  });

  test('the wait until a date ends when that second begins, by this machine’s clock if the answer has no date', async () => {
    const now = Date.parse('2026-11-02T09:30:00.400Z');
    const { baseUrl } = await serve(
      inTurn((response, request) => {
        response.sendDate = false;
        return failing(503, 'unavailable', { 'retry-after': 'Mon, 02 Nov 2026 09:30:05 GMT' })(response, request);
      }, good),
    );
    const { client, waits } = hurried({ baseUrl });
    vi.setSystemTime(now);
    await client.news.list();
    expect(waits).toEqual([4_600]);
  });

  test('a Retry-After of 0 counts once, and later waits are random', async () => {
    const { baseUrl } = await serve(failing(503, 'unavailable', { 'retry-after': '0' }));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { client, waits } = hurried({ baseUrl, retries: 3 });
    await thrown(client.news.list());
    expect(waits).toEqual([0, 500, 1_000]);
  });

  test.each(['1.5', '37.5', '2026-11-02', '-1', '1e9', 'Mon', '+5'])(
    'the wait is random if Retry-After is neither a number of seconds nor a date: %s',
    async (value) => {
      const { baseUrl } = await serve(inTurn(failing(503, 'unavailable', { 'retry-after': value }), good));
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      onTestFinished(() => {
        vi.restoreAllMocks();
      });
      const { client, waits } = hurried({ baseUrl });
      await client.news.list();
      expect(waits).toEqual([250]);
    },
  );

  test('ends when the caller aborts', async () => {
    const { baseUrl, requests } = await serve(failing(429, 'rate_limited', { 'retry-after': '20' }));
    const controller = new AbortController();
    const hooks = { retry: () => queueMicrotask(() => controller.abort()) };
    const call = createClient({ baseUrl, hooks }).news.list({}, { signal: controller.signal });
    expect(await thrown(call)).toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['Retry-After', 429, 'rate_limited', { 'retry-after': '31' }, RateLimitError],
    ['Retry-After of a 503', 503, 'unavailable', { 'retry-after': '30' }, UnavailableError],
  ])('throws the error without a wait that would exceed the deadline: %s', async (_, status, code, headers, kind) => {
    const { baseUrl, requests } = await serve(failing(status, code, headers));
    const started = performance.now();
    const error = await thrown(createClient({ baseUrl, timeoutMs: 30_000 }).news.list());
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ retryAfter: Number(headers['retry-after']) });
    expect(requests).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('skips a wait that no timer can measure, even without a deadline', async () => {
  const year = { 'retry-after': String(365 * 24 * 3600) };
  const { baseUrl, requests } = await serve(failing(429, 'rate_limited', year));
  const call = createClient({ baseUrl, timeoutMs: Infinity }).news.list();
  expect(await thrown(call)).toBeInstanceOf(RateLimitError);
  expect(requests).toHaveLength(1);
});

describe('a time limit', () => {
  const never: Answerer = () => undefined;

  test('a try can have a shorter time limit than the call', async () => {
    const { baseUrl, requests } = await serve(inTurn(never, good));
    const { client } = hurried({ baseUrl, tryTimeoutMs: 1_000 });
    const call = client.news.list();
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toEqual({ data: [] });
  });

  test('the error names the time limit of a try if that ended the call', async () => {
    const { baseUrl } = await serve(never);
    const call = createClient({ baseUrl, tryTimeoutMs: 40, retries: 0 }).news.list();
    expect(await thrown(call)).toMatchObject({ name: 'TimeoutError', timeoutMs: 40 });
  });

  test('the time limit of the call covers all tries', async () => {
    const { baseUrl, requests } = await serve(never);
    const started = performance.now();
    const error = await thrown(createClient({ baseUrl, tryTimeoutMs: 60, timeoutMs: 200, retries: 9 }).news.list());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(requests.length).toBeGreaterThan(0);
  });

  test('ends an answer that trickles', async () => {
    let closed: () => void = () => {};
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { baseUrl } = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed();
      });
    });
    const error = await thrown(createClient({ baseUrl, timeoutMs: 100 }).news.list());
    expect(error).toMatchObject({ name: 'TimeoutError', timeoutMs: 100 });
    await closing; // no socket is left open
  });
});

describe('a server that drops the connection after writing', () => {
  test('leads to one stored review per call', async () => {
    const stored = new Map<string, object>();
    const { baseUrl } = await serve((response, { headers, body }) => {
      const key = String(headers['idempotency-key']);
      if (stored.has(key)) return sendJson(response, 201, stored.get(key));
      stored.set(key, { id: `r-${stored.size}`, ...JSON.parse(body) });
      response.destroy();
    });
    const { client } = hurried({ baseUrl });
    const created = await Promise.all([client.reviews.create(review), client.reviews.create(review)]);
    expect(created.map(({ id }) => id).sort()).toEqual(['r-0', 'r-1']);
    expect(stored.size).toBe(2);
  });

  test('leads to an error if it continues', async () => {
    const { outcome } = await twice(
      (response) => response.destroy(),
      async (client) => client.reviews.create(review, { retries: 1 }),
    );
    expect(outcome).toBeInstanceOf(ConnectionError);
  });
});
