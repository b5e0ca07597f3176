import { brotliCompressSync, gzipSync } from 'node:zlib';
import { NewsItem } from '@broker-transparency/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../support/database.ts';
import { createScratch, type Scratch } from '../support/files.ts';
import { importRows, succeeded } from '../support/filled-service.ts';
import { type FeedHandler, type FeedServer, type Item, rss, startFeedServer } from '../support/hostile-feeds.ts';
import { type CliResult, runCli } from '../support/process.ts';
import { brokerRow, newsRow } from '../support/records.ts';
import { type LocalService, startService } from '../support/service.ts';

interface Outcome {
  url: string;
  status: string;
  taken: number;
  known: number;
  waiting: number;
  leftOut: number;
  refused: { item: string; reason: string }[];
  error: string | null;
}

let service: LocalService;
let server: FeedServer;
let scratch: Scratch;

beforeAll(async () => {
  [service, server, scratch] = await Promise.all([startService(), startFeedServer(), createScratch()]);
  await importRows(service, 'brokers', [
    brokerRow('alpha-markets', { name: 'Alpha Markets', domains: ['alpha-markets.example'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([service?.remove(), server?.close(), scratch?.remove()]);
});

const feed = (url: string, over: object = {}) => ({
  url,
  source: 'Example Gazette',
  language: 'en',
  category: 'market',
  ...over,
});

let files = 0;

const createSettings = async (feeds: unknown): Promise<Record<string, string>> => ({
  NEWS_FEEDS: await scratch.write(`feeds-${files++}.json`, typeof feeds === 'string' ? feeds : JSON.stringify(feeds)),
  NEWS_FEEDS_PORTS: `80,443,${server.port}`,
  NEWS_FEEDS_ALLOW_LOOPBACK: 'true',
});

/** Runs a `news` command with these feeds. */
const news = async (args: string[], feeds: unknown, settings: Record<string, string> = {}): Promise<CliResult> =>
  service.cliWith({ ...(await createSettings(feeds)), ...settings }, 'news', ...args);

const pullAll = async (feeds: object[], settings: Record<string, string> = {}): Promise<Outcome[]> => {
  const { stdout, stderr, code } = await news(['pull', '--json'], feeds, settings);
  expect(stdout, stderr).toMatch(/^\[/);
  const outcomes: Outcome[] = JSON.parse(stdout);
  expect(code).toBe(outcomes.some(({ status }) => status === 'failed') ? 1 : 0);
  return outcomes;
};

const pull = async (url: string, over: object = {}, settings: Record<string, string> = {}): Promise<Outcome> => {
  const [outcome] = await pullAll([feed(url, over)], settings);
  return outcome as Outcome;
};

let asked = 0;

/**
 * Items as the API shows them, by the beginning of their address. Each call has a limit of its own, for which the
 * service has no answer yet that could be from before a pull.
 */
const items = async (start: string): Promise<NewsItem[]> => {
  const limit = 100 - (asked++ % 50);
  const found: NewsItem[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await service.client().news.list({ limit, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...(page.data as NewsItem[]).filter(({ url }) => url.startsWith(start)));
    cursor = page.pagination.nextCursor;
  }
  return found;
};

const at = (name: string) => `https://${name}.example/`;
const item = (name: string, over: Item = {}): Item => ({
  title: `An item of ${name}`,
  link: `${at(name)}1`,
  guid: `${name}-1`,
  date: 'Thu, 01 Jan 2026 10:00:00 GMT',
  description: 'What happened.',
  ...over,
});

describe('an item', () => {
  test('an item is taken with its content, in the form of the contract', async () => {
    const url = server.serve(
      '/full',
      rss([
        item('full', {
          title: 'FCA fines Alpha &amp;lt;Alpha Markets&amp;gt; &amp;amp; others',
          description:
            '<![CDATA[<p>See <a href="javascript:alert(1)">alpha-markets.example</a>.<script>alert(1)</script></p>]]>',
        }),
      ]),
    );
    const outcome = await pull(url, { authority: true });
    expect(outcome).toMatchObject({ status: 'pulled', taken: 1, known: 0, refused: [], error: null });
    const [shown] = await items(at('full'));
    expect(NewsItem.strict().parse(shown)).toEqual({
      id: expect.any(String),
      title: 'FCA fines Alpha <Alpha Markets> & others',
      summary: 'See alpha-markets.example.',
      url: `${at('full')}1`,
      source: 'Example Gazette',
      category: 'enforcement',
      severity: 'serious',
      brokerSlugs: ['alpha-markets'],
      regulatorCodes: ['fca'],
      language: 'en',
      publishedAt: '2026-01-01T10:00:00.000Z',
    });
  });

  test('an item of Atom is taken', async () => {
    const url = server.serve(
      '/feeds/atom',
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>urn:1</id><title>An ' +
        'entry</title><link href="../page"/><updated>2026-01-02T00:00:00Z</updated><content type="xhtml"><div ' +
        'xmlns="http://www.w3.org/1999/xhtml"><p>Some <b>text</b></p></div></content></entry></feed>',
    );
    expect(await pull(url)).toMatchObject({ taken: 1 });
    expect(await items(`${server.origin}/page`)).toMatchObject([{ title: 'An entry', summary: 'Some text' }]);
  });

  test('an item is taken once by its address, and by its id if the address has changed', async () => {
    const url = server.serve('/once', rss([item('once')]));
    expect(await pull(url)).toMatchObject({ taken: 1, known: 0 });
    expect(await pull(url)).toMatchObject({ taken: 0, known: 1 });
    server.serve('/once', rss([item('once', { guid: 'new' }), item('once', { link: `${at('once')}moved` })]));
    expect(await pull(url)).toMatchObject({ taken: 0, known: 2 });
    const other = server.serve(
      '/once-other',
      rss([item('once', { guid: 'x' }), item('once', { link: `${at('once')}2` })]),
    );
    expect(await pull(other)).toMatchObject({ taken: 1, known: 1 }); // ids only count within a feed
    expect(await items(at('once'))).toHaveLength(2);
  });

  test('an item that appears twice in one document is taken once', async () => {
    const url = server.serve('/double', rss([item('double'), item('double'), item('double', { guid: 'other' })]));
    expect(await pull(url)).toMatchObject({ taken: 1 });
    expect(await items(at('double'))).toHaveLength(1);
  });

  test('an item that was imported is not taken again', async () => {
    await importRows(service, 'news', [newsRow(1, { url: `${at('imported')}1` })]);
    expect(await pull(server.serve('/imported', rss([item('imported')])))).toMatchObject({ taken: 0, known: 1 });
    expect(await items(at('imported'))).toMatchObject([{ title: 'Item number 1' }]);
  });

  test('an item that an operator removed stays away, by its address and by its id', async () => {
    const url = server.serve('/removed', rss([item('removed')]));
    expect(await pull(url)).toMatchObject({ taken: 1 });
    const [taken] = await items(at('removed'));
    succeeded(await service.cli('news', 'remove', String(taken?.id), '--reason', 'incorrect'));
    server.serve('/removed', rss([item('removed', { guid: 'new' }), item('removed', { link: `${at('removed')}2` })]));
    expect(await pull(url)).toMatchObject({ taken: 0, known: 2 });
    expect(await items(at('removed'))).toEqual([]);
  });

  test('an item that was imported and removed stays away', async () => {
    await importRows(service, 'news', [newsRow(1, { url: `${at('gone')}1` })]);
    const [imported] = await items(at('gone'));
    succeeded(await service.cli('news', 'remove', String(imported?.id), '--reason', 'incorrect'));
    expect(await pull(server.serve('/gone', rss([item('gone')])))).toMatchObject({ taken: 0, known: 1 });
    expect(await items(at('gone'))).toEqual([]);
  });

  test('an invalid item does not prevent others from being taken', async () => {
    const url = server.serve(
      '/unfit',
      rss([
        item('unfit', { title: 'good one', guid: '1' }),
        { title: 'no address' },
        { title: 'an id', guid: 'warning-1' },
        item('unfit', { link: 'javascript:alert(1)', title: 'script', guid: '2' }),
        item('unfit', { link: 'data:text/html,x', title: 'data', guid: '3' }),
        { link: `${at('unfit')}untitled`, description: 'No title' },
        item('unfit', { link: `${at('unfit')}future`, date: 'Fri, 01 Jan 2100 00:00:00 GMT', guid: '4' }),
        item('unfit', { link: `${at('unfit')}control`, title: 'con\u0007trol &#27;[31m', guid: '5' }),
        item('unfit', { link: `${at('unfit')}long`, title: 'long '.repeat(5000), guid: '6' }),
        item('unfit', { link: `${at('unfit')}undated`, title: 'undated', date: 'yesterday', guid: '7' }),
      ]),
    );
    const before = Date.now();
    const outcome = await pull(url);
    expect(outcome).toMatchObject({ status: 'pulled', taken: 4, undated: 1, waiting: 1 });
    expect(outcome.refused).toEqual([
      { item: 'no address', reason: 'has no address' },
      { item: 'an id', reason: 'has no address' },
      { item: 'script', reason: 'has an address that is no web page' },
      { item: 'data', reason: 'has an address that is no web page' },
      { item: `${at('unfit')}untitled`, reason: 'has no title' },
    ]);
    const taken = new Map((await items(at('unfit'))).map((row) => [row.url.slice(at('unfit').length), row]));
    expect([...taken.keys()].sort()).toEqual(['1', 'control', 'long', 'undated']);
    expect(taken.get('control')?.title).toBe('con trol [31m');
    expect(taken.get('long')?.title).toBe(`${'long '.repeat(59)}long…`);
    expect(Date.parse(String(taken.get('undated')?.publishedAt))).toBeGreaterThanOrEqual(before);
    expect([...taken.values()].flatMap(({ dating }) => dating ?? [])).toEqual(['seen']);
  });

  test('an item leaves an audit entry that names its feed', async () => {
    const url = server.serve('/audit', rss([item('audit')]));
    succeeded(await news(['pull', '--actor', 'carol'], [feed(url)]));
    const [taken] = await items(at('audit'));
    const entries = await inDatabase(service, (db) =>
      db.collection('audit').find({ 'subject.id': taken?.id }).toArray(),
    );
    expect(entries).toMatchObject([
      { action: 'news.taken', actor: { type: 'operator', name: 'carol' }, after: { feed: url } },
    ]);
  });
});

describe("an item of another feed with a regulator's address", () => {
  /** Two feeds with the same address: the regulator's own, and another one with a false report. */
  const scene = (name: string) => {
    const link = `${at(name)}warning`;
    const own = server.serve(`/${name}/own`, rss([item(name, { link, guid: link, title: 'FCA fines Alpha Markets' })]));
    const rumour = item(name, { link, guid: 'r', title: 'Alpha Markets founder arrested: fraud' });
    const other = server.serve(`/${name}/other`, rss([rumour]));
    return {
      link,
      regulator: feed(own, {
        source: 'Financial Conduct Authority',
        category: 'warning',
        severity: 'serious',
        hosts: [`${name}.example`],
        authority: true,
        regulator: 'fca',
      }),
      hostile: feed(other, { source: 'Hostile Gazette' }),
    };
  };
  const REGULATORS = {
    title: 'FCA fines Alpha Markets',
    source: 'Financial Conduct Authority',
    category: 'enforcement',
    severity: 'serious',
    regulatorCodes: ['fca'],
    brokerSlugs: ['alpha-markets'],
  };
  const trail = (id: string | undefined) =>
    inDatabase(service, (db) => db.collection('audit').find({ 'subject.id': id }).sort({ at: 1, _id: 1 }).toArray());

  test('a regulator’s own item replaces that of another feed, which cannot come back', async () => {
    const { link, regulator, hostile } = scene('seized');
    expect(await pullAll([hostile])).toMatchObject([{ taken: 1 }]);
    const [before] = await items(link);
    expect(before).toMatchObject({ source: 'Hostile Gazette', category: 'enforcement', severity: 'info' });
    expect(await pullAll([regulator])).toMatchObject([{ taken: 1 }]);
    expect(await items(link)).toMatchObject([{ ...REGULATORS, id: before?.id }]);
    server.serve(
      '/seized/other',
      rss([item('seized', { link, guid: 'again', title: 'Nothing to see' }), item('seized', { link, guid: 'r' })]),
    );
    expect(await pullAll([hostile, regulator])).toMatchObject([
      { taken: 0, known: 2 },
      { taken: 0, known: 1 },
    ]);
    expect(await items(link)).toMatchObject([{ ...REGULATORS, id: before?.id }]);
    expect(await trail(before?.id)).toMatchObject([
      { action: 'news.taken', before: null, after: { feed: hostile.url, severity: 'info' } },
      {
        action: 'news.taken',
        before: { feed: hostile.url, severity: 'info' },
        after: { feed: regulator.url, severity: 'serious' },
      },
    ]);
  });

  test('an item of another feed changes nothing if it comes after the regulator’s', async () => {
    const { link, regulator, hostile } = scene('held');
    expect(await pullAll([regulator])).toMatchObject([{ taken: 1 }]);
    expect(await pullAll([hostile])).toMatchObject([{ taken: 0, known: 1 }]);
    expect(await items(link)).toMatchObject([REGULATORS]);
  });

  test('an item of another feed that an operator removes leaves its address to the regulator alone', async () => {
    const { link, regulator, hostile } = scene('struck');
    const third = feed(server.serve('/struck/third', rss([item('struck', { link, guid: 't' })])));
    await pullAll([hostile]);
    const [bad] = await items(link);
    succeeded(await service.cli('news', 'remove', String(bad?.id), '--reason', 'incorrect'));
    expect(await pullAll([hostile, third])).toMatchObject([{ taken: 0 }, { taken: 0 }]);
    expect(await items(link)).toEqual([]);
    expect(await pullAll([regulator])).toMatchObject([{ taken: 1 }]);
    expect(await items(link)).toMatchObject([REGULATORS]);
    succeeded(await service.cli('news', 'remove', String(bad?.id), '--reason', 'outdated'));
    expect(await pullAll([regulator, hostile])).toMatchObject([{ taken: 0 }, { taken: 0 }]);
    expect(await items(link)).toEqual([]);
  });

  test('an item that an operator imported is replaced by no feed, not even the regulator’s', async () => {
    const { link, regulator, hostile } = scene('ours');
    await pullAll([hostile]);
    await importRows(service, 'news', [newsRow(1, { url: link })]);
    expect(await pullAll([hostile, regulator])).toMatchObject([{ taken: 0 }, { taken: 0 }]);
    expect(await items(link)).toMatchObject([{ title: 'Item number 1' }]);
  });
});

test('the newest 200 of thousands of items are taken', async () => {
  const many = Array.from({ length: 5000 }, (_, n) =>
    item('many', { link: `${at('many')}${n}`, guid: `${n}`, date: new Date(Date.UTC(2025, 0, 1, 0, n)).toISOString() }),
  );
  expect(await pull(server.serve('/many', rss(many)))).toMatchObject({ taken: 200, leftOut: 4800 });
  const numbers = (await items(at('many'))).map(({ url }) => Number(url.slice(at('many').length)));
  expect(Math.min(...numbers)).toBe(4800);
});

test('simultaneous pulls take each item once', async () => {
  const url = server.serve('/race', (_req, res) => {
    const rows = Array.from({ length: 150 }, (_, n) => item('race', { link: `${at('race')}${n}`, guid: `${n}` }));
    // Answers only when all pulls are waiting.
    const answer = () => res.setHeader('Content-Type', 'text/xml').end(rss(rows));
    waiting.push(answer);
    if (waiting.length === 3) for (const go of waiting) go();
  });
  const waiting: (() => void)[] = [];
  const settings = { ...service.data, ...(await createSettings([feed(url)])) };
  const runs = await Promise.all([1, 2, 3].map(() => runCli(['news', 'pull', '--json'], settings)));
  const outcomes = runs.flatMap((run): Outcome[] => JSON.parse(succeeded(run)));
  expect(outcomes.map(({ status }) => status)).toEqual(['pulled', 'pulled', 'pulled']);
  expect(outcomes.reduce((sum, { taken }) => sum + taken, 0)).toBe(150);
  const taken = await items(at('race'));
  expect(taken).toHaveLength(150);
  const ids = taken.map(({ id }) => id);
  const entries = await inDatabase(service, (db) =>
    db.collection('audit').countDocuments({ action: 'news.taken', 'subject.id': { $in: ids } }),
  );
  expect(entries).toBe(150);
  const [state] = JSON.parse(succeeded(await news(['feeds', '--json'], [feed(url)])));
  expect(state).toMatchObject({ taken: 150, failures: 0 });
});

describe('a server is polled politely', () => {
  test('a feed is polled with the validators it sent last, and is not parsed if it is unchanged', async () => {
    const url = server.serve('/etag', (req, res) => {
      if (req.headers['if-none-match'] === '"v1"') res.writeHead(304).end();
      else
        res.writeHead(200, { ETag: '"v1"', 'Last-Modified': 'Thu, 01 Jan 2026 10:00:00 GMT' }).end(rss([item('etag')]));
    });
    expect(await pull(url)).toMatchObject({ status: 'pulled', taken: 1 });
    expect(await pull(url)).toMatchObject({ status: 'unchanged', taken: 0 });
    expect(server.asked('/etag')[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Thu, 01 Jan 2026 10:00:00 GMT',
    });
    expect(server.asked('/etag')[0]?.headers['user-agent']).toMatch(/^broker-rating\/\d/);
  });

  test('a feed is polled without validators if an item waits for its date', async () => {
    const url = server.serve('/waits', (_req, res) =>
      res.writeHead(200, { ETag: '"v1"' }).end(rss([item('waits', { date: 'Fri, 01 Jan 2100 00:00:00 GMT' })])),
    );
    expect(await pull(url)).toMatchObject({ status: 'pulled', taken: 0, waiting: 1 });
    expect(await pull(url)).toMatchObject({ status: 'pulled', taken: 0, waiting: 1 });
    expect(server.asked('/waits')[1]?.headers['if-none-match']).toBeUndefined();
  });

  test('a 304 to a poll without a validator is an error', async () => {
    expect(await pull(server.serve('/304', (_req, res) => res.writeHead(304).end()))).toMatchObject({
      status: 'failed',
      error: 'answers 304',
    });
  });
});

describe('text is read', () => {
  const bytes =
    (contentType: string, body: Buffer): FeedHandler =>
    (_req, res) =>
      res.writeHead(200, { 'Content-Type': contentType }).end(body);
  const named = (name: string, encoding: string) =>
    rss([item(name, { title: 'Grüße von Müller' })]).replace('UTF-8', encoding);

  const READABLE: [name: string, handler: (name: string) => FeedHandler][] = [
    ['latin1-header', (name) => bytes('text/xml; charset=ISO-8859-1', Buffer.from(named(name, 'x'), 'latin1'))],
    ['latin1-declared', (name) => bytes('text/xml', Buffer.from(named(name, 'ISO-8859-1'), 'latin1'))],
    ['utf8-wrong-header', (name) => bytes('text/xml; charset=ISO-8859-1', Buffer.from(named(name, 'UTF-8')))],
    ['utf16-bom', (name) => bytes('text/xml', Buffer.from(`\uFEFF${named(name, 'UTF-16')}`, 'utf16le'))],
    ['no-such-charset', (name) => bytes('text/xml; charset=klingon', Buffer.from(named(name, 'klingon')))],
    [
      'gzip',
      (name) => (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(named(name, 'UTF-8'))),
    ],
    [
      'brotli',
      (name) => (_req, res) =>
        res.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(named(name, 'UTF-8'))),
    ],
  ];

  test('text is read in any charset and encoding that is declared or detected', async () => {
    const feeds = READABLE.map(([name, handler]) => feed(server.serve(`/${name}`, handler(name))));
    for (const outcome of await pullAll(feeds)) expect(outcome).toMatchObject({ taken: 1, error: null });
    for (const [name] of READABLE) expect(await items(at(name)), name).toMatchObject([{ title: 'Grüße von Müller' }]);
  });

  test('an item whose bytes fit no charset is refused, and the others are taken', async () => {
    const text = rss([item('bytes', { title: 'Grüße' }), item('bytes', { link: `${at('bytes')}2`, guid: '2' })]);
    const outcome = await pull(server.serve('/bytes', bytes('text/xml; charset=utf-8', Buffer.from(text, 'latin1'))));
    expect(outcome).toMatchObject({ taken: 1, refused: [{ reason: 'has bytes that are not in its charset' }] });
  });
});

/** Endless or excessive feeds, each with the error that they cause. */
const HOSTILE: Record<string, { handler: FeedHandler | string; error: string }> = {
  xxe: {
    handler: rss([item('xxe', { title: '&x;' })], '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    error: 'declares entities of its own, which no feed needs',
  },
  laughs: {
    handler: rss(
      [item('laughs', { title: '&l9;' })],
      `<!DOCTYPE r [<!ENTITY l0 "ha">${Array.from(
        { length: 9 },
        (_, n) => `<!ENTITY l${n + 1} ` + `"${`&l${n};`.repeat(10)}">`,
      ).join('')}]>`,
    ),
    error: 'declares entities of its own, which no feed needs',
  },
  huge: {
    handler: (_req, res) => {
      const chunk = Buffer.alloc(64 * 1024, 0x20);
      const more = () => {
        while (res.writable && res.write(chunk));
      };
      res.on('drain', more).on('error', () => {});
      more();
    },
    error: 'is larger than 2000000 bytes',
  },
  bomb: {
    handler: (_req, res) => {
      res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000_000, 0x20)));
    },
    error: 'is larger than 2000000 bytes',
  },
  'brotli-bomb': {
    handler: (_req, res) => {
      res.writeHead(200, { 'Content-Encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(20_000_000, 0x20)));
    },
    error: 'is larger than 2000000 bytes',
  },
  'no-gzip': {
    handler: (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(rss([])),
    error: 'is not the gzip it says it is',
  },
  stacked: {
    handler: (_req, res) => res.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end(gzipSync(gzipSync(rss([])))),
    error: 'comes in an encoding that was not asked for',
  },
  drip: {
    handler: (_req, res) => {
      res.writeHead(200).write('<?xml version="1.0"?>');
      const timer = setInterval(() => res.write(' '), 200);
      res.on('close', () => clearInterval(timer));
    },
    error: 'takes longer than 10 s',
  },
  silent: { handler: () => {}, error: 'takes longer than 10 s' },
  broken: { handler: '<rss version="2.0"><channel><item><title>A</titl', error: 'is broken XML' },
  html: { handler: '<!doctype html><title>Please log in</title><p>Hello', error: 'is a web page, not a feed' },
  text: { handler: 'hello', error: 'is neither RSS nor Atom' },
  empty: { handler: '', error: 'is empty' },
  cut: {
    handler: (_req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' }).write('<rss version="2.0">');
      setImmediate(() => res.destroy());
    },
    error: 'cannot be read (UND_ERR_RES_CONTENT_LENGTH_MISMATCH)',
  },
  headers: {
    handler: (_req, res) => res.writeHead(200, { 'X-Big': 'x'.repeat(100_000) }).end(rss([])),
    error: 'cannot be read (UND_ERR_HEADERS_OVERFLOW)',
  },
  fault: { handler: (_req, res) => res.writeHead(500).end('no'), error: 'answers 500' },
};

test('hostile feeds each fail with a reason, in time, and do not prevent others from being read', async () => {
  const good = server.serve('/good', rss([item('good')]));
  const feeds = Object.entries(HOSTILE).map(([name, { handler }]) => feed(server.serve(`/${name}`, handler)));
  const start = Date.now();
  const outcomes = await pullAll([...feeds, feed(good)]);
  expect(Date.now() - start).toBeLessThan(30_000);
  const errors = Object.fromEntries(outcomes.map(({ url, error }) => [new URL(url).pathname.slice(1), error]));
  const expected = Object.entries(HOSTILE).map(([name, { error }]) => [name, error]);
  expect(errors).toEqual({ ...Object.fromEntries(expected), good: null });
  expect(outcomes.at(-1)).toMatchObject({ status: 'pulled', taken: 1 });
});

describe('a redirect', () => {
  const to =
    (location: string, status = 302): FeedHandler =>
    (_req, res) =>
      res.writeHead(status, { Location: location }).end();

  test('a redirect of any kind is followed', async () => {
    const kinds = [301, 302, 303, 307, 308];
    const feeds = kinds.map((status) => {
      server.serve(`/target-${status}`, rss([item(`redirect-${status}`)]));
      return feed(server.serve(`/redirect-${status}`, to(`/target-${status}`, status)));
    });
    expect((await pullAll(feeds)).map(({ taken }) => taken)).toEqual(kinds.map(() => 1));
  });

  test('a redirect is followed three times, but not four', async () => {
    server.serve('/target', rss([item('hops')]));
    server.serve('/hop-1', to('/target'));
    server.serve('/hop-2', to('/hop-1'));
    const three = server.serve('/hop-3', to('/hop-2'));
    const four = server.serve('/hop-4', to('/hop-3'));
    const round = server.serve('/round', to('/round'));
    expect(await pullAll([feed(three), feed(four), feed(round)])).toMatchObject([
      { status: 'pulled', taken: 1 },
      { status: 'failed', error: 'leads to more than 3 redirects' },
      { status: 'failed', error: 'leads to more than 3 redirects' },
    ]);
    expect(server.asked('/round')).toHaveLength(4);
  });

  const FORBIDDEN: [location: string, error: string][] = [
    ['http://169.254.1.1/', 'leads to 169.254.1.1, which is not public'],
    ['http://10.0.0.1/', 'leads to 10.0.0.1, which is not public'],
    ['http://[fe80::1]/', 'leads to fe80::1, which is not public'],
    ['http://[::ffff:192.168.0.1]/', 'leads to ::ffff:c0a8:1, which is not public'],
    ['http://[64:ff9b::a00:1]/', 'leads to 64:ff9b::a00:1, which is not public'],
    ['http://0/', 'leads to 0.0.0.0, which is not public'],
    ['http://feeds.example:22/', 'leads to port 22, and only'],
    ['file:///etc/passwd', 'leads to file:, and only http and https are read'],
    ['ftp://feeds.example/', 'leads to ftp:, and only http and https are read'],
    ['https://user:hunter2@feeds.example/', 'leads to an address with a user name in it'],
    ['http://', 'answers 302 and does not say where to go'],
  ];

  test('a redirect to a forbidden address is not followed', async () => {
    const feeds = FORBIDDEN.map(([location], index) => feed(server.serve(`/led-${index}`, to(location))));
    const outcomes = await pullAll(feeds);
    for (const [index, [location, error]] of FORBIDDEN.entries()) {
      expect(outcomes[index]?.error, location).toContain(error);
      expect(outcomes[index]?.error).not.toContain('hunter2');
    }
  });
});

describe('by default', () => {
  const strict = { NEWS_FEEDS_ALLOW_LOOPBACK: '' };

  const OWN: [host: string, error: string][] = [
    ['127.0.0.1', 'leads to 127.0.0.1, which is not public'],
    ['2130706433', 'leads to 127.0.0.1, which is not public'],
    ['[::1]', 'leads to ::1, which is not public'],
    ['[::ffff:127.0.0.1]', 'leads to ::ffff:7f00:1, which is not public'],
    ['localhost', 'leads to localhost, which is '],
  ];

  test('nothing is requested from this machine', async () => {
    server.serve('/private', rss([item('private')]));
    const feeds = OWN.map(([host]) => feed(`http://${host}:${server.port}/private`));
    const outcomes = await pullAll(feeds, strict);
    for (const [index, [host, error]] of OWN.entries()) expect(outcomes[index]?.error, host).toContain(error);
    expect(server.asked('/private')).toEqual([]);
  });

  test('nothing is requested from other ports', async () => {
    const url = server.serve('/port', rss([item('port')]));
    expect(await pull(url, {}, { NEWS_FEEDS_PORTS: '' })).toMatchObject({
      error: `leads to port ${server.port}, and only 80, 443 may be used`,
    });
    expect(server.asked('/port')).toEqual([]);
  });
});

describe('feeds', () => {
  test('feeds are listed with the results of their pulls', async () => {
    const url = server.serve('/listed', rss([item('listed')]));
    const one = feed(url, {
      severity: 'notice',
      licence: 'OGL 3.0',
      attribution: 'Contains public information',
      hosts: ['listed.example'],
      authority: true,
      regulator: 'fca',
    });
    const list = async () => JSON.parse(succeeded(await news(['feeds', '--json'], [one])));
    expect(await list()).toEqual([{ ...one, lastPulledAt: null, lastError: null, failures: 0, taken: 0 }]);
    await pull(url);
    expect(await list()).toMatchObject([{ lastPulledAt: expect.any(String), lastError: null, failures: 0, taken: 1 }]);
    server.serve('/listed', (_req, res) => res.writeHead(503).end());
    await pull(url);
    await pull(url);
    expect(await list()).toMatchObject([{ lastError: 'answers 503', failures: 2, taken: 1 }]);
    const { stdout } = await news(['feeds'], [one]);
    expect(stdout).toContain('OGL 3.0');
    expect(stdout).toContain('answers 503');
    server.serve('/listed', rss([item('listed')]));
    await pull(url);
    expect(await list()).toMatchObject([{ lastError: null, failures: 0, taken: 1 }]);
  });

  test('feeds that fail are named in the table, and make the exit code 1', async () => {
    const good = server.serve('/table', rss([item('table'), { title: 'no address' }]));
    const { code, stdout, stderr } = await news(['pull'], [feed(good), feed(`${server.origin}/nowhere`)]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^source +feed +status +taken +known +refused +without date +waiting +left out +error/m);
    expect(stdout).toMatch(/\/nowhere +failed +0 .* answers 404/);
    expect(stderr).toContain(`${good}: "no address" has no address\n`);
    expect(stderr).toContain('1 of 2 feeds failed.\n');
  });

  test.each([
    ['{', /^NEWS_FEEDS: .*\.json: is not JSON: .*\n$/],
    [
      JSON.stringify([feed('https://a.example/'), feed('https://b.example/', { authority: true, regulator: 'fcaa' })]),
      /^NEWS_FEEDS: feed 2, regulator: no regulator has the code "fcaa"\n$/,
    ],
    [
      '[{"url": "ftp://x.example/"}]',
      /^NEWS_FEEDS: .*\.json: feed 1, url: must be an absolute http or https address; feed 1, source: /,
    ],
  ])('feeds in a file like %s are refused', async (text, message) => {
    for (const command of ['pull', 'feeds']) {
      const { code, stderr } = await news([command], text);
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
    }
  });

  test('refuses to pull or list feeds without a file of them, or with a missing one', async () => {
    const missing = await news(['pull'], [], { NEWS_FEEDS: '/nowhere/feeds.json' });
    expect(missing).toMatchObject({ code: 1, stderr: 'NEWS_FEEDS: /nowhere/feeds.json cannot be read (ENOENT)\n' });
    const unset = await news(['feeds'], [], { NEWS_FEEDS: '' });
    expect(unset.code).toBe(1);
    expect(unset.stderr).toMatch(/^No feeds are configured: set NEWS_FEEDS /);
  });
});
