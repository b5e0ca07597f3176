import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

/** The header that browsers send when somebody opens an address. */
const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await importRows(
    service,
    'brokers',
    ['alpha-markets', 'beta-trade', 'old-name'].map((slug) => brokerRow(slug)),
  );
  succeeded(await service.cli('broker', 'rename', 'old-name', 'new-name'));
});
afterAll(() => service?.remove());

const open = (path: string, headers: Record<string, string> = BROWSER, method = 'GET') =>
  send(`${service.origin}${path}`, { headers, method });
const h1 = (text: string): string | undefined => /<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1]?.replace(/<[^>]+>/g, '');

describe('a page', () => {
  test.each([
    ['a browser', BROWSER],
    ['a browser that takes nothing else', { Accept: 'text/html' }],
    ['curl', { Accept: '*/*' }],
    ['whoever wants JSON: an address has one form', { Accept: 'application/json' }],
  ])('a page is the same for %s, the first time and later', async (_, headers) => {
    for (const path of ['/brokers/alpha-markets', '/brokers/alpha-markets']) {
      const { status, headers: told, text } = await open(path, headers);
      expect([status, told['content-type'], told['cache-control'], told['vary']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'public, max-age=30',
        'Accept-Encoding',
      ]);
      expect(text).toContain('<html lang="en" dir="ltr">');
      expect(told['content-security-policy']).not.toContain('unsafe');
      expect(told['ratelimit-policy']).toMatch(/^"pages"/);
      expect(told).not.toHaveProperty('set-cookie');
    }
  });

  test('a page is known by its tag, in each coding, and HEAD tells the same', async () => {
    const plain = await open('/brokers/alpha-markets');
    const br = await open('/brokers/alpha-markets', { ...BROWSER, 'Accept-Encoding': 'br' });
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true);
    expect(br.headers['etag']).not.toBe(plain.headers['etag']);
    const again = await open('/brokers/alpha-markets', { ...BROWSER, 'If-None-Match': String(plain.headers['etag']) });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    const head = await open('/brokers/alpha-markets', BROWSER, 'HEAD');
    expect([head.status, head.bytes.length, head.headers['etag']]).toEqual([200, 0, plain.headers['etag']]);
  });

  test('a page costs nothing of the budget of the API', async () => {
    const left = async () => (await send(`${service.baseUrl}/news`)).headers['ratelimit'];
    const before = Number(/r=(\d+)/.exec(String(await left()))?.[1]);
    for (let n = 0; n < 3; n++) await open('/brokers/beta-trade');
    expect(Number(/r=(\d+)/.exec(String(await left()))?.[1])).toBe(before - 1);
  });

  test('shows a change, in each language', async () => {
    expect(h1((await open('/brokers/beta-trade')).text)).toBe('beta trade');
    await importRows(service, 'brokers', [brokerRow('beta-trade', { name: 'Beta After' })]);
    await service.settle();
    for (const prefix of ['', '/de', '/es'])
      expect(h1((await open(`${prefix}/brokers/beta-trade`)).text)).toBe('Beta After');
  });

  test('a page is there in each language, and each names the others', async () => {
    const { text } = await open('/de/brokers/alpha-markets');
    expect(text).toContain('<html lang="de" dir="ltr">');
    for (const [code, prefix] of [
      ['en', ''],
      ['de', '/de'],
      ['es', '/es'],
    ])
      expect(text).toContain(
        `<link rel="alternate" hreflang="${code}" href="${service.origin}${prefix}/brokers/alpha-markets">`,
      );
  });

  test('a page keeps its parameters in its links to other languages', async () => {
    const { text } = await open('/de/search?from=mail&q=alpha+beta');
    expect(text).toContain('<li><a href="/search?q=alpha+beta" hreflang="en"');
  });

  test('a page loads files that may be cached for ever, since their addresses change with them', async () => {
    const { text } = await open('/');
    const files = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      const { status, headers } = await open(path, { Accept: '*/*' });
      expect([status, headers['cache-control']], path).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });
});

describe('an address', () => {
  const TODAY = new Date().toISOString().slice(0, 10);
  test.each([
    ['a former slug', '/brokers/old-name', '/brokers/new-name'],
    ['a former slug in another language', '/de/brokers/old-name', '/de/brokers/new-name'],
    ['a former slug and a day', `/brokers/old-name/history?on=${TODAY}`, `/brokers/new-name/history?on=${TODAY}`],
    [
      'a former slug among what was moved',
      '/de/methodology/2026-1?broker=old-name&count=3',
      '/de/methodology/2026-1?broker=new-name&count=3',
    ],
    ['a slash at its end', '/brokers/alpha-markets/', '/brokers/alpha-markets'],
    ['capital letters', '/Brokers/ALPHA-Markets', '/brokers/alpha-markets'],
    ['a slash and a query', '/de/?from=mail', '/de?from=mail'],
    ['capital letters and question marks', '/Search?q=what?', '/search?q=what?'],
    ['a parameter that is there twice', '/brokers?x=1&color=green&x=2', '/brokers?color=green'],
    ['bytes that are no text in its query', '/de/brokers/alpha-markets?from=100%', '/de/brokers/alpha-markets'],
    ['a very long query', `/brokers/alpha-markets?x=${'y'.repeat(9000)}`, '/brokers/alpha-markets'],
  ])('an address with %s leads to the page for ever', async (_, path, to) => {
    const { status, headers } = await open(path);
    expect([status, headers['location']]).toEqual([308, to]);
    expect((await open(to)).status).toBe(200);
  });

  test('an address with parameters that no page has shows the page itself', async () => {
    const [one, other] = [await open('/brokers/alpha-markets'), await open('/brokers/alpha-markets?utm_source=mail&x')];
    expect([other.status, other.headers['etag']]).toEqual([200, one.headers['etag']]);
  });

  test.each([
    ['nothing', '/nothing', 404, 'This page does not exist'],
    ['the gallery of a demo', '/dev/gallery', 404, 'This page does not exist'],
    ['nothing in German', '/de/nothing', 404, 'Diese Seite gibt es nicht'],
    ['no broker', '/brokers/nobody', 404, 'We know no broker by this address'],
    ['no place in a list', '/news?cursor=%00', 404, 'This page does not exist'],
    ['no slug', '/brokers/%3Cscript%3E', 404, 'This page does not exist'],
    ['bytes that are no text', '/brokers/%ff', 404, 'This page does not exist'],
  ])(
    'an address of %s is answered by a page to people, and by a problem to programs',
    async (_, path, status, title) => {
      const page = await open(path);
      expect([page.status, page.headers['content-type'], h1(page.text)]).toEqual([
        status,
        'text/html; charset=utf-8',
        title,
      ]);
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.text).toContain(String(page.headers['x-request-id']));
      const program = await open(path, { Accept: '*/*' });
      expect([program.status, expectProblem(program).status]).toEqual([status, status]);
    },
  );

  test('an address of the API answers everybody with a problem', async () => {
    expect(expectProblem(await open('/api/v1/brokers/nobody')).code).toBe('broker_not_found');
  });

  test('an address of a page takes no other method', async () => {
    expect((await open('/brokers/alpha-markets', BROWSER, 'DELETE')).status).toBe(404);
  });
});
