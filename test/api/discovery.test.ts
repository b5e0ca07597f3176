import { ACCOUNT_BASE_PATH, BASE_PATH, TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { ENTERPRISE_BASE_PATH } from '@broker-transparency/contract/enterprise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { type LocalService, startService } from '../support/service.ts';

interface EntryPoint {
  readonly name: string;
  readonly url: string;
  readonly documents: Readonly<Record<string, string>>;
  readonly calls: readonly { readonly method: string; readonly url: string; readonly summary: string }[];
}

interface Linkset {
  readonly linkset: readonly ({ readonly anchor: string } & Readonly<
    Record<string, readonly { readonly href: string; readonly type?: string }[]>
  >)[];
}

const APIS = {
  api: [BASE_PATH, '/openapi.json'],
  record: [TRANSPARENCY_BASE_PATH, '/openapi-record.json'],
  account: [ACCOUNT_BASE_PATH, '/openapi-account.json'],
  enterprise: [ENTERPRISE_BASE_PATH, '/openapi-enterprise.json'],
} as const;
const CATALOG = '/.well-known/api-catalog';

let service: LocalService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.remove());

const get = (path: string) => send(`${service.origin}${path}`);
const parseLinks = (header: string | undefined): Map<string, string> =>
  new Map(
    [...String(header).matchAll(/<([^>]+)>; rel="([^"]+)"/g)].map(([, href, rel]) => [String(rel), String(href)]),
  );

describe.each(Object.entries(APIS))('the base address of the part %s', (name, [basePath, openapi]) => {
  test('names the API, its documents and each of its calls, with and without a slash at its end', async () => {
    const [plain, slashed] = [await get(basePath), await get(`${basePath}/`)];
    expect([plain.status, plain.headers['content-type']]).toEqual([200, 'application/json']);
    expect(slashed.text).toBe(plain.text);
    const { url, calls, documents } = plain.json<EntryPoint>();
    const document = (await get(openapi)).json<{ paths: Record<string, Record<string, unknown>> }>();
    expect(url).toBe(service.origin + basePath);
    expect(calls.map((call) => `${call.method} ${call.url.split('{?')[0]}`)).toEqual(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${service.origin}${basePath}${path}`),
      ),
    );
    expect(documents).toMatchObject({ openapi: service.origin + openapi });
    for (const link of Object.values(documents)) expect([link, (await send(link)).status]).toEqual([link, 200]);
  });

  test('leads by Link to its document, its reference and the status of the service', async () => {
    const links = parseLinks((await get(basePath)).headers['link']);
    expect(Object.fromEntries(links)).toMatchObject({
      'service-desc': service.origin + openapi,
      'service-doc': `${service.origin}/docs/reference/${name}`,
      'api-catalog': service.origin + CATALOG,
    });
    for (const rel of ['service-desc', 'service-doc', 'status', 'api-catalog'])
      expect([rel, (await send(String(links.get(rel)))).status]).toEqual([rel, 200]);
  });

  test('caches keep the base address, it is compressed and counted as a page, and refuses other methods', async () => {
    const { headers } = await get(basePath);
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=30', 'access-control-allow-origin': '*' });
    expect(headers['ratelimit-policy']).toMatch(/^"pages";/);
    const small = await send(service.origin + basePath, { headers: { 'Accept-Encoding': 'br' } });
    expect(small.headers['content-encoding']).toBe('br');
    const known = { 'If-None-Match': String(headers['etag']) };
    expect((await send(service.origin + basePath, { headers: known })).status).toBe(304);
    for (const method of ['POST', 'DELETE']) {
      const refused = await send(service.origin + basePath, { method });
      expect([expectProblem(refused).code, refused.headers['allow']]).toEqual(['method_not_allowed', 'GET, HEAD']);
    }
  });
});

test('the short address /api answers as the public API does', async () => {
  const { text } = await get(BASE_PATH);
  for (const path of ['/api', '/api/']) expect((await get(path)).text).toBe(text);
});

test('calls of the public API are templates (RFC 6570) that name each parameter', async () => {
  const { calls } = (await get(BASE_PATH)).json<EntryPoint>();
  expect(calls).toContainEqual({
    method: 'GET',
    url: `${service.baseUrl}/search{?q}`,
    summary: 'The 20 brokers that match best',
  });
  expect(calls).toContainEqual(expect.objectContaining({ method: 'GET', url: `${service.baseUrl}/brokers/{slug}` }));
});

test('the catalogue of RFC 9727 lists each API that is served, and where it is described', async () => {
  const answer = await get(CATALOG);
  expect([answer.status, answer.headers['content-type']]).toEqual([
    200,
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ]);
  const [catalog, ...apis] = answer.json<Linkset>().linkset;
  const bases = Object.values(APIS).map(([basePath]) => service.origin + basePath);
  expect(catalog).toEqual({ anchor: service.origin + CATALOG, item: bases.map((href) => ({ href })) });
  expect(apis.map(({ anchor }) => anchor)).toEqual(bases);
  for (const { anchor, ...relations } of apis)
    for (const { href, type } of Object.values(relations).flat()) {
      const found = await send(href);
      expect([href, found.status, found.headers['content-type']?.split(';')[0]]).toEqual([href, 200, type]);
    }
  const head = await send(service.origin + CATALOG, { method: 'HEAD' });
  expect(parseLinks(head.headers['link']).get('api-catalog')).toBe(service.origin + CATALOG);
});
