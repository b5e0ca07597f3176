import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../platform/observe/log.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { createRequestCount } from '../../platform/observe/requests.ts';
import { createOverload } from '../load/overload.ts';
import { createHttpServer } from './http-server.ts';

const countRequest = createRequestCount(createMetrics());

const create = (connections = 10, maxInFlight = 10) =>
  createHttpServer(
    createOverload(
      { maxInFlight, maxConnections: connections, shares: [], isProxy: () => false },
      createLog('silent'),
      countRequest,
    ),
    countRequest,
  );
const http = create();
let origin = '';
beforeAll(async () => {
  origin = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;
  http.reachedAt('https://ratings.example');
});
afterAll(() => http.close(0));

test('a starting service is alive, and says of everything else when to come back', async () => {
  const live = await fetch(`${origin}/healthz`);
  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);

  for (const path of ['/readyz', '/api/v1/brokers', '/anything']) {
    const answer = await fetch(origin + path);
    expect([answer.status, answer.headers.get('Retry-After')], path).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      type: 'https://ratings.example/problems/unavailable',
      code: 'unavailable',
      instance: path,
    });
  }
});

test('TCP asks a caller that says nothing whether it is still there', async () => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data'); // it is accepted
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const { port } = socket.address() as AddressInfo;
  const kindOfTimer = async (): Promise<string | undefined> => {
    const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
    const [, , , , , timer] =
      lines
        .find((line) => line.includes(` 0100007F:${hex(port)} 01 `))
        ?.trim()
        .split(/\s+/) ?? [];
    return timer?.slice(0, 2);
  };
  await expect.poll(kindOfTimer, { timeout: 5000 }).toBe('02'); // keep-alive, once the answer is acknowledged
  socket.destroy();
});

test('the error of a port in use names the port and the cure', async () => {
  const port = Number(new URL(origin).port);
  await expect(create().listen(port, '127.0.0.1')).rejects.toThrow(
    `port ${port} on 127.0.0.1 is taken: stop what uses it or set PORT`,
  );
});

test.each([
  { title: 'a burst is let in whole, however long its turns of the event loop', maxInFlight: 100, isRefused: false },
  {
    title: 'a request beyond a burst that is read late in the second of two long turns is refused',
    maxInFlight: 10,
    isRefused: true,
  },
])('$title; a request for health is never refused', async ({ maxInFlight, isRefused }) => {
  const busy = create(100, maxInFlight);
  const port = await busy.listen(0, '127.0.0.1');
  const ask = (socket: Socket, path: string): Promise<number> => {
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return answer.then(([bytes]) => Number(bytes.toString('latin1', 9, 12)));
  };
  const work: Record<string, { readonly ms: number; readonly meanwhile?: () => void }> = {
    '/long': {
      ms: 250,
      meanwhile: () => asked.push(...lines.map((line, n) => ask(line, n < 40 ? '/work' : '/healthz'))),
    },
    '/work': { ms: 20 },
  };
  busy.serve((req, res) => {
    const { ms = 0, meanwhile } = work[req.url as string] ?? {};
    meanwhile?.();
    for (const end = performance.now() + ms; performance.now() < end; );
    res.end();
  });
  const asked: Promise<number>[] = [];
  const lines = Array.from({ length: 41 }, () => connect(port, '127.0.0.1'));
  const first = connect(port, '127.0.0.1');
  for (const line of [...lines, first]) expect(await ask(line, '/')).toBe(200); // they are accepted
  expect(await ask(first, '/long')).toBe(200);
  const statuses = await Promise.all(asked);
  expect(statuses.includes(503)).toBe(isRefused);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(16);
  expect(statuses.at(-1)).toBe(200);
  for (const line of [...lines, first]) line.destroy();
  await busy.close(0);
});

test('a connection beyond the limit gets one answer: a refusal, or the health of the service', async () => {
  const full = create(2);
  const port = await full.listen(0, '127.0.0.1');
  full.serve((req, res) => {
    if (req.url !== '/hang') res.end();
  });
  const open = async (): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return socket;
  };
  const ask = async (socket: Socket, path: string): Promise<string> => {
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    return (await answer).toString();
  };
  const busy = await Promise.all([open(), open()]);
  for (const socket of busy) expect(await ask(socket, '/')).toMatch(/^HTTP\/1\.1 200 /);
  for (const socket of busy) socket.write('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n');
  const [refused, asking, silent] = await Promise.all([open(), open(), open()]);
  const answer = await ask(refused, '/anything');
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
  expect(answer).toMatch(/\r\nConnection: close\r\n/);
  expect(await ask(asking, '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
  await once(silent, 'end');
  expect(busy.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
  for (const socket of [...busy, refused, asking, silent]) socket.destroy();
  await full.close(0);
});
