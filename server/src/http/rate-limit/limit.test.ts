import type { IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLimitCounts } from '../../platform/observe/limiter.ts';
import { createMetrics } from '../../platform/observe/metrics.ts';
import { ProblemError } from '../problem/problem.ts';
import { addressKey, createLimit, enforceLimit, type Limit, NETWORK_TIMES, networkKey } from './limit.ts';

const limitCounts = createLimitCounts(createMetrics());

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T12:00:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** One request: the headers it got, and whether it passed. */
const ask = async (limit: Limit, key: string) => {
  const headers: Record<string, string> = {};
  const req = { context: { headers } } as IncomingMessage;
  const problem = await enforceLimit(limit, key, req).then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      return error;
    },
  );
  return { headers, problem };
};

describe('the key of an address', () => {
  test.each([
    ['127.0.0.1', 'ip:127.0.0.1'],
    ['203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['::FFFF:203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:cb00:7109', 'ip:203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', 'ip:2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', 'ip:2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', 'ip:2001:db8:1:3::/64'],
    ['2001:db8::1', 'ip:2001:db8:0:0::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
    ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
    [undefined, 'ip:unknown'],
    ['', 'ip:unknown'],
    ['garbage', 'ip:unknown'],
    ['203.0.113.9, 10.0.0.1', 'ip:unknown'],
    ['203.0.113.9:4711', 'ip:unknown'],
    ['[2001:db8::1]', 'ip:unknown'],
    ['300.0.0.1', 'ip:unknown'],
    ['x'.repeat(10_000), 'ip:unknown'],
  ])('%s is %s', (ip, key) => {
    expect(addressKey({ ip })).toBe(key);
  });
});

describe('the key of a network', () => {
  test.each([
    ['203.0.113.9', 'ip:203.0.113.0/24'],
    ['203.0.113.255', 'ip:203.0.113.0/24'],
    ['203.0.114.9', 'ip:203.0.114.0/24'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1::/48'],
    ['2001:db8:1:ffff::1', 'ip:2001:db8:1::/48'],
    ['2001:db8:2:2::1', 'ip:2001:db8:2::/48'],
    ['2001:db8::1', 'ip:2001:db8:0::/48'],
    ['::1', 'ip:0:0:0::/48'],
    ['garbage', undefined],
  ])('the key of the network of %s is %s', (ip, key) => {
    expect(networkKey(addressKey({ ip }))).toBe(key);
  });

  test.each(['account:a.b', 'organisation:203.0.113.9'])('%s is in no network', (key) => {
    expect(networkKey(key)).toBeUndefined();
  });
});

describe('the budget of a network', () => {
  const address = (n: number) => `ip:203.0.113.${n}`;

  test('a network has sixteen times the budget of an address, whoever of it asks; others have their own', async () => {
    const limit = createLimit(limitCounts, 2);
    const passed = [];
    for (let n = 0; n < 20; n++)
      for (let time = 0; time < 2; time++) passed.push((await ask(limit, address(n))).problem === undefined);
    expect(passed.filter(Boolean)).toHaveLength(2 * NETWORK_TIMES);
    expect(passed.lastIndexOf(true)).toBe(2 * NETWORK_TIMES - 1);
    expect((await ask(limit, 'ip:203.0.114.1')).problem).toBeUndefined();
    expect((await ask(limit, 'account:a')).problem).toBeUndefined();
    vi.advanceTimersByTime(60_000);
    expect((await ask(limit, address(99))).problem).toBeUndefined();
  });

  test('one address that goes on beyond its own budget does not use up that of its network', async () => {
    const limit = createLimit(limitCounts, 2);
    for (let n = 0; n < 100; n++) await ask(limit, address(1));
    expect((await ask(limit, address(2))).problem).toBeUndefined();
  });

  test('a refusal names the budget of the network, beside that of the address', async () => {
    const limit = createLimit(limitCounts, 1);
    for (let n = 0; n < NETWORK_TIMES; n++) await ask(limit, address(n));
    vi.advanceTimersByTime(10_000);
    const { headers, problem } = await ask(limit, address(200));
    expect(headers).toEqual({
      'RateLimit-Policy': '"public";q=1;w=60, "public-network";q=16;w=60',
      RateLimit: '"public";r=0;t=60, "public-network";r=0;t=50',
      'Retry-After': '50',
    });
    expect(problem?.message).toBe('The budget of 16 requests per minute for all addresses of your network is used up.');
  });
});

describe('the budget', () => {
  test.each([1, 5, 60])('a budget of %i lets exactly that many requests pass, of 40 more at once', async (requests) => {
    const limit = createLimit(limitCounts, requests);
    const answers = await Promise.all(Array.from({ length: requests + 40 }, () => ask(limit, 'ip:a')));
    expect(answers.filter(({ problem }) => problem === undefined)).toHaveLength(requests);
    expect(answers.slice(requests).every(({ problem }) => problem?.code === 'rate_limited')).toBe(true);
  });

  test('each key has its own budget', async () => {
    const limit = createLimit(limitCounts, 1);
    const keys = ['ip:a', 'ip:b', 'account:a', 'ip:a'];
    const passed = [];
    for (const key of keys) passed.push((await ask(limit, key)).problem === undefined);
    expect(passed).toEqual([true, true, true, false]);
  });

  test('the budget is full again a minute after its first request, not before', async () => {
    const limit = createLimit(limitCounts, 1);
    await ask(limit, 'ip:a');
    vi.advanceTimersByTime(59_999);
    expect((await ask(limit, 'ip:a')).problem?.code).toBe('rate_limited');
    vi.advanceTimersByTime(1);
    expect((await ask(limit, 'ip:a')).problem).toBeUndefined();
  });

  test('refused requests do not prolong the window of the budget', async () => {
    const limit = createLimit(limitCounts, 1);
    for (let second = 0; second < 60; second++) {
      await ask(limit, 'ip:a');
      vi.advanceTimersByTime(1000);
    }
    expect((await ask(limit, 'ip:a')).problem).toBeUndefined();
  });
});

describe('the headers', () => {
  test('the headers tell what is left, and for how long', async () => {
    const limit = createLimit(limitCounts, 3);
    const seen = [];
    for (let n = 0; n < 5; n++) {
      seen.push((await ask(limit, 'ip:a')).headers);
      vi.advanceTimersByTime(1500);
    }
    expect(seen.map((headers) => headers['RateLimit'])).toEqual([
      '"public";r=2;t=60',
      '"public";r=1;t=59',
      '"public";r=0;t=57',
      '"public";r=0;t=56',
      '"public";r=0;t=54',
    ]);
    for (const headers of seen) expect(headers['RateLimit-Policy']).toBe('"public";q=3;w=60');
  });

  test('the headers of a refusal say when to come again, in whole seconds of at least one', async () => {
    const limit = createLimit(limitCounts, 1);
    await ask(limit, 'ip:a');
    vi.advanceTimersByTime(100);
    const { problem, headers } = await ask(limit, 'ip:a');
    expect([problem?.status, headers['Retry-After']]).toEqual([429, '60']);
    expect(problem?.message).toBe('The budget of 1 requests per minute is used up.');
    vi.advanceTimersByTime(59_899);
    const late = await ask(limit, 'ip:a');
    expect(late.headers).toMatchObject({ 'Retry-After': '1', RateLimit: '"public";r=0;t=1' });
  });
});

test('any text in place of an address gives one key, and both forms of an IPv4 address give the same key', () => {
  const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(text, fc.ipV4(), (any, address) => {
      expect(addressKey({ ip: any })).toMatch(/^ip:(unknown|[\d.]+|[\da-f:]+::\/64)$/);
      expect(addressKey({ ip: `::ffff:${address}` })).toBe(addressKey({ ip: address }));
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test('addresses of one /64 network have one key, those of two have two', () => {
  const part = fc.integer({ min: 1, max: 0xffff }).map((value) => value.toString(16)); // of 0 some mean IPv4
  const half = fc.tuple(part, part, part, part).map((parts) => parts.join(':'));
  fc.assert(
    fc.property(half, half, half, half, (network, other, one, two) => {
      const key = (net: string, host: string) => addressKey({ ip: `${net}:${host}` });
      expect(key(network, one)).toBe(key(network, two));
      expect(key(network, one) === key(other, one)).toBe(network === other);
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
