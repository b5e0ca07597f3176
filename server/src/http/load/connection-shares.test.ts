import { expect, test } from 'vitest';
import { computeShares, createProxyCheck } from './connection-shares.ts';

const settings = { maxConnections: 4000, publicRateLimit: 60, trustProxy: 0 };

test.each([
  ['by default', {}, [256, 1000]],
  ['with more requests a minute than that', { publicRateLimit: 600 }, [600, 1000]],
  ['with more than a site would have', { publicRateLimit: 1200 }, [1200, 1200]],
  ['with few connections', { maxConnections: 20 }, [256, 256]],
])('%s a caller and a site may have so many connections', (_, more, expected) => {
  expect(computeShares({ ...settings, ...more }).map(({ connections }) => connections)).toEqual(expected);
});

test.each<[number | string[], string, boolean]>([
  [0, '10.0.0.1', false],
  [1, '10.0.0.1', true],
  [['10.0.0.0/8'], '10.0.0.1', true],
  [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
  [['10.0.0.0/8', 'loopback'], '127.0.0.1', true],
  [['10.0.0.0/8'], '192.0.2.1', false],
])('TRUST_PROXY=%s takes %s for a proxy: %s', (trustProxy, address, expected) => {
  expect(createProxyCheck({ ...settings, trustProxy })(address)).toBe(expected);
});
