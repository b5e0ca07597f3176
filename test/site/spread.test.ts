import { createHash } from 'node:crypto';
import { parseAtomFeed } from 'feedsmith';
import sax from 'sax';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRows, succeeded } from '../support/filled-service.ts';
import { send } from '../support/http.ts';
import { expectProblem } from '../support/problem.ts';
import { brokerRow, newsRow, warningRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Script, a mark that turns the line, piled marks, and no blank to break at. */
const HOSTILE = `</title><script>alert(1)</script>\u202e${'Z\u0335\u0321\u0489'.repeat(8)}${'W'.repeat(30)}`;

const WARNING = warningRow();

let service: LocalService;
beforeAll(async () => {
  service = await startService();
  await importRows(service, 'brokers', [
    brokerRow('alpha-markets'),
    brokerRow('old-name'),
    brokerRow('warned', { warnings: [WARNING] }),
    brokerRow('clone', { status: 'suspected_clone' }),
    brokerRow('unrated', { licensesCheckedAt: null }),
    brokerRow('hostile', { name: HOSTILE }),
    brokerRow('pictured'),
  ]);
  await importRows(service, 'news', [newsRow(1, { title: `A & B ${HOSTILE}` }), newsRow(2)]);
  succeeded(await service.cli('broker', 'rename', 'old-name', 'new-name'));
});
afterAll(() => service?.remove());

const open = (path: string, headers: Record<string, string> = {}) => send(`${service.origin}${path}`, { headers });
const readPolicy = ({ headers }: { headers: Record<string, unknown> }) => String(headers['content-security-policy']);

/** Width and height in the header of a PNG (RFC 2083 §4.1.1). */
const readSize = ({ bytes }: { readonly bytes: Buffer }): readonly number[] => {
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

const readTag = (text: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(text)?.[1];

describe('a picture beside a link', () => {
  test.each([
    ['/', '/card.png'],
    ['/de', '/de/card.png'],
    ['/brokers', '/card.png'],
    ['/search?q=alpha', '/card.png'],
    ['/compare', '/card.png'],
    ['/regulators/fca', '/card.png'],
    ['/news', '/card.png'],
    ['/check', '/card.png'],
    ['/methodology/2026-1', '/card.png'],
    ['/docs/guides/api', '/card.png'],
    ['/no-such-page', '/card.png'],
    ['/brokers/alpha-markets', '/brokers/alpha-markets/card.png'],
    ['/brokers/hostile', '/brokers/hostile/card.png'],
    ['/de/brokers/clone', '/de/brokers/clone/card.png'],
    ['/brokers/alpha-markets/history', '/brokers/alpha-markets/story.png'],
    ['/de/brokers/hostile/history', '/de/brokers/hostile/story.png'],
    ['/brokers/clone/history', '/brokers/clone/story.png'],
  ])('%s names a title, a description and the picture at %s, which has 1200 × 630 pixels', async (path, picture) => {
    const { text } = await open(path, { Accept: 'text/html' });
    expect(readTag(text, 'og:image')).toBe(`${service.origin}${picture}`);
    for (const name of ['og:title', 'og:description', 'og:image:alt']) expect(readTag(text, name), name).toMatch(/\S/);
    expect(readTag(text, 'twitter:card')).toBe('summary_large_image');
    const image = await open(picture, { 'Accept-Encoding': 'br, gzip' });
    expect([image.status, image.headers['content-type'], image.headers['content-encoding']]).toEqual([
      200,
      'image/png',
      undefined,
    ]);
    expect(readSize(image)).toEqual([1200, 630]);
    expect(readPolicy(image)).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(image.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  test('a picture is known by its tag, and follows a change of the broker within moments', async () => {
    const before = await open('/brokers/pictured/card.png');
    const again = () => open('/brokers/pictured/card.png', { 'If-None-Match': String(before.headers['etag']) });
    expect((await again()).status).toBe(304);
    await importRows(service, 'brokers', [brokerRow('pictured', { status: 'suspected_clone' })]);
    await service.settle();
    const after = await again();
    expect([after.status, readSize(after)]).toEqual([200, [1200, 630]]);
  });

  test('a former slug leads to the picture of the current one, and nobody has none', async () => {
    const { status, headers } = await open('/brokers/old-name/card.png');
    expect([status, headers['location']]).toEqual([308, '/brokers/new-name/card.png']);
    expect((await open('/brokers/nobody/card.png')).status).toBe(404);
    expect((await open('/brokers/old-name/story.png')).headers['location']).toBe('/brokers/new-name/story.png');
    expect((await open('/brokers/nobody/story.png')).status).toBe(404);
  });

  test('a page has an icon, also for phones and for browsers that guess its address', async () => {
    const { text } = await open('/', { Accept: 'text/html' });
    const icon = /<link rel="icon" type="image\/svg\+xml" href="([^"]+)">/.exec(text)?.[1] as string;
    expect((await open(icon, { Accept: '*/*' })).headers['content-type']).toBe('image/svg+xml');
    expect(text).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png">');
    expect((await open('/favicon.ico')).headers['location']).toBe('/apple-touch-icon.png');
    expect(readSize(await open('/apple-touch-icon.png'))).toEqual([180, 180]);
  });

  test.each(['', '/de'])(
    'the manifest of %s names icons that exist, and the page that an application starts with',
    async (prefix) => {
      const { text } = await open(prefix || '/', { Accept: 'text/html' });
      const path = /<link rel="manifest" href="([^"]+)">/.exec(text)?.[1] as string;
      const manifest = JSON.parse((await open(path)).text) as {
        start_url: string;
        icons: { src: string; type: string }[];
      };
      expect([path, manifest.start_url]).toEqual([`${prefix}/site.webmanifest`, prefix || '/']);
      expect(manifest.icons).toHaveLength(2);
      for (const { src, type } of manifest.icons)
        expect((await open(src, { Accept: '*/*' })).headers['content-type']).toBe(type);
    },
  );
});

describe('a badge', () => {
  test('a badge costs nothing of its readers’ budget of pages', async () => {
    for (const path of ['/badges/alpha-markets.svg', '/embed/brokers/alpha-markets', '/badges/old-name.svg'])
      for (const _ of ['made', 'ready'])
        expect((await open(path)).headers['ratelimit-policy'], path).toMatch(/^"badges"/);
  });

  test.each([
    ['alpha-markets', /Score \d+(\.\d)? of 100 · (Good|Mixed|Poor)/],
    ['de', /Wertung: \d+(,\d)? von 100 · (Gut|Gemischt|Schlecht)/],
    ['warned', /An authority warns of this firm/],
    ['clone', /Suspected clone of another firm/],
    ['unrated', /No licence is confirmed/],
    ['hostile', /Score/],
  ])('the badge of %s is an image of at most 2 kB with its text as a title', async (slug, words) => {
    const image = await open(slug === 'de' ? '/de/badges/alpha-markets.svg' : `/badges/${slug}.svg`);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
    expect(image.bytes.length).toBeLessThanOrEqual(2048);
    expect(/<title id="t">(.*)<\/title>/.exec(image.text)?.[1]).toMatch(words);
    expect(image.text).not.toMatch(/<script|\u202e/);
  });

  test('a badge may be shown anywhere, and runs and loads nothing but the style that is in it', async () => {
    const image = await open('/badges/alpha-markets.svg');
    const style = /<style>([^<&]*)<\/style>/.exec(image.text)?.[1] as string;
    const digest = createHash('sha256').update(style).digest('base64');
    expect(readPolicy(image)).toBe(`default-src 'none'; style-src 'sha256-${digest}'; frame-ancestors 'none'`);
    expect(image.headers['cross-origin-resource-policy']).toBe('cross-origin');
  });

  test('a badge is known by its tag, and follows a change within moments', async () => {
    const { headers } = await open('/badges/unrated.svg');
    const again = () => open('/badges/unrated.svg', { 'If-None-Match': String(headers['etag']) });
    expect((await again()).status).toBe(304);
    await importRows(service, 'brokers', [brokerRow('unrated', { licensesCheckedAt: '2026-01-05T00:00:00Z' })]);
    await service.settle();
    expect((await again()).text).toMatch(/Score/);
  });

  test.each([
    ['/badges/old-name.svg', '/badges/new-name.svg'],
    ['/de/badges/old-name', '/de/badges/new-name'],
    ['/de/embed/brokers/old-name', '/de/embed/brokers/new-name'],
  ])('redirects %s permanently to %s', async (path, to) => {
    const { status, headers } = await open(path);
    expect([status, headers['location']]).toEqual([308, to]);
    expect((await open(to)).status).toBe(200);
  });

  test('a badge has a page with the code that shows it', async () => {
    const { text } = await open('/badges/alpha-markets');
    expect(text).toContain(`&lt;img src=&quot;${service.origin}/badges/alpha-markets.svg&quot;`);
    expect(text).toContain(`&lt;iframe src=&quot;${service.origin}/embed/brokers/alpha-markets&quot;`);
  });

  test.each(['/badges/nobody.svg', '/badges/nobody', '/badges/Alpha.png', '/embed/brokers/nobody'])(
    'answers 404 for %s',
    async (path) => {
      expect(expectProblem(await open(path)).status).toBe(404);
    },
  );
});

test('nothing but what is below /embed may be framed, and that has nothing to press', async () => {
  for (const path of [
    '/',
    '/brokers/alpha-markets',
    '/badges/alpha-markets',
    '/badges/alpha-markets.svg',
    '/feeds/news.atom',
  ])
    expect(readPolicy(await open(path)), path).toContain("frame-ancestors 'none'");
  for (const slug of ['alpha-markets', 'hostile', 'clone']) {
    const framed = await open(`/embed/brokers/${slug}`);
    expect(readPolicy(framed)).toContain('frame-ancestors *');
    expect(readPolicy(framed)).toContain("default-src 'none'; style-src 'self'");
    expect(framed.text).not.toMatch(/<(script|form|button|input)/);
    expect(/licence confirmed/.test(framed.text), slug).toBe(slug !== 'clone'); // it uses those of its victim
  }
});

test('the story of a broker may be framed, has nothing to press, and a suspected clone has none', async () => {
  for (const slug of ['alpha-markets', 'hostile']) {
    const framed = await open(`/embed/brokers/${slug}/story`);
    expect(readPolicy(framed)).toContain('frame-ancestors *');
    expect(framed.text).toContain('data-chart="score-history"');
    expect(framed.text).not.toMatch(/<(script|form|button|input)|class="chart-slots"/);
  }
  const { status, headers } = await open('/de/embed/brokers/clone/story');
  expect([status, headers['location']]).toEqual([308, '/de/embed/brokers/clone']);
});

test('a frame that cannot be shown says so within the frame', async () => {
  const { status, headers, text } = await open('/de/embed/brokers/nobody', { Accept: 'text/html' });
  expect([status, readPolicy({ headers })]).toEqual([404, expect.stringContaining('frame-ancestors *')]);
  expect(text).toContain('<h1>Unter dieser Adresse kennen wir keinen Broker</h1>');
  expect(text).not.toMatch(/<(script|form|button|input)/);
  expect(readPolicy(await open('/brokers/nobody', { Accept: 'text/html' }))).toContain("frame-ancestors 'none'");
});

test('a broker’s page has its facts as data, which nothing in them can end', async () => {
  for (const slug of ['alpha-markets', 'hostile']) {
    const { text } = await open(`/brokers/${slug}`);
    const block = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text)?.[1] as string;
    expect(JSON.parse(block)).toMatchObject({ '@type': 'Organization', legalName: `${slug} Ltd` });
    expect(text.match(/<script(?! type="(?:application\/ld\+json|module)")/g)).toBeNull();
  }
});

test('the feed of news is Atom, in each language, and its pages name it', async () => {
  for (const prefix of ['', '/de']) {
    const { text, headers } = await open(`${prefix}/feeds/news.atom`);
    expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    const feed = parseAtomFeed(text);
    expect(feed.links?.find(({ rel }) => rel === 'self')?.href).toBe(`${service.origin}${prefix}/feeds/news.atom`);
    expect(feed.entries?.map(({ title }) => title?.value)).toEqual([
      'Item number 2',
      expect.stringContaining('<script>'),
    ]);
    expect((await open(prefix || '/')).text).toContain(`href="${prefix}/feeds/news.atom"`);
    const etag = String(headers['etag']);
    expect((await open(`${prefix}/feeds/news.atom`, { 'If-None-Match': etag })).status).toBe(304);
  }
});

/** Reads a feed strictly: whatever is not well-formed throws. */
const readFeed = async (path: string) => {
  const { status, headers, text } = await open(path);
  expect([status, headers['content-type']], path).toEqual([200, 'application/atom+xml; charset=utf-8']);
  sax.parser(true, { xmlns: true }).write(text).close();
  return parseAtomFeed(text);
};

test.each([
  ['/brokers/warned', '/brokers/warned/feed.atom', /^tag:127\.0\.0\.1,2026:broker\//],
  ['/regulators/fca', '/regulators/fca/feed.atom', /^tag:127\.0\.0\.1,2026:regulator\/fca$/],
  ['/news', '/warnings/gb/feed.atom', /^tag:127\.0\.0\.1,2026:warnings\/gb$/],
])('the page %s leads to its feed, which leads back, in each language', async (page, path, id) => {
  for (const prefix of ['', '/de']) {
    const shown = (await open(`${prefix}${page}`)).text;
    expect(shown).toMatch(new RegExp(`<a (class="button" )?href="${prefix}${path}"`));
    const feed = await readFeed(`${prefix}${path}`);
    expect(feed.id).toMatch(id);
    const links = Object.fromEntries((feed.links ?? []).map(({ rel, href }) => [rel, href]));
    expect(links).toEqual({
      self: `${service.origin}${prefix}${path}`,
      alternate: `${service.origin}${prefix}${page}`,
    });
    expect((await open(`${prefix}${path}?x=1`)).text).toBe((await open(`${prefix}${path}`)).text);
  }
});

test('the feed of a broker follows its record, and is known by its tag', async () => {
  const path = '/brokers/followed/feed.atom';
  await importRows(service, 'brokers', [brokerRow('followed')]);
  await service.settle();
  const before = await readFeed(path);
  const etag = String((await open(path)).headers['etag']);
  expect((await open(path, { 'If-None-Match': etag })).status).toBe(304);
  await importRows(service, 'brokers', [brokerRow('followed', { warnings: [WARNING] })]);
  await service.settle();
  const isAbout = async (words: string) => {
    const feed = await readFeed(path);
    const [first] = feed.entries ?? [];
    return `${first?.title?.value} ${first?.summary?.value}`.includes(words) ? feed : undefined;
  };
  const after = await until('the warning in the feed', 5000, () => isAbout('Warning of an authority'));
  const [newest, ...others] = after.entries ?? [];
  expect(newest?.summary?.value).toContain('Not authorised');
  expect(others.map(({ id }) => id)).toEqual(before.entries?.map(({ id }) => id));
  expect(after.id).toBe(before.id);
  expect((await open(path, { 'If-None-Match': etag })).status).toBe(200);
  const withdrawn = { ...WARNING, withdrawnAt: new Date().toISOString() };
  await importRows(service, 'brokers', [brokerRow('followed', { warnings: [withdrawn] })]);
  await service.settle();
  expect(await until('its withdrawal', 5000, () => isAbout('Warning withdrawn by the authority. '))).toBeDefined();
});

test('a feed has names that people wrote as text', async () => {
  const { entries } = await readFeed('/brokers/hostile/feed.atom');
  expect(entries?.[0]?.title?.value).toContain('<script>alert(1)</script>');
  expect((await open('/brokers/hostile/feed.atom')).text).not.toMatch(/<script|\u202e/);
});

test('the feed of a country has its warnings alone, and that of a regulator what names it', async () => {
  await importRows(service, 'news', [
    newsRow(3, { category: 'warning', regulatorCodes: ['fca'], title: 'A warning of Britain' }),
    newsRow(4, { category: 'market', regulatorCodes: ['fca'], title: 'No warning' }),
    newsRow(5, { category: 'warning', regulatorCodes: ['cysec'], title: 'A warning of Cyprus' }),
  ]);
  await service.settle();
  const titles = async (path: string) => (await readFeed(path)).entries?.map(({ title }) => title?.value);
  expect(await titles('/warnings/gb/feed.atom')).toEqual(['A warning of Britain']);
  expect(await titles('/regulators/fca/feed.atom')).toEqual(['No warning', 'A warning of Britain']);
});

test('the feed of a former name leads to that of the current one, and that of nobody is missing', async () => {
  const moved = await open('/de/brokers/old-name/feed.atom');
  expect([moved.status, moved.headers['location']]).toEqual([308, '/de/brokers/new-name/feed.atom']);
  expect((await open('/brokers/Warned/feed.atom/')).headers['location']).toBe('/brokers/warned/feed.atom');
  for (const [path, code] of [
    ['/brokers/nobody/feed.atom', 'broker_not_found'],
    ['/regulators/nobody/feed.atom', 'regulator_not_found'],
    ['/warnings/aq/feed.atom', 'not_found'],
    ['/warnings/xx/feed.atom', 'not_found'],
  ] as const)
    expect(expectProblem(await open(path)), path).toMatchObject({ status: 404, code });
});

test('every address of the sitemap is a page that names itself as its address', async () => {
  expect((await open('/robots.txt')).text).toContain(`Sitemap: ${service.origin}/sitemap.xml\n`);
  const locations = async (address: string) =>
    [...(await open(new URL(address).pathname)).text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, one]) => one as string);
  const files = await locations(`${service.origin}/sitemap.xml`);
  expect(files).toEqual([`${service.origin}/sitemaps/pages.xml`, `${service.origin}/sitemaps/brokers-1.xml`]);
  const addresses = (await Promise.all(files.map(locations))).flat();
  for (const path of [
    '/brokers/new-name',
    '/regulators/fca',
    '/docs/guides/api',
    '/methodology/2026-1',
    '/problems/not_found',
  ])
    expect(addresses).toContain(`${service.origin}/de${path}`);
  expect(addresses).not.toContain(`${service.origin}/brokers/old-name`);
  for (const address of addresses) {
    const { status, text } = await open(new URL(address).pathname);
    expect([status, text.includes(`<link rel="canonical" href="${address}">`)], address).toEqual([200, true]);
  }
  expect((await open('/sitemaps/brokers-2.xml')).status).toBe(404);
});

test('search engines list a version of the methodology once, whatever inputs an address has moved', async () => {
  expect((await open('/methodology/2026-1')).text).toContain('<link rel="canonical"');
  for (const asked of ['broker=alpha-markets', 'closed=40'])
    expect((await open(`/methodology/2026-1?${asked}`)).text).toContain('<meta name="robots" content="noindex">');
});
