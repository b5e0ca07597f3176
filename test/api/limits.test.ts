import { connect, type Socket } from 'node:net';
import { LIMITS } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDatabaseUrl } from '../support/database.ts';
import { createToken, importRows } from '../support/filled-service.ts';
import { type HttpResponse, type SendOptions, send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { createSampleRequest, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const { requests, windowSeconds } = LIMITS.public;
const POLICY = `"public";q=${requests};w=${windowSeconds}`;

let redis: RedisServer;
let fragile: RedisServer;
/**
 * Services on one database: one counts in memory, two share a Redis, one uses a Redis that is killed, one is behind a
 * proxy.
 */
let memory: LocalService;
let first: LocalService;
let second: LocalService;
let insured: LocalService;
let proxied: LocalService;
const started: LocalService[] = [];
let alice: string;
let alice2: string;
let bob: string;

/** Starts a service with the default limit. */
const start = async (settings: Record<string, string> = {}): Promise<LocalService> => {
  const service = await startService({ PUBLIC_RATE_LIMIT: undefined, ...settings });
  started.push(service);
  return service;
};

beforeAll(async () => {
  [redis, fragile, memory] = await Promise.all([startRedis(), startRedis(), start()]);
  const MONGODB_URL = await findDatabaseUrl(memory);
  [first, second] = await Promise.all([
    start({ MONGODB_URL, REDIS_URL: redis.url }),
    start({ MONGODB_URL, REDIS_URL: redis.url }),
  ]);
  [insured, proxied] = await Promise.all([
    start({ MONGODB_URL, REDIS_URL: fragile.url }),
    start({ MONGODB_URL, TRUST_PROXY: '1' }),
  ]);
  await importRows(memory, 'brokers', [brokerRow('alpha-markets')]);
  alice = await createToken(memory, 'alice');
  [alice2, bob] = await Promise.all([createToken(memory, 'alice'), createToken(memory, 'bob', { kyc: 'none' })]);
});
afterAll(async () => {
  for (const service of started.reverse()) await service.remove();
  await Promise.all([redis?.stop(), fragile?.stop()]);
});

/** A loopback address that no other test uses, in its own /24 network: open connections are also counted by network. */
let hosts = 0;
const newAddress = () => `127.${7 + Math.floor(++hosts / 250)}.${hosts % 250}.1`;

const ask = (service: LocalService, asked: SendOptions, path = '/news') => send(`${service.baseUrl}${path}`, asked);
const many = (count: number, service: LocalService, asked: SendOptions): Promise<HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, () => ask(service, asked)));
const passed = (answers: readonly HttpResponse[]) => answers.filter(({ status }) => status === 200);
const left = ({ headers }: HttpResponse) => Number(/^"public";r=(\d+);t=\d+$/.exec(headers['ratelimit'] ?? '')?.[1]);

const SERVICES = { 'in memory': () => memory, 'on Redis': () => first, 'behind a proxy': () => proxied };

describe.each(Object.entries(SERVICES))('%s', (_, service) => {
  test('lets exactly 60 of 100 simultaneous requests pass, and says so in the headers of every answer', async () => {
    const answers = await many(100, service(), { from: newAddress() });
    expect(passed(answers)).toHaveLength(requests);
    const counts = passed(answers)
      .map(left)
      .sort((a, b) => a - b);
    expect(counts).toEqual(Array.from({ length: requests }, (_, n) => n));
    for (const answer of answers) {
      expect(answer.headers['ratelimit-policy']).toBe(POLICY);
      const seconds = Number(/^"public";r=\d+;t=(\d+)$/.exec(answer.headers['ratelimit'] ?? '')?.[1]);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(windowSeconds);
      if (answer.status === 200) expect(answer.headers).not.toHaveProperty('retry-after');
      else {
        expect(expectProblem(answer).code).toBe('rate_limited');
        expect(answer.headers['retry-after']).toBe(String(seconds));
        expect(left(answer)).toBe(0);
      }
    }
  });

  test('gives another address on the same machine a budget of its own', async () => {
    const [one, other] = [newAddress(), newAddress()];
    await many(requests, service(), { from: one });
    expect((await ask(service(), { from: one })).status).toBe(429);
    expect(left(await ask(service(), { from: other }))).toBe(requests - 1);
  });

  test('gives an account one budget for all its tokens and addresses; the address keeps its own budget', async () => {
    const from = newAddress();
    const before = left(await ask(service(), { from, token: alice }));
    expect(left(await ask(service(), { from: newAddress(), token: alice2 }))).toBe(before - 1);
    expect(left(await ask(service(), { from }))).toBe(requests - 1);
    expect(left(await ask(service(), { from, token: 'wrong' }))).toBe(requests - 2);
  });
});

describe('the rate limit', () => {
  test.each(routes)('counts $method $path once', async (route) => {
    const from = newAddress();
    const { path, ...asked } = createSampleRequest(route);
    expect(left(await ask(memory, { ...asked, from }, path))).toBe(requests - 1);
    expect(left(await ask(memory, { ...asked, from }, path))).toBe(requests - 2);
  });

  test('counts 304, HEAD, errors and unknown paths, not OPTIONS or health; pages have their own budget', async () => {
    const from = newAddress();
    const { headers } = await ask(memory, { from });
    const counted: [number, SendOptions, string][] = [
      [304, { headers: { 'If-None-Match': headers['etag'] } }, '/news'],
      [200, { method: 'HEAD' }, '/news'],
      [400, {}, '/news?limit=0'],
      [401, { body: {} }, '/complaints'],
      [404, {}, '/brokers/nobody'],
      [404, {}, '/nothing'],
      [405, { method: 'DELETE' }, '/news'],
      [406, { headers: { Accept: 'text/html' } }, '/news'],
    ];
    for (const [n, [status, asked, path]] of counted.entries()) {
      const answer = await ask(memory, { ...asked, from }, path);
      expect([answer.status, left(answer)], path).toEqual([status, requests - 2 - n]);
    }
    const preflight = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };
    for (const path of ['/news', '/nothing']) {
      await ask(memory, { method: 'OPTIONS', from }, path);
      await ask(memory, { method: 'OPTIONS', from, headers: preflight }, path);
    }
    for (const path of ['/healthz', '/readyz']) await send(memory.origin + path, { from });
    const pages = ['/', '/docs', '/openapi.json', '/problems', '/problems/rate_limited', '/docs'];
    for (const path of pages) await send(memory.origin + path, { from: newAddress() });
    for (const [n, path] of pages.entries()) {
      const { headers: told } = await send(memory.origin + path, { from });
      expect(told['ratelimit-policy'], path).toBe(`"pages";q=${5 * requests};w=${windowSeconds}`);
      expect(told['ratelimit'], path).toMatch(new RegExp(`^"pages";r=${5 * requests - 1 - n};t=`));
    }
    const outside: [number, SendOptions, string][] = [
      [404, {}, '/nothing'],
      [404, {}, '/api/v2/brokers'],
      [404, { method: 'DELETE' }, '/docs'],
      [404, {}, '/problems/nothing'],
      [404, {}, '/assets/none.js'],
      [404, { method: 'POST' }, '/healthz'],
    ];
    for (const [n, [status, asked, path]] of outside.entries()) {
      const answer = await send(memory.origin + path, { ...asked, from });
      expect([answer.status, left(answer)], path).toEqual([status, requests - 2 - counted.length - n]);
    }
    expect(left(await ask(memory, { from }))).toBe(requests - 2 - counted.length - outside.length);
    expect((await send(`${memory.origin}/nothing`, { from, method: 'OPTIONS' })).headers).not.toHaveProperty(
      'ratelimit',
    );
  });

  test('refuses pages beyond their own budget, and leaves the public budget alone', async () => {
    const from = newAddress();
    const page = () => send(`${memory.origin}/problems/not_found`, { from });
    let served = 0;
    let refused = await page();
    for (; refused.status === 200; refused = await page()) served++;
    expect(served).toBe(5 * requests);
    expect([refused.status, expectProblem(refused).code]).toEqual([429, 'rate_limited']);
    expect(refused.headers['ratelimit']).toMatch(/^"pages";r=0;t=\d+$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(left(await ask(memory, { from }))).toBe(requests - 1);
  });

  test('refuses requests before any work is done; preflights and health still answer', async () => {
    const from = newAddress();
    await many(requests, memory, { from });
    for (const route of routes) {
      const { path, ...asked } = createSampleRequest(route);
      expect((await ask(memory, { ...asked, from, token: 'wrong' }, path)).status).toBe(429);
    }
    expect((await ask(memory, { from, method: 'OPTIONS' })).status).toBe(204);
    expect((await send(`${memory.origin}/healthz`, { from })).status).toBe(200);
    expect((await ask(memory, { from, token: bob })).status).toBe(200);
  });

  test('refused requests do not lengthen the wait', async () => {
    const from = newAddress();
    const reset = ({ headers }: HttpResponse) => Number(/t=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
    const answers = await many(requests + 40, memory, { from });
    expect(reset(await ask(memory, { from }))).toBeLessThanOrEqual(Math.min(...answers.map(reset)));
  });
});

describe('X-Forwarded-For', () => {
  const via = (service: LocalService, from: string, forwarded: string) =>
    ask(service, {
      from,
      headers: { 'X-Forwarded-For': forwarded, 'X-Real-IP': forwarded, Forwarded: `for=${forwarded}` },
    });

  test('X-Forwarded-For changes nothing by default', async () => {
    const from = newAddress();
    for (const n of [1, 2, 3, 4]) expect(left(await via(memory, from, `203.0.113.${n}`))).toBe(requests - n);
  });

  test('a service behind one proxy counts by the last address, whatever the caller put before it', async () => {
    const from = newAddress();
    const client = '198.51.100.7';
    for (const [n, forwarded] of [client, `203.0.113.1, ${client}`, `203.0.113.2,203.0.113.3, ${client}`].entries())
      expect(left(await via(proxied, from, forwarded))).toBe(requests - 1 - n);
    expect(left(await via(proxied, from, `${client}, 198.51.100.8`))).toBe(requests - 1);
  });

  test('a service behind a proxy serves metrics only by a token or a separate port, even to this machine', async () => {
    const answer = await send(`${proxied.origin}/metrics`);
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('INTERNAL_PORT')]);
  });

  test('an address in X-Forwarded-For may have a port or brackets', async () => {
    const from = newAddress();
    for (const [n, forwarded] of ['203.0.113.77', '203.0.113.77:8080'].entries())
      expect(left(await via(proxied, from, forwarded))).toBe(requests - 1 - n);
    for (const [n, forwarded] of ['2001:db8:7::1', '[2001:db8:7::1]', '[2001:db8:7::1]:443'].entries())
      expect(left(await via(proxied, from, forwarded))).toBe(requests - 1 - n);
  });

  test('counts an IPv6 caller by its /64 network, and both forms of an IPv4 address as one', async () => {
    const from = newAddress();
    expect(left(await via(proxied, from, '2001:db8:1:2::1'))).toBe(requests - 1);
    expect(left(await via(proxied, from, '2001:db8:1:2:ffff::9'))).toBe(requests - 2);
    expect(left(await via(proxied, from, '2001:db8:1:3::1'))).toBe(requests - 1);
    expect(left(await via(proxied, from, '198.51.100.99'))).toBe(requests - 1);
    expect(left(await via(proxied, from, '::ffff:198.51.100.99'))).toBe(requests - 2);
  });
});

describe.each([
  ['in memory', () => ({})],
  ['on Redis', () => ({ REDIS_URL: redis.url })],
])('a network, counted %s,', (_, settings) => {
  test('a network has sixteen times the budget of an address', async () => {
    const service = await start({
      ...settings(),
      PUBLIC_RATE_LIMIT: '2',
      TRUST_PROXY: '1',
      MONGODB_URL: await findDatabaseUrl(memory),
    });
    const via = (address: string) => ask(service, { headers: { 'X-Forwarded-For': address } });
    const hosts = Array.from({ length: 20 }, (_, n) => n);
    for (const network of [(n: number) => `198.51.100.${n}`, (n: number) => `2001:db8:9:${n + 1}::1`]) {
      const answers = await Promise.all([...hosts, ...hosts].map((n) => via(network(n))));
      expect(passed(answers)).toHaveLength(32);
      const refused = answers.find(({ status }) => status === 429) as HttpResponse;
      expect(refused.headers['ratelimit-policy']).toBe('"public";q=2;w=60, "public-network";q=32;w=60');
      expect(expectProblem(refused).detail).toContain('of your network');
    }
    expect((await via('198.51.101.1')).status).toBe(200);
    expect((await via('2001:db8:a:1::1')).status).toBe(200);
  });
});

describe('connections', () => {
  /** Opens `count` connections and waits until each has been answered or closed. Returns those that are open. */
  const openMany = async (service: LocalService, from: string, count: number): Promise<Socket[]> => {
    const { hostname, port } = new URL(service.origin);
    const opened = Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: from });
      socket.write('GET /healthz HTTP/1.1\r\nHost: flood\r\n\r\n');
      socket.on('error', () => {}); // the server may close by a reset
      await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
      return socket;
    });
    return (await Promise.all(opened)).filter(({ destroyed, bytesRead }) => !destroyed && bytesRead > 0);
  };

  test('an address gets 256 connections, and more once some are closed; other addresses are served', async () => {
    const from = newAddress();
    const held = await openMany(memory, from, 300);
    expect(held).toHaveLength(256);
    expect((await ask(memory, { from: newAddress() })).status).toBe(200);
    await expect(ask(memory, { from })).rejects.toThrow();
    for (const socket of held) socket.destroy();
    await until('there is room again', 5000, () =>
      ask(memory, { from }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  test('connections of a proxy are not limited, since they belong to all its callers', async () => {
    const held = await openMany(proxied, newAddress(), 300);
    expect(held).toHaveLength(300);
    for (const socket of held) socket.destroy();
  });
});

describe('guessing tokens', () => {
  const guess = (service: LocalService, from: string, token = 'wrong') =>
    ask(service, { from, token, body: {} }, '/complaints');
  const statuses = async (answers: Promise<HttpResponse[]>) => (await answers).map(({ status }) => status).sort();
  const guesses = (count: number, service: LocalService, from: string) =>
    statuses(Promise.all(Array.from({ length: count }, () => guess(service, from))));

  test('guesses at tokens have half the public budget, which the refusal names; good tokens keep working', async () => {
    const from = newAddress();
    expect(await guesses(35, memory, from)).toEqual([...Array(30).fill(401), ...Array(5).fill(429)]);
    const refused = await guess(memory, from);
    expect(expectProblem(refused)).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringContaining('bad tokens'),
    });
    expect(refused.headers['ratelimit-policy']).toBe(`${POLICY}, "bad-tokens";q=30;w=60`);
    expect(refused.headers['ratelimit']).toMatch(/^"public";r=24;t=\d+, "bad-tokens";r=0;t=\d+$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await guess(memory, from, bob)).status).toBe(400); // refused for its body; the token is good
    expect((await guess(memory, newAddress())).status).toBe(401);
  });

  test('a public read with a bad token counts as a guess, although it is served', async () => {
    const from = newAddress();
    expect(await statuses(many(31, memory, { from, token: 'wrong' }))).toEqual(Array(31).fill(200));
    expect((await guess(memory, from)).status).toBe(429);
    expect((await ask(memory, { from, token: 'wrong' })).status).toBe(200);
  });

  test('all processes together count guesses at tokens', async () => {
    const from = newAddress();
    const answers = await Promise.all([guesses(20, first, from), guesses(20, second, from)]);
    expect(answers.flat().sort()).toEqual([...Array(30).fill(401), ...Array(10).fill(429)]);
  });
});

describe('several processes', () => {
  test('several processes share a budget on one Redis', async () => {
    const from = newAddress();
    const answers = await Promise.all([many(50, first, { from }), many(50, second, { from })]);
    expect(passed(answers.flat())).toHaveLength(requests);
    for (const service of [first, second]) expect((await ask(service, { from })).status).toBe(429);
    expect(left(await ask(memory, { from }))).toBe(requests - 1);
  });
});

test('lets each process count by itself at once if Redis is gone, and fails no request', async () => {
  const from = newAddress();
  expect(left(await ask(insured, { from }))).toBe(requests - 1);
  await fragile.kill();
  const start = Date.now();
  const answers = await many(100, insured, { from });
  expect(Date.now() - start).toBeLessThan(3000);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
  expect(passed(answers)).toHaveLength(requests);
  for (const answer of answers) expect(answer.headers['ratelimit-policy']).toBe(POLICY);
});

test('lets each process count by itself if Redis hangs, and delays no request', async () => {
  const from = newAddress();
  expect(left(await ask(second, { from }))).toBe(requests - 1);
  redis.pause();
  try {
    const start = Date.now();
    const answers = await many(10, second, { from });
    expect(Date.now() - start).toBeLessThan(1500);
    expect(passed(answers)).toHaveLength(10);
  } finally {
    redis.resume();
  }
});
