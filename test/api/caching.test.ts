import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { CACHES } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows } from '../support/filled-service.ts';
import { send, steadyHeaders } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { createSampleRequest, goodStatus, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade')]);
  await importRows(
    service,
    'news',
    [1, 2, 3, 4, 5].map((n) => newsRow(n)),
  );
});
afterAll(() => service?.remove());

const reads = routes.filter(({ method }) => method === 'GET');

describe.each(reads)('GET $path', (route) => {
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    send(`${service.baseUrl}${createSampleRequest(route).path}`, { method, headers });
  const large = ['/brokers', '/brokers/:slug', '/regulators', '/news', '/search', '/regulators/:code'].includes(
    route.path,
  );

  test('sends the cache headers that the metadata of the route says, and varies by coding', async () => {
    const { status, headers } = await ask();
    expect(status).toBe(goodStatus(route));
    const cache = CACHES[route.metadata.cache];
    expect(headers['cache-control']).toBe(cache ? `public, max-age=${cache.maxAgeSeconds}` : 'no-store');
    expect(headers['vary']?.toLowerCase().split(/, */)).toContain('accept-encoding');
    expect(headers['content-type']).toMatch(/^application\/json(; charset=utf-8)?$/);
  });

  test('sends a strong tag per coding, and each coding decodes to the same bytes', async () => {
    const plain = await ask();
    const gzip = await ask({ 'Accept-Encoding': 'gzip' });
    const br = await ask({ 'Accept-Encoding': 'br, gzip;q=0.5' });
    const tags = [plain, gzip, br].map(({ headers }) => headers['etag']);
    for (const tag of tags) expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/);
    expect(Number(plain.headers['content-length'])).toBe(plain.bytes.length);
    if (!large) return;
    expect([gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br']);
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    expect(new Set(tags).size).toBe(3);
    expect(br.bytes.length).toBeLessThan(plain.bytes.length);
  });

  test('answers 304 without a body if the caller has the current tag', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const whole = await ask({ 'Accept-Encoding': coding });
      const tag = String(whole.headers['etag']);
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, `"x",W/"y" ,W/${tag}`, '*']) {
        const answer = await ask({ 'Accept-Encoding': coding, 'If-None-Match': known });
        expect([answer.status, answer.bytes.length], known).toEqual([304, 0]);
        for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin'])
          expect(answer.headers[name]).toBe(whole.headers[name]);
        expect(answer.headers).not.toHaveProperty('content-encoding');
      }
      for (const other of ['"x"', tag.replaceAll('"', ''), `${tag.slice(0, -1)}x"`, ''])
        expect((await ask({ 'Accept-Encoding': coding, 'If-None-Match': other })).status, other).toBe(200);
    }
  });

  test('answers 200 to the tag of another coding', async () => {
    if (!large) return;
    const { headers } = await ask({ 'Accept-Encoding': 'gzip' });
    expect((await ask({ 'If-None-Match': String(headers['etag']) })).status).toBe(200);
  });

  test('answers HEAD with the same headers and no body', async () => {
    for (const coding of ['identity', 'gzip', 'br']) {
      const [got, head] = [await ask({ 'Accept-Encoding': coding }), await ask({ 'Accept-Encoding': coding }, 'HEAD')];
      expect(head.bytes.length).toBe(0);
      expect(head.status).toBe(got.status);
      expect(steadyHeaders(head)).toEqual(steadyHeaders(got));
    }
    expect((await ask({ 'If-None-Match': '*' }, 'HEAD')).status).toBe(304);
  });

  test.each(['identity;q=0', 'deflate', 'gzip;q=0', '*;q=0', 'nonsense'])(
    'sends the bytes unencoded for Accept-Encoding: %s',
    async (coding) => {
      const plain = await ask();
      const answer = await ask({ 'Accept-Encoding': coding });
      expect(answer.headers).not.toHaveProperty('content-encoding');
      expect(answer.bytes).toEqual(plain.bytes);
    },
  );

  test('answers 406 if the caller does not accept JSON', async () => {
    for (const Accept of ['text/html', 'application/xml', 'application/json;q=0', 'image/*'])
      expect(expectProblem(await ask({ Accept })).code).toBe('not_acceptable');
    for (const Accept of ['application/json', 'application/*', '*/*', 'text/html, */*;q=0.1'])
      expect((await ask({ Accept })).status).toBe(200);
  });
});
