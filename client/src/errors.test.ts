import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type Answerer, catchError, sendJson, serve } from '../scripts/test-server.ts';
import { errorClass, toClassName } from './error-class.ts';
import * as errors from './generated/errors.ts';
import {
  ApiError,
  BrokerNotFoundError,
  BrokerTransparencyError,
  type ClientOptions,
  ConnectionError,
  createClient,
  InvalidRequestError,
  InvalidResponseError,
  PROBLEMS,
  type ProblemCode,
  RateLimitError,
  TimeoutError,
  UnavailableError,
} from './index.ts';

/** Returns the error that a call throws for an answer. */
const catchErrorFor = async (answer: Answerer, options: Partial<ClientOptions> = {}): Promise<unknown> => {
  const { baseUrl } = await serve(answer);
  return catchError(createClient({ baseUrl, retries: 0, ...options }).brokers.get('alpha-markets'));
};

const problem = (code: string, status: number, more: object = {}) => ({
  type: `https://brokers.example/problems/${code}`,
  title: 'A title',
  status,
  detail: 'What went wrong.',
  instance: '/api/v1/brokers/alpha-markets',
  code,
  requestId: 'r-1',
  ...more,
});

const answering =
  (body: { status: number }, headers: Record<string, string> = {}): Answerer =>
  (response) =>
    sendJson(response, body.status, body, { 'content-type': 'application/problem+json', ...headers });

describe('each code has its class', () => {
  test.each(Object.keys(PROBLEMS) as ProblemCode[])('%s', async (code) => {
    const { status } = PROBLEMS[code];
    const error = await catchErrorFor(answering(problem(code, status)));
    const name = toClassName(code);
    const Class = Object.entries(errors).find(([exported]) => exported === name)?.[1];
    expect((error as Error).constructor).toBe(Class);
    expect(Class?.name).toBe(name);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(BrokerTransparencyError);
    expect(error).toMatchObject({ code, status, title: 'A title', detail: 'What went wrong.', requestId: 'r-1' });
    expect((error as Error).name).toBe(name);
    expect(inspect(error)).toMatch(new RegExp(`^${name}: ${status} ${code}: What went wrong`));
  });

  test('a newer code gets a class of its own', async () => {
    const error = await catchErrorFor(answering(problem('too_early', 425)));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'too_early', status: 425, name: 'TooEarlyError' });
  });

  test.each(['toString', '__proto__', 'X', ''])('%j gets the base class', async (code) => {
    const error = await catchErrorFor(answering(problem(code, 400)));
    expect((error as ApiError).constructor).toBe(ApiError);
    expect(error).toMatchObject({ code, name: 'ApiError' });
  });

  test('the number of classes has a limit', async () => {
    const code = (number: number) =>
      `made_up_${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
    const made = new Set(Array.from({ length: 1_000 }, (_, number) => errorClass(code(number))));
    expect(made.size).toBeLessThan(300);
  });
});

test('a switch over codes narrows the error', async () => {
  const error = await catchErrorFor(answering(problem('broker_not_found', 404)));
  if (!(error instanceof ApiError)) return expect.unreachable();
  switch (error.code) {
    case 'broker_not_found':
      expectTypeOf(error).toEqualTypeOf<BrokerNotFoundError>();
      expectTypeOf(error.status).toEqualTypeOf<404>();
      break;
    case 'rate_limited':
      expectTypeOf(error).toEqualTypeOf<RateLimitError>();
      return expect.unreachable();
    // @ts-expect-error: no such code
    case 'brokr_not_found':
      return expect.unreachable();
    default:
      expectTypeOf(error.code).toExtend<string>();
      return expect.unreachable();
  }
  if (error instanceof BrokerNotFoundError) expectTypeOf(error.code).toEqualTypeOf<'broker_not_found'>();
});

test('an error lists the invalid places', async () => {
  const errors = [{ pointer: '#/rating', code: 'too_big', detail: 'must be at most 5' }];
  const error = await catchErrorFor(answering(problem('invalid_request', 400, { errors })));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ errors });
  expect(await catchErrorFor(answering(problem('invalid_request', 400, { errors: 'none' })))).toMatchObject({
    errors: [],
  });
});

test('takes from the answer what a sparse problem lacks', async () => {
  const error = await catchErrorFor(
    answering({ status: 404, code: 'broker_not_found' } as never, { 'x-request-id': 'r-2' }),
  );
  expect(error).toMatchObject({ status: 404, title: 'broker_not_found', detail: 'broker_not_found', requestId: 'r-2' });
});

describe('retryAfter', () => {
  test.each([
    ['17', 17],
    ['0', 0],
    [new Date(Date.now() + 600_000).toUTCString(), expect.toSatisfy((seconds) => seconds > 300 && seconds <= 600)],
    [new Date(0).toUTCString(), 0],
    ['Thursday, 01-Jan-70 00:00:00 GMT', 0],
    ['Thu Jan  1 00:00:00 1970', 0],
    ['soon', undefined],
    ['1.5', undefined],
    ['37.5', undefined],
    ['2099-01-01T00:00:00Z', undefined],
    ['Thu, 01 Jan 2099 00:00:00 +0100', undefined],
    ['5, 7', undefined],
  ])('%s', async (header, seconds) => {
    const error = await catchErrorFor(answering(problem('rate_limited', 429), { 'retry-after': header }));
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as ApiError).retryAfter).toEqual(seconds);
    expect((error as ApiError).response.headers.get('retry-after')).toBe(header);
  });

  test('reads retryAfter from a proxy’s answer too', async () => {
    const error = await catchErrorFor((response) => response.writeHead(503, { 'retry-after': '9' }).end());
    expect(error).toMatchObject({ retryAfter: 9, status: 503 });
  });
});

describe('an answer that is not from this API', () => {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  test.each<[string, number, Answerer]>([
    ['a success status with text/html', 200, (response) => response.writeHead(200, html).end('<h1>Sign in</h1>')],
    ['an error status with text/html', 502, (response) => response.writeHead(502, html).end('<h1>Bad gateway</h1>')],
    ['no media type', 204, (response) => response.writeHead(204).end()],
    [
      'JSON that is malformed or cut off',
      200,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": ['),
    ],
    [
      'JSON that is not UTF-8',
      200,
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.concat([Buffer.from('{"data": ["'), Buffer.from([0xc3, 0x28]), Buffer.from('"]}')])),
    ],
    [
      'JSON that ends within a character',
      200,
      (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(Buffer.from([...Buffer.from('{"data": []}'), 0xe2, 0x82])),
    ],
    ['JSON that is not an object', 200, (response) => sendJson(response, 200, 'ok')],
    ['JSON that is not a problem document', 500, (response) => sendJson(response, 500, { error: 'oops' })],
    ['a redirect', 302, (response) => response.writeHead(302, { location: '/api/v1/brokers' }).end()],
  ])('%s', async (_, status, answer) => {
    const error = await catchErrorFor(answer);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toBeInstanceOf(BrokerTransparencyError);
    expect(error).not.toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, name: 'InvalidResponseError', request: { method: 'GET' } });
  });

  test.each([
    ['/login?next=%2Fapi&ticket=s3cret#x', '/login'],
    ['https://elsewhere.example/a?b=s3cret', 'https://elsewhere.example/a'],
    ['https://elsewhere.example#s3cret', 'https://elsewhere.example'],
    ['?s3cret', 'an address that is not told'],
    [undefined, 'an address that is not told'],
  ])('names the target of a redirect without what may be secret: %s', async (location, to) => {
    const { baseUrl, requests } = await serve((response) =>
      response.writeHead(302, { ...(location ? { location } : {}), 'x-request-id': 'r-9' }).end(),
    );
    const error = await catchError(createClient({ baseUrl }).news.list());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ status: 302, requestId: 'r-9' });
    expect(error.message).toBe(`GET ${baseUrl}/news was answered 302 with a redirect to ${to} (request r-9)`);
    expect(requests).toHaveLength(1);
  });

  test('reports a redirect that the platform hides', async () => {
    // browsers answer `redirect: 'manual'` like this
    const hidden = { type: 'opaqueredirect', status: 0, ok: false, headers: new Headers(), text: async () => '' };
    const client = createClient({ baseUrl: 'https://brokers.example/api/v1', fetch: async () => hidden as Response });
    expect((await catchError(client.news.list())).message).toMatch(
      /was answered 0 with a redirect to an address that is not told$/,
    );
  });

  test.each([
    [429, RateLimitError],
    [503, UnavailableError],
  ])('an answer %d of a proxy, which has no code, gets the error class of its status', async (status, kind) => {
    for (const body of ['<h1>Try later</h1>', '{"error":"x"}', '{"code":"cdn_busy"', '']) {
      const type = body.startsWith('{') ? 'application/json' : 'text/html';
      const headers = { 'content-type': type, 'retry-after': '17', 'x-request-id': 'r-3' };
      const error = await catchErrorFor((response) => response.writeHead(status, headers).end(body));
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({ status, retryAfter: 17, requestId: 'r-3', errors: [] });
      expect((error as Error).message).not.toContain('Try later');
    }
  });

  test('the error for an answer that is not from this API has the request id from the header', async () => {
    const headers = { 'content-type': 'text/html', 'x-request-id': 'r-4' };
    const page = await catchErrorFor((response) => response.writeHead(500, headers).end('<h1>'));
    expect(page).toMatchObject({ name: 'InvalidResponseError', requestId: 'r-4' });
    expect((page as Error).message).toContain('(request r-4)');
    const half: Answerer = (response) => {
      response
        .writeHead(200, { ...headers, 'content-length': '100' })
        .write('{', () => setTimeout(() => response.destroy(), 20));
    };
    expect(await catchErrorFor(half)).toMatchObject({ name: 'ConnectionError', requestId: 'r-4' });
    const endless = async () => new Response(new ReadableStream({}), { headers });
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      fetch: endless,
      timeoutMs: 50,
      retries: 0,
    });
    expect(await catchError(client.news.list())).toMatchObject({ name: 'TimeoutError', requestId: 'r-4' });
    expect(await catchErrorFor((response) => response.destroy())).toMatchObject({ requestId: undefined });
  });

  test('the error for an answer that is not from this API does not quote its body', async () => {
    const error = await catchErrorFor((response) => response.writeHead(502, html).end('<h1>Bad gateway</h1>'));
    expect((error as Error).message).toMatch(
      /^GET http.*\/brokers\/alpha-markets was answered 502 with text\/html instead/,
    );
  });
});

describe('the text of an error has a limit', () => {
  const MOST = 3_000;
  const long = 'x'.repeat(1_000_000);
  const shown = (error: unknown) => inspect(error, { depth: 9 }).length + String(error).length;

  test.each<[string, Answerer]>([
    ['for a problem', answering(problem(long, 400, { detail: long, title: long, requestId: long }))],
    [
      'for its invalid places',
      answering(problem('invalid_request', 400, { errors: Array(50_000).fill({ code: long.slice(0, 9) }) })),
    ],
    ['for a media type', (response) => response.writeHead(200, { 'content-type': `a/${long.slice(0, 9_000)}` }).end()],
    ['for a redirect', (response) => response.writeHead(302, { location: `/${long.slice(0, 9_000)}` }).end()],
    ['for a request id', (response) => response.writeHead(500, { 'x-request-id': long.slice(0, 9_000) }).end()],
  ])('%s', async (_, answer) => {
    const error = await catchErrorFor(answer);
    expect(error).toBeInstanceOf(BrokerTransparencyError);
    expect((error as Error).message.length).toBeLessThan(MOST);
    expect(shown(error)).toBeLessThan(10 * MOST);
  });

  test('the text of an error has a limit for a long address and a long cause', async () => {
    const fail = () => Promise.reject(new Error(long));
    const client = createClient({ baseUrl: 'https://brokers.example/api/v1', fetch: fail, retries: 0 });
    expect((await catchError(client.brokers.get(long))).message.length).toBeLessThan(MOST);
    expect((await catchError(client.news.list({}, { headers: { [`${long}\n`]: '' } }))).message.length).toBeLessThan(
      MOST,
    );
  });

  test('describes an error whose cause is its own cause', async () => {
    const cause = new Error('round and round');
    cause.cause = cause;
    const client = createClient({
      baseUrl: 'https://brokers.example/api/v1',
      retries: 0,
      fetch: () => Promise.reject(cause),
    });
    const error = await catchError(client.news.list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain('round and round');
  });
});

describe('a connection', () => {
  test('a refused connection gives a ConnectionError', async () => {
    const { baseUrl, server } = await serve();
    await new Promise((closed) => server.close(closed));
    const error = await createClient({ baseUrl, retries: 0 })
      .news.list()
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/^GET http.*\/news got no complete answer: .*ECONNREFUSED/);
  });

  test.each<[string, Answerer]>([
    ['before the answer', (response) => response.destroy()],
    [
      'within the body',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data": [');
        setTimeout(() => response.destroy(), 20);
      },
    ],
  ])('a connection that breaks %s gives a ConnectionError', async (_, answer) => {
    const error = await catchErrorFor(answer);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ name: 'ConnectionError', cause: expect.any(Error) });
  });

  test('a broken connection leaves the key for sending the POST again', async () => {
    const { baseUrl, requests } = await serve((response) => response.destroy());
    const body = { broker: 'a', rating: 1, title: 'abc', content: 'abc', language: 'en' };
    const error = await createClient({ baseUrl, retries: 0 })
      .reviews.create(body)
      .catch((thrown) => thrown);
    expect(error.request.idempotencyKey).toBe(requests[0]?.headers['idempotency-key']);
  });
});

describe('a time limit', () => {
  const never: Answerer = () => undefined;
  const half: Answerer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  };

  test.each([
    ['no answer', never],
    ['half an answer', half],
  ])('ends a call with %s', async (_, answer) => {
    const started = performance.now();
    const error = await catchErrorFor(answer, { timeoutMs: 80 });
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 80, name: 'TimeoutError' });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('the time limit of a call takes precedence over the client’s', async () => {
    const { baseUrl } = await serve(never);
    const call = createClient({ baseUrl, timeoutMs: 60_000 }).regulators.list({ timeoutMs: 50 });
    await expect(call).rejects.toMatchObject({ timeoutMs: 50 });
  });

  test('works even if fetch ignores its signal', async () => {
    const client = createClient({ baseUrl: 'http://x.test/api/v1', fetch: () => new Promise(() => {}), timeoutMs: 30 });
    await expect(client.news.list()).rejects.toThrow(TimeoutError);
  });

  test('the time limit can be turned off', async () => {
    const { baseUrl } = await serve();
    expect(await createClient({ baseUrl, timeoutMs: Infinity }).news.list()).toEqual({ data: [] });
  });

  test.each([0, -1, Number.NaN, 2 ** 31])('a time limit of %d is refused', async (timeoutMs) => {
    const baseUrl = 'http://127.0.0.1:1/api/v1';
    expect(() => createClient({ baseUrl, timeoutMs })).toThrow(RangeError);
    await expect(createClient({ baseUrl }).news.list({}, { timeoutMs })).rejects.toThrow(RangeError);
  });
});

describe('an abort', () => {
  test('an abort before the call rejects with the reason and sends nothing', async () => {
    const { baseUrl, requests } = await serve();
    const reason = new Error('changed my mind');
    const call = createClient({ baseUrl }).news.list({}, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
    expect(requests).toEqual([]);
  });

  test('an abort during the call rejects with an AbortError', async () => {
    const controller = new AbortController();
    let closed = () => {};
    const closing = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { baseUrl } = await serve((response) => {
      response.on('close', closed);
      controller.abort();
    });
    const call = createClient({ baseUrl }).news.list({}, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await closing; // no socket is left behind
  });

  test('one signal aborts a thousand calls without a warning of the platform', async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const client = createClient({ baseUrl: 'https://brokers.example/api/v1', fetch: () => new Promise(() => {}) });
    const calls = Array.from({ length: 1_000 }, () => client.news.list({}, { signal: controller.signal }));
    controller.abort();
    const reasons = await Promise.all(calls.map((call) => catchError(call)));
    expect(new Set(reasons)).toEqual(new Set([controller.signal.reason]));
    expect(added.mock.calls.length).toBeLessThan(10); // Node warns of more listeners
  });

  test('listens to the signal only while a call runs', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const { baseUrl } = await serve();
    await createClient({ baseUrl }).news.list({}, { signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
  });

  test('an abort after the call has no effect', async () => {
    const controller = new AbortController();
    const { baseUrl } = await serve();
    await createClient({ baseUrl }).news.list({}, { signal: controller.signal });
    controller.abort();
  });
});
