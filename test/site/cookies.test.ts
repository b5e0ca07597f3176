import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../../packages/portal/src/pages.ts';
import { type FilledService, startFilledService } from '../support/filled-service.ts';
import { send, steadyHeaders } from '../support/http.ts';
import { createSampleRequest, routes } from '../support/routes.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { ADDRESSES, FILES, MOVED } from './addresses.ts';

/** Addresses of requests whose cookie was read, in this process, which is that of the service. */
const readAt: string[] = [];
const watch = (message: unknown): void => {
  const { request } = message as { readonly request: IncomingMessage };
  const { headers, url = '' } = request;
  const watched = new Proxy(headers, {
    get: (target, name) => {
      if (name === 'cookie') readAt.push(url);
      return Reflect.get(target, name);
    },
  });
  Object.defineProperty(request, 'headers', { value: watched, writable: true });
};

let service: FilledService;
let person: Browser;
let Cookie: string;
beforeAll(async () => {
  subscribe('http.server.request.start', watch);
  service = await startFilledService();
  person = await signIn(service, 'alice');
  Cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(async () => {
  unsubscribe('http.server.request.start', watch);
  await service?.remove();
});

const PUBLIC = [...PAGES.map(({ path }) => path), ...Object.keys(FILES)].flatMap(
  (path) => ADDRESSES[path] ?? FILES[path]?.[0] ?? (path in MOVED ? [path] : []),
);

/** Counts the answers that were found in the cache. */
const countKept = async (): Promise<number> => {
  const found = [
    ...(await service.metrics()).matchAll(/^broker_rating_prepared_lookups_total\{[^}]*outcome="hit"[^}]*\} (\d+)$/gm),
  ];
  return found.reduce((sum, [, count]) => sum + Number(count), 0);
};

test('a private page reads the cookie of a session: the watch sees that', async () => {
  readAt.length = 0;
  expect((await person.get('/mine')).status).toBe(200);
  expect(readAt).toEqual(['/mine']);
});

test('no public page, no file and no public call reads the cookie of a request', async () => {
  readAt.length = 0;
  const calls = routes.filter(({ metadata }) => metadata.access === 'public').map(createSampleRequest);
  for (const { path } of calls)
    expect([path, (await send(`${service.baseUrl}${path}`, { headers: { Cookie } })).status]).not.toContain(500);
  for (const path of [...PUBLIC, '/no-such-page', '/transparency/v1/service-level', '/llms.txt', '/openapi.json'])
    expect([path, (await send(`${service.origin}${path}`, { headers: { Cookie } })).status]).not.toContain(500);
  expect([PUBLIC.length > PAGES.length, calls.length > 5]).toEqual([true, true]);
  expect(readAt).toEqual([]);
});

test.each(['/', '/brokers/alpha-markets', '/de/brokers/alpha-markets', '/brokers', '/methodology/2026-1', '/news'])(
  '%s is the same kept answer for somebody who is signed in, byte for byte',
  async (path) => {
    await service.settle();
    for (const coding of ['identity', 'br']) {
      const ask = (headers: object) =>
        send(`${service.origin}${path}`, { headers: { Accept: 'text/html', 'Accept-Encoding': coding, ...headers } });
      await ask({}); // from here on it is kept
      const before = await countKept();
      const [first, signedIn, again] = [await ask({}), await ask({ Cookie }), await ask({})];
      expect((await countKept()) - before).toBe(3);
      expect(first.status).toBe(200);
      for (const other of [signedIn, again]) {
        expect(other.bytes.equals(first.bytes)).toBe(true);
        expect(steadyHeaders(other)).toEqual(steadyHeaders(first));
      }
      expect(signedIn.headers).not.toHaveProperty('set-cookie');
      expect(signedIn.headers['vary']).toBe('Accept-Encoding');
      const kept = await ask({ Cookie, 'If-None-Match': first.headers['etag'] });
      expect([kept.status, kept.bytes.length]).toEqual([304, 0]);
    }
  },
);
