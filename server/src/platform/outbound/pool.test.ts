import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createPool, type NoAnswerError, type Pool } from './pool.ts';

let server: Server;
let pool: Pool;
let connections = 0;
let answer: RequestListener;
beforeEach(async () => {
  connections = 0;
  pool = createPool({ allowLoopback: true });
  server = createServer((req, res) => answer(req, res))
    .on('connection', () => connections++)
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  await pool.close();
  server.closeAllConnections();
  server.close();
});

const url = (path = '/'): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
const post = (address = url(), timeoutMs = 5000, signal?: AbortSignal) =>
  pool.post(address, { headers: {}, body: '{}' }, { timeoutMs, signal });
const failure = (work: Promise<unknown>): Promise<NoAnswerError> =>
  work.then(
    () => {
      throw new Error('it was answered');
    },
    (error) => error,
  );

test('uses connections again', async () => {
  answer = (_req, res) => void res.end('x'.repeat(1000));
  for (let n = 0; n < 20; n++) expect((await post()).status).toBe(200);
  expect(connections).toBeLessThanOrEqual(2); // one may just be closing a body
});

test('follows no redirects', async () => {
  const asked: string[] = [];
  answer = (req, res) => {
    asked.push(req.url ?? '');
    res.writeHead(307, { Location: '/elsewhere' }).end();
  };
  const { status, header } = await post(url('/here'));
  expect([status, header('location'), asked]).toEqual([307, '/elsewhere', ['/here']]);
});

test('a status that came in time counts, whatever follows it', async () => {
  const closed = new Promise<void>((resolve) => {
    answer = (_req, res) => {
      res.on('close', resolve).writeHead(200).write('it begins');
    };
  });
  expect((await post(url(), 2000)).status).toBe(200);
  await closed; // it is not waited for longer than for an answer
});

test('gives up where no answer comes', async () => {
  answer = () => {};
  const { message, isReached } = await failure(post(url(), 100));
  expect([message, isReached]).toEqual(['gives no answer within 0.1 s', true]);
});

test('tells a connection that breaks off from one that cannot be made', async () => {
  answer = (req) => req.socket.destroy();
  expect(await failure(post())).toMatchObject({ isReached: true, message: 'breaks off (UND_ERR_SOCKET)' });
  expect(await failure(post('http://127.0.0.1:1/'))).toMatchObject({ isReached: false });
});

test('asks nobody whose address is not public', async () => {
  const strict = createPool({ allowLoopback: false });
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1']) {
    const refused = strict.post(`http://${host}:${port}/`, { headers: {}, body: '' }, { timeoutMs: 5000 });
    const { message, isReached } = await failure(refused);
    expect(message).toContain('not public');
    expect(isReached).toBe(false);
  }
  expect(connections).toBe(0);
  await strict.close();
});

test('takes https only where that is asked for', async () => {
  const strict = createPool({ allowLoopback: true, httpsOnly: true });
  const { message } = await failure(strict.post(url(), { headers: {}, body: '' }, { timeoutMs: 5000 }));
  expect(message).toContain('use https');
  expect(connections).toBe(0);
  await strict.close();
});

test('ends by the reason of its caller', async () => {
  answer = () => {};
  const ending = new AbortController();
  const ended = failure(post(url(), 5000, ending.signal));
  ending.abort(new Error('the endpoint was given up'));
  expect((await ended).message).toBe('the endpoint was given up');
});
