import { createClient } from '@broker-transparency/client';
import { BASE_PATH, PROBLEM_CODES } from '@broker-transparency/contract';
import { accountOpenApiDocument, openApiDocument, recordOpenApiDocument } from '@broker-transparency/contract/openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import server from '../../server/package.json' with { type: 'json' };
import { importRows } from '../support/filled-service.ts';
import { send, steadyHeaders } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { createSampleRequest, routes } from '../support/routes.ts';
import { type LocalService, startService } from '../support/service.ts';

/** Each page has its window to itself, and no device of its reader. */
const ALONE = ['same-origin', expect.stringMatching(/^camera=\(\), .*geolocation=\(\)/)];

let service: LocalService;

beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [brokerRow('alpha-markets'), brokerRow('beta-trade')]);
});
afterAll(() => service?.remove());

const url = (path: string) => `${service.baseUrl}${path}`;

describe.each(routes)('$method $path', (route) => {
  const path = createSampleRequest(route).path.split('?', 1)[0] as string;
  const allowed = routes
    .filter((other) => other.path === route.path)
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

  test.each(
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter(
      (method) => !allowed.includes(method),
    ),
  )('refuses %s', async (method) => {
    const answer = await send(url(path), { method });
    expect(answer.status).toBe(405);
    expect(answer.headers['allow']?.split(', ').sort()).toEqual([...allowed, 'OPTIONS'].sort());
    if (method !== 'HEAD')
      expect(expectProblem(answer)).toMatchObject({ code: 'method_not_allowed', instance: BASE_PATH + path });
  });

  test('answers 404 to a trailing slash, a doubled slash and another case', async () => {
    const { method, body } = createSampleRequest(route);
    for (const other of [`${path}/`, `/${path}`, path.replace(/[a-z]/, (letter) => letter.toUpperCase())])
      expect(expectProblem(await send(url(other), { method, body })).code, other).toBe('not_found');
  });

  test('allows CORS from any origin: a preflight says what may be sent, answers expose their headers', async () => {
    const { method } = route;
    const origin = { Origin: 'https://app.example' };
    const preflight = await send(url(path), {
      method: 'OPTIONS',
      headers: {
        ...origin,
        'Access-Control-Request-Method': method,
        'Access-Control-Request-Headers': 'authorization',
      },
    });
    expect([preflight.status, preflight.bytes.length]).toEqual([204, 0]);
    const names = (header: string | undefined) => header?.toLowerCase().split(/, */) ?? [];
    expect(names(preflight.headers['access-control-allow-methods'])).toEqual(expect.arrayContaining(['get', 'post']));
    expect(names(preflight.headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining(['authorization', 'content-type', 'if-none-match', 'idempotency-key']),
    );
    const simple = await send(url(createSampleRequest(route).path), { method, headers: origin });
    for (const { headers } of [preflight, simple]) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      expect(headers).not.toHaveProperty('set-cookie');
    }
    expect(names(simple.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining([
        'etag',
        'link',
        'ratelimit',
        'ratelimit-policy',
        'retry-after',
        'x-request-id',
        'idempotent-replayed',
        'www-authenticate',
      ]),
    );
  });

  test('a preflight allows every header that the client can send', async () => {
    const sent = new Set<string>();
    const client = createClient({
      baseUrl: service.baseUrl,
      clientVersion: true,
      token: 'btr_token',
      retries: 0,
      hooks: {
        request: ({ headers }) => {
          Object.assign(headers, { traceparent: '00', tracestate: 'a=b', baggage: 'a=b', 'if-none-match': '"a"' });
        },
      },
      fetch: async (_, init) => {
        for (const name of Object.keys(init.headers ?? {})) sent.add(name.toLowerCase());
        return Response.json({ code: 'not_found' }, { status: 404 });
      },
    });
    await client.safe.reviews.create({ broker: 'alpha-markets', rating: 4, language: 'en', title: 't', content: 'c' });
    const { headers } = await send(url(path), {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': route.method },
    });
    const allowed = headers['access-control-allow-headers']?.toLowerCase().split(/, */);
    sent.delete('accept'); // browsers send it without asking
    expect(sent.size).toBe(8);
    expect(allowed).toEqual(expect.arrayContaining([...sent]));
  });

  test('answers OPTIONS with the allowed methods', async () => {
    const { status, headers } = await send(url(path), { method: 'OPTIONS' });
    expect(status).toBe(204);
    expect(headers['allow']?.split(', ').sort()).toEqual([...allowed, 'OPTIONS'].sort());
    expect(headers).not.toHaveProperty('ratelimit');
  });
});

describe('X-Request-Id', () => {
  test.each(['abcdefgh', 'a.B-9_'.repeat(8), 'x'.repeat(64)])('keeps %s', async (id) => {
    for (const path of ['/brokers/nobody', '/news'])
      expect((await send(url(path), { headers: { 'X-Request-Id': id } })).headers['x-request-id']).toBe(id);
  });

  test.each(['short', 'x'.repeat(65), 'with blank', '<script>alert', 'a,bcdefgh', 'caf\u00e9caf\u00e9'])(
    'replaces %s',
    async (id) => {
      const { headers } = await send(url('/news'), { headers: { 'X-Request-Id': id } });
      expect(headers['x-request-id']).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    },
  );

  test('differs from request to request if the caller sends none', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await send(url('/news'))).headers['x-request-id']));
    expect(new Set(ids).size).toBe(3);
  });
});

describe('outside the API', () => {
  const pages = [
    '/openapi.json',
    '/openapi-record.json',
    '/openapi-account.json',
    '/llms.txt',
    '/llms-full.txt',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/.well-known/api-catalog',
    '/docs',
    '/docs/reference/record',
    '/problems',
    ...PROBLEM_CODES.map((code) => `/problems/${code}`),
  ];

  test.each(['/healthz', '/readyz', ...pages])('serves %s, for HEAD too; pages have their own limit', async (path) => {
    await send(service.origin + path); // building a page counts against another budget, too
    const [got, head] = [await send(service.origin + path), await send(service.origin + path, { method: 'HEAD' })];
    expect([got.status, head.status, head.bytes.length]).toEqual([200, 200, 0]);
    expect(steadyHeaders(head)).toEqual(steadyHeaders(got));
    expect(got.headers['ratelimit-policy']).toBe(pages.includes(path) ? '"pages";q=5000000;w=60' : undefined);
    expect(got.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
  });

  test('metrics are served to this machine, but not through a proxy', async () => {
    const asked = (headers = {}) => send(`${service.origin}/metrics`, { headers });
    expect((await asked()).status).toBe(200);
    const answer = await asked({ Via: '1.1 proxy' });
    expect([answer.status, answer.json()]).toEqual([
      401,
      expect.objectContaining({
        code: 'authentication_required',
        detail: expect.stringContaining('METRICS_TOKEN'),
      }),
    ]);
  });

  test('health and readiness are reported', async () => {
    expect((await send(`${service.origin}/healthz`)).json()).toEqual({ status: 'ok' });
    expect((await send(`${service.origin}/readyz`)).json()).toEqual({ status: 'ready' });
  });

  test.each([
    ['/openapi.json', openApiDocument],
    ['/openapi-record.json', recordOpenApiDocument],
    ['/openapi-account.json', accountOpenApiDocument],
  ])('%s is the OpenAPI document that the contract makes, for this address', async (path, createDocument) => {
    const document = createDocument({ serverUrl: service.baseUrl, version: server.version });
    expect((await send(service.origin + path)).json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('llms.txt names this address, and all its links work', async () => {
    const { text, headers } = await send(`${service.origin}/llms.txt`);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toContain(`Paths below \`${service.baseUrl}\``);
    const links = [...text.matchAll(/^- \[.+?\]\((\S+)\)/gm)].map(([, link]) => String(link));
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) expect((await send(link)).status, link).toBe(200);
  });

  test('all that pages load comes from this server, compressed, and may be cached for ever', async () => {
    for (const path of ['/docs', '/docs/reference/record']) {
      const { text, headers } = await send(service.origin + path);
      const links = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, link]) => String(link));
      expect(links.length).toBeGreaterThan(0);
      expect(text).not.toMatch(/<(?:script|link rel="stylesheet")[^>]*="(?!\/assets\/|module|stylesheet)/);
      for (const link of links) {
        const file = await send(service.origin + link);
        expect([file.status, file.headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
        const small = await send(service.origin + link, { headers: { 'Accept-Encoding': 'br, gzip' } });
        if (file.bytes.length > 1024) {
          expect(small.headers['content-encoding']).toBe('br');
          expect(small.bytes.length).toBeLessThan(file.bytes.length / 2);
        }
        const known = { 'If-None-Match': String(file.headers['etag']) };
        expect((await send(service.origin + link, { headers: known })).status).toBe(304);
      }
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect([headers['cross-origin-opener-policy'], headers['permissions-policy']]).toEqual(ALONE);
    }
  });

  test.each(['/verify', '/de/verify'])('%s runs its own script and has its own style, and no other', async (path) => {
    const { headers } = await send(service.origin + path);
    const policy = String(headers['content-security-policy']);
    expect([headers['cross-origin-opener-policy'], headers['permissions-policy']]).toEqual(ALONE);
    expect(policy).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
    expect(policy).not.toContain('unsafe');
  });

  test.each(['/docs/assets/swagger-ui.css', '/assets/site.css', '/assets/', '/assets/../package.json'])(
    'no other file is served below the address of those that pages load: %s',
    async (path) => {
      expect((await send(service.origin + path)).status).toBe(404);
    },
  );
});
