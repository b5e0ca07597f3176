import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import { freePort } from '@broker-transparency/embedded-mongo/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEmbedded } from '../support/database.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { type HttpResponse, send } from '../support/http.ts';
import { pauseProcess } from '../support/pause-process.ts';
import { expectProblem } from '../support/problem.ts';
import { EMBEDDED, startProcess } from '../support/process.ts';
import { RawConnection } from '../support/raw-http.ts';
import { brokerRow, complaintBody, reviewBody } from '../support/records.ts';
import { moderate, publishReviews } from '../support/reviewers.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: LocalService;
let limited: LocalService;
let slow: Promise<HttpResponse>;
let alice: string;
let bob: string;
let carol: string;

/** Sends bytes that no HTTP library would send. */
const raw = async (bytes: string): Promise<HttpResponse> => {
  const connection = await RawConnection.open(service.origin);
  connection.send(bytes);
  const answer = await connection.answer({ timeoutMs: 20_000 });
  connection.destroy();
  if (!answer) throw new Error('closed without an answer');
  const { status, headers, body } = answer;
  const all = { headers: Object.fromEntries(headers), text: body, bytes: Buffer.from(body) };
  return { status, ...all, json: () => JSON.parse(body) };
};

const get = (path: string, headers = {}) => send(`${service.baseUrl}${path}`, { headers });
const post = (path: string, body: unknown, token?: string, headers = {}) =>
  send(`${service.baseUrl}${path}`, { body, token, headers });

/** The first 409 among many equal simultaneous requests. */
const collide = (): Promise<HttpResponse> =>
  until('two requests with one key meet', 10_000, async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const body = complaintBody('alpha-markets', { title: headers['Idempotency-Key'] });
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/complaints', body, alice, headers)));
    return answers.find(({ status }) => status === 409);
  });

const twice = async (path: string, first: unknown, second: unknown, headers = {}): Promise<HttpResponse> => {
  expect((await post(path, first, alice, headers)).status).toBe(201);
  return post(path, second, alice, headers);
};

const overLimit = async (): Promise<HttpResponse> => {
  await send(`${limited.baseUrl}/news`);
  return send(`${limited.baseUrl}/news`);
};

const account = (path: string, body?: unknown) => send(`${service.origin}/account/v1${path}`, { body, token: alice });
const text = 'The text speaks of another company than the one it is about.';

/** Id of a published review of alice's, about the given broker. */
const published = async (broker: string): Promise<string> => {
  const [review] = await publishReviews(service, broker, [alice]);
  return String(review?.id);
};

const reportTwice = async (): Promise<HttpResponse> => {
  const report = { reviewId: await published('reported'), reason: 'off_topic', text };
  expect((await account('/reports', report)).status).toBe(201);
  return account('/reports', report);
};

const appealTwice = async (): Promise<HttpResponse> => {
  const id = await published('appealed');
  await moderate(service, 'remove', id);
  expect((await account(`/reviews/${id}/appeal`, { text })).status).toBe(201);
  return account(`/reviews/${id}/appeal`, { text });
};

/** The answer of a server whose database is not there yet. */
const whileStarting = async (): Promise<HttpResponse> => {
  const port = await freePort();
  const starting = startProcess({ PORT: String(port) });
  const answer = until('it listens', 10_000, () => send(`http://127.0.0.1:${port}/api/v1/news`).catch(() => undefined));
  await (await starting).remove();
  return answer;
};

/** The request that provokes each code over HTTP, or the reason why none can. */
const REACHED: Record<ProblemCode, (() => Promise<HttpResponse>) | string> = {
  invalid_request: () => get('/brokers?limit=0'),
  malformed_json: () => post('/complaints', '{"broker":', alice),
  bad_request: () => get('/brokers/%ff'),
  authentication_required: () => post('/complaints', complaintBody('alpha-markets')),
  invalid_token: () => post('/complaints', complaintBody('alpha-markets'), 'wrong'),
  insufficient_scope: () => post('/complaints', complaintBody('alpha-markets'), carol),
  kyc_required: () => post('/reviews', reviewBody('alpha-markets'), bob),
  not_found: () => get('/nothing'),
  broker_not_found: () => get('/brokers/nobody'),
  regulator_not_found: () => get('/regulators/nobody'),
  method_not_allowed: () => send(`${service.baseUrl}/news`, { method: 'DELETE' }),
  not_acceptable: () => get('/news', { Accept: 'text/html' }),
  request_timeout: () => slow,
  review_not_found: () => account('/reports', { reviewId: 'f'.repeat(24), reason: 'off_topic', text }),
  report_not_found: () => account(`/reports/${'f'.repeat(24)}/appeal`, { text }),
  report_exists: reportTwice,
  appeal_exists: appealTwice,
  state_conflict: async () => account(`/reviews/${await published('conflict')}/appeal`, { text }),
  review_exists: () => twice('/reviews', reviewBody('review-exists'), reviewBody('review-exists')),
  idempotency_in_progress: collide,
  content_too_large: () => post('/complaints', complaintBody('alpha-markets', { content: 'x'.repeat(70_000) }), alice),
  unsupported_media_type: () => post('/complaints', '<xml/>', alice, { 'Content-Type': 'text/xml' }),
  expectation_failed: () => get('/news', { Expect: '200-maybe' }),
  idempotency_key_reused: () =>
    twice('/complaints', complaintBody('alpha-markets'), complaintBody('beta-trade'), { 'Idempotency-Key': 'reused' }),
  rate_limited: overLimit,
  headers_too_large: () => get('/news', { 'X-Large': 'x'.repeat(20_000) }),
  internal_error: 'answers a fault that nobody knows of: a known way to it would be one to mend',
  unavailable: whileStarting,
};
const reached = Object.entries(REACHED).flatMap(([code, reach]) =>
  typeof reach === 'string' ? [] : [[code as ProblemCode, reach] as const],
);
/** Codes of requests that are refused before their path is known. */
const PATHLESS: readonly ProblemCode[] = ['request_timeout', 'headers_too_large'];

beforeAll(async () => {
  service = await startService();
  slow = raw('GET /api/v1/news HTTP/1.1\r\nHost: slow\r\nX-Never: ends');
  limited = await startService({ MONGODB_URL: service.data['MONGODB_URL'], PUBLIC_RATE_LIMIT: '1' });
  await importRows(
    service,
    'brokers',
    ['alpha-markets', 'beta-trade', 'review-exists', 'reported', 'appealed', 'conflict'].map((slug) => brokerRow(slug)),
  );
  [alice, bob, carol] = await Promise.all([
    createToken(service, 'alice'),
    createToken(service, 'bob', { kyc: 'none' }),
    createToken(service, 'carol', { scopes: 'reviews:write' }),
  ]);
});
afterAll(async () => {
  await limited?.remove();
  await service?.remove();
});

test('covers every code of the contract by a request or a reason', () => {
  expect(Object.keys(REACHED).sort()).toEqual([...PROBLEM_CODES].sort());
});

describe.each(reached)('%s', (code, reach) => {
  test('the problem has the shape, status and title of the contract, and a request id', async () => {
    const answer = await reach();
    const problem = expectProblem(answer);
    expect(problem).toMatchObject({ code, status: PROBLEMS[code].status, title: PROBLEMS[code].title });
    expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
    if (!PATHLESS.includes(code)) expect(problem.instance).toMatch(/^\/(api|account)\/v1\/[\w/%-]+$/);
    expect(JSON.stringify(problem)).not.toMatch(/ at .*\(|node_modules|mongo|\/src\/|\/dist\//i);
  });

  test('a page of the server explains the problem', async () => {
    const { status, headers, text } = await send(`${service.origin}/problems/${code}`);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(PROBLEMS[code].title);
    expect(text).toContain(`<code>${code}</code>`);
  });
});

test('the type of a problem is the address of the page that explains it', async () => {
  const { type } = expectProblem(await get('/brokers/nobody'));
  expect(type).toBe(`${service.origin}/problems/broker_not_found`);
  expect((await send(type)).status).toBe(200);
});

test('answers 404 for a path without a page', async () => {
  for (const path of [
    '/problems/nothing',
    '/problems/toString',
    '/problems/nothing/',
    '/nothing',
    '/api/v2/brokers',
    '/API/v1/news',
  ]) {
    const answer = await send(`${service.origin}${path}`);
    expect(expectProblem(answer)).toMatchObject({ code: 'not_found', instance: path });
  }
});

test.each([
  ['no host', 'GET /api/v1/news HTTP/1.1\r\n\r\n'],
  ['two hosts', 'GET /api/v1/news HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ['no HTTP', 'HELLO\r\n\r\n'],
  ['a wrong length', 'POST /api/v1/complaints HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  ['two framings', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
])('answers bad_request to bytes with %s', async (_, bytes) => {
  expect(expectProblem(await raw(bytes)).code).toBe('bad_request');
});

test('says when to come back with 429 and 503, and what is allowed with 405', async () => {
  expect((await overLimit()).headers['retry-after']).toMatch(/^[1-9]\d?$/);
  expect((await send(`${service.baseUrl}/news`, { method: 'PUT' })).headers['allow']).toBe('GET, HEAD, OPTIONS');
});

test('answers 503 within two seconds while the database hangs, for reads and writes, until it recovers', async () => {
  const hanging = await startProcess(EMBEDDED);
  const token = await createToken(hanging, 'alice');
  const { mongodPid } = await readEmbedded(hanging);
  const ask = { body: complaintBody('nobody'), token };
  try {
    await pauseProcess(mongodPid);
    for (const [path, asked] of [
      ['/brokers/nobody', {}],
      ['/complaints', ask],
    ] as const) {
      const start = Date.now();
      const answer = await send(`${hanging.baseUrl}${path}`, asked);
      expect([expectProblem(answer).code, path]).toEqual(['unavailable', path]);
      expect(Date.now() - start).toBeLessThan(2500);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
    }
    // The checksum shows that this is no token, without a query.
    expect(expectProblem(await send(`${hanging.baseUrl}/complaints`, { ...ask, token: 'btr_mistyped' })).status).toBe(
      401,
    );
    process.kill(mongodPid, 'SIGCONT');
    await until('it goes on', 20_000, async () => (await send(`${hanging.baseUrl}/complaints`, ask)).status === 404);
  } finally {
    process.kill(mongodPid, 'SIGCONT');
    await hanging.remove();
  }
});
