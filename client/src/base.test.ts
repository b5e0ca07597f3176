import { describe, expect, test, vi } from 'vitest';
import { serve } from '../scripts/test-server.ts';
import { resolveBase } from './base.ts';
import { enterprise } from './enterprise.ts';
import { createClient } from './index.ts';
import { record } from './record.ts';
import { downloadMonth } from './verify/node.ts';

describe('resolveBase', () => {
  test.each([
    ['https://brokers.example', 'https://brokers.example'],
    ['https://brokers.example/', 'https://brokers.example'],
    ['HTTPS://Brokers.example:443/api/v1', 'https://brokers.example'],
    ['https://brokers.example/api/v1/', 'https://brokers.example'],
    ['http://127.0.0.1:3000/prefix', 'http://127.0.0.1:3000/prefix'],
    ['http://127.0.0.1:3000/prefix/', 'http://127.0.0.1:3000/prefix'],
    ['http://127.0.0.1:3000/a/b/api/v1', 'http://127.0.0.1:3000/a/b'],
  ])('returns of %s the address of the service: %s', (baseUrl, base) => {
    expect(resolveBase(baseUrl)).toBe(base);
  });

  test.each([
    ['/', 'https://page.example'],
    ['/api/v1', 'https://page.example'],
    ['/prefix/api/v1/', 'https://page.example/prefix'],
    ['//brokers.example/api/v1', 'https://brokers.example'],
  ])('resolves the path %s in a page', (baseUrl, base) => {
    vi.stubGlobal('location', new URL('https://page.example/account/settings?x=1'));
    expect(resolveBase(baseUrl)).toBe(base);
    vi.unstubAllGlobals();
    expect(() => resolveBase(baseUrl)).toThrow(/^baseUrl must be/);
  });

  test.each([
    '',
    'brokers.example/api/v1',
    'api/v1',
    'ftp://brokers.example/api/v1',
    'https://brokers.example/api/v2',
    'https://brokers.example/api/v1/brokers',
    'https://brokers.example/transparency/v1',
    'https://brokers.example/enterprise/v1/',
    'https://brokers.example/api/v1?x=1',
    'https://brokers.example/api/v1#x',
    'https://user:s3cret@brokers.example/api/v1',
    'javascript:alert(1)',
    undefined,
    null,
    7,
  ])('refuses %j, with and without a page, and does not quote it', (baseUrl) => {
    for (const page of [undefined, new URL('https://page.example/')]) {
      vi.stubGlobal('location', page);
      const resolve = () => resolveBase(baseUrl as string);
      expect(resolve).toThrow(TypeError);
      expect(resolve).toThrow(/^baseUrl must be/);
      expect(resolve).not.toThrow(/s3cret/);
    }
    vi.unstubAllGlobals();
  });
});

test.each(['', '/', '/api/v1', '/api/v1/', '/prefix', '/prefix/', '/prefix/api/v1'])(
  'every client reaches the same service from an address that ends in "%s"',
  async (ending) => {
    const { baseUrl, requests } = await serve((response) => response.writeHead(404).end());
    const base = baseUrl.replace('/api/v1', ending);
    const ignore = () => undefined;
    const client = createClient({ baseUrl: base, with: [record(), enterprise({ key: 'k' })] });
    await client.regulators.list().catch(ignore);
    await client.record.brokers.at('alpha').catch(ignore);
    await client.enterprise.account.get().catch(ignore);
    await client.enterprise.files.readLogFile('a', 'checkpoint');
    for await (const _ of downloadMonth({ baseUrl: base, month: '2026-01' })) break;
    const prefix = ending.startsWith('/prefix') ? '/prefix' : '';
    expect(requests.map(({ url }) => url)).toEqual([
      `${prefix}/api/v1/regulators`,
      `${prefix}/transparency/v1/brokers/alpha/at`,
      `${prefix}/enterprise/v1/account`,
      `${prefix}/transparency/v1/log/a/checkpoint`,
      `${prefix}/transparency/v1/service-level/days/2025-12-31`,
    ]);
  },
);
