import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../languages.ts';
import { toChangeFeedEntry } from '../pages/feeds.ts';
import { type FeedEntry, renderFeed, toNewsFeedEntry, toTag } from './atom.ts';
import { badgeSvg } from './badge.ts';
import { cut } from './cut.ts';
import { schemaOrg } from './schema-org.ts';
import { renderBrokersSitemap, renderSitemapIndex } from './sitemap.ts';

const at = new Date('2026-11-23T12:00:00Z');
const site = { publicUrl: 'https://site.example', now: at };
const [english] = LANGUAGES;

const broker = (more: object = {}) =>
  ({
    slug: 'alpha-markets',
    name: 'Alpha Markets',
    legalName: 'Alpha Markets Ltd',
    tradingNames: [],
    website: 'https://alpha.example/',
    country: 'GB',
    foundedYear: null,
    description: '',
    status: 'operating',
    warnings: [],
    color: 'green',
    score: { value: 81.9 },
    licenseCounts: { confirmed: 1, held: 1, claimed: 0 },
    updatedAt: '2026-11-23T06:00:00.000Z',
    recentReviews: [],
    ...more,
  }) as never;

const HOSTILE = [
  ['a script', '</title><script>alert(1)</script>'],
  ['quotes', `${`"'&<>`.repeat(60)}`],
  ['text that turns', '\u202e\u2066evil\u202e'.repeat(20)],
  ['piled marks', `Z${'\u0335\u0321\u0489'.repeat(60)}`.repeat(30)],
  ['5 000 letters without a blank', 'W'.repeat(5000)],
  ['forty words', 'Überweisungsgesellschaft '.repeat(40)],
  ['wide letters', '株式会社'.repeat(60)],
  ['letters from right to left', 'شركة الوساطة المالية '.repeat(10)],
  ['families of emoji', '👩‍👩‍👧‍👦'.repeat(100)],
] as const;

describe('a badge', () => {
  test.each([
    ['a rated broker', {}, 'Score 81.9 of 100 · Good', '#1b7742'],
    ['one without a score', { score: { value: null }, color: 'gray' }, 'Not rated', '#5c6873'],
    ['a color of later', { color: 'mauve' }, 'Score 81.9 of 100 · Not rated', '#5c6873'],
    [
      'one without a confirmed licence',
      { licenseCounts: { confirmed: 0, held: 1, claimed: 2 }, score: { value: null }, color: 'gray' },
      'No licence is confirmed',
      '#5c6873',
    ],
    ['a suspected clone', { status: 'suspected_clone' }, 'Suspected clone of another firm', '#b3261e'],
    ['one that has ceased', { status: 'ceased' }, 'No longer in business', '#5c6873'],
    ['one with a warning', { warnings: [{ about: 'this_firm' }] }, 'An authority warns of this firm', '#b3261e'],
    [
      'one with a warning that was matched automatically',
      { warnings: [{ about: 'this_firm', match: 'unchecked' }] },
      'A warning, not confirmed yet',
      '#b3261e',
    ],
    [
      'one with such a warning and another one',
      { warnings: [{ about: 'this_firm', match: 'unchecked' }, { about: 'this_firm' }] },
      'An authority warns of this firm',
      '#b3261e',
    ],
    [
      'one that has ceased while an authority warns of it',
      { status: 'ceased', warnings: [{ about: 'this_firm' }] },
      'An authority warns of this firm',
      '#b3261e',
    ],
    [
      'one whose warning was withdrawn',
      { warnings: [{ about: 'this_firm', withdrawnAt: '2026-01-01T00:00:00Z' }] },
      'Score 81.9 of 100 · Good',
      '#1b7742',
    ],
    ['the victim of a clone', { warnings: [{ about: 'clone_of_it' }] }, 'Score 81.9 of 100 · Good', '#1b7742'],
  ])('the badge of %s has words beside the color', (_, more, line, color) => {
    const svg = badgeSvg(broker(more), english);
    expect(svg).toContain(`<text y="54">${line}</text>`);
    expect(svg).toContain(`<title id="t">Alpha Markets: ${line}</title>`);
    expect(svg).toContain(`.c{fill:${color}}`);
    expect(svg).toContain('23 Nov 2026. A score of published evidence');
  });

  test.each(HOSTILE)('a badge with %s for a name is whole and small', (_, name) => {
    for (const language of LANGUAGES) {
      const svg = badgeSvg(broker({ name, warnings: [{ about: 'this_firm' }] }), language);
      expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(2048);
      expect(svg.match(/<[^>]*>/g)?.map((tag) => tag.split(/[ >]/, 1)[0])).toEqual(
        '<svg <title </title <desc </desc <style </style <rect <rect <svg <text </text <text </text <text </text </svg </svg'.split(
          ' ',
        ),
      );
      expect(svg).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
  });
});

test.each([
  ['Alpha Markets', 20, 'Alpha Markets'],
  ['Alpha Markets International', 10, 'Alpha Mar…'],
  ['a\u0000b\nc\u202ed', 20, 'a b c d'],
  [`e${'\u0301'.repeat(9)}`, 20, 'e\u0301\u0301'],
  ['株式会社', 4, '株式…'],
  ['👩‍👩‍👧‍👦x', 20, '👩 👩 👧 👦x'],
])('%j at width %i is cut to %j', (text, width, kept) => {
  expect(cut(text, width)).toBe(kept);
});

describe('structured data', () => {
  const review = {
    rating: 4.5,
    title: 'Slow </script><script>alert(1)</script>',
    content: 'a & b \u2028 <!--',
    language: 'en',
    author: { displayName: 'Alice' },
    createdAt: '2026-11-02T09:30:00Z',
  };
  const readData = (language: Language, more: object) => {
    const text = schemaOrg({ ...site, ...language }, broker(more)).text;
    expect(text).toMatch(/^<script type="application\/ld\+json">[^<>&]*<\/script>\n$/);
    return JSON.parse(text.replace(/<[^>]*>/g, ''));
  };

  test('structured data name the firm and its reviews, and nothing can end their element', () => {
    const data = readData(english, { lei: '5493001KJTIIGC8Y1R12', foundedYear: 2012, recentReviews: [review] });
    expect(data).toMatchObject({
      '@type': 'Organization',
      legalName: 'Alpha Markets Ltd',
      url: 'https://alpha.example/',
      leiCode: '5493001KJTIIGC8Y1R12',
      foundingDate: '2012',
      review: [{ name: review.title, reviewBody: review.content, reviewRating: { ratingValue: 4.5, bestRating: 5 } }],
    });
    expect(JSON.stringify(data)).not.toContain('aggregateRating');
  });

  test('structured data of a suspected clone have neither its site nor the LEI of its victim', () => {
    const data = readData(english, { status: 'suspected_clone', lei: '5493001KJTIIGC8Y1R12' });
    expect(data).not.toHaveProperty('url');
    expect(data).not.toHaveProperty('leiCode');
  });
});

describe('the feed', () => {
  const item = {
    id: '1',
    title: 'A & B <b>\u0000\u0008\ud800',
    summary: ']]> "quoted"',
    url: 'https://news.example/?a=1&b="2"',
    source: 'Office',
    category: 'warning',
    severity: 'serious',
    brokerSlugs: [],
    regulatorCodes: [],
    language: 'en',
    publishedAt: '2026-11-02T09:30:00.000Z',
  };

  const context = { ...site, ...english };
  const renderEntries = (entries: readonly FeedEntry[]): string =>
    renderFeed(context, { id: 'tag:a', title: 'News', path: '/feeds/news.atom', page: '/news', entries });

  test('the feed has the time of its newest item, and no character that XML lacks', () => {
    const xml = renderEntries([toNewsFeedEntry(context, item)]);
    expect(xml).toContain('<updated>2026-11-02T09:30:00.000Z</updated>\n<link rel="self"');
    expect(xml).toContain('<title>A &amp; B &lt;b&gt;\ufffd\ufffd\ufffd</title>');
    expect(xml).toContain('href="https://news.example/?a=1&amp;b=&quot;2&quot;"');
  });

  test('the feed without items still has a time, the same all day', () => {
    expect(renderEntries([])).toContain('<updated>2026-11-23T00:00:00Z</updated>');
  });

  test('the feed is as new as the entry that changed last, wherever it stands', () => {
    const corrected = { ...item, id: '2', correctedAt: '2026-11-20T00:00:00.000Z' };
    const xml = renderEntries([item, corrected].map((one) => toNewsFeedEntry(context, one)));
    expect(xml).toContain('<updated>2026-11-20T00:00:00.000Z</updated>\n<link rel="self"');
  });

  test('a tag has neither the scheme nor the port of the service', () => {
    expect(toTag({ publicUrl: 'https://ratings.example:8443' }, 'entry/31')).toBe('tag:ratings.example,2026:entry/31');
  });

  const warningKey = 'warning/alpha-markets/0123';
  const step = {
    number: 31,
    time: '2026-11-20T08:00:00.000Z',
    key: warningKey,
    kind: 'warning',
    cause: 'fact',
    entries: [{ number: 31, key: warningKey }],
    value: 19,
    color: 'red',
    valueBefore: 80.4,
  } as const;
  const createFeedEntry = (more: object = {}, name = 'Alpha Markets', status = 'operating') =>
    toChangeFeedEntry(
      context,
      { slug: 'alpha-markets', name, status } as never,
      { ...step, ...more } as never,
      new Map([[warningKey, { source: 'Office', title: 'Not <authorised>', about: 'clone_of_it' }]]),
    );
  const bare = (text: string): string => text.replaceAll(/[\u2068\u2069]/g, '');

  test('an entry about a warning says who warns, whom it is about, and the score after it', () => {
    const { title, summary, id, url } = createFeedEntry();
    expect(bare(title)).toBe('Alpha Markets: Warning of an authority');
    expect(bare(summary)).toContain('Office: Not <authorised>. About somebody who pretends to be this firm.');
    expect(summary).toContain('Score after it: 19.0 Poor, 61.4 less.');
    expect([id, url]).toEqual([
      'tag:site.example,2026:entry/31',
      'https://site.example/brokers/alpha-markets#warnings',
    ]);
  });

  test.each([
    [{ match: 'unchecked' }, {}, 'Warning confirmed: a person has checked whom it is about. Office:'],
    [{}, { withdrawnAt: '2026-11-20T00:00:00Z' }, 'Warning withdrawn by the authority. Office:'],
    [{}, { title: 'Other words' }, 'Warning with new details. Office:'],
    [undefined, {}, 'Office:'],
  ])('an entry about a warning begins with what changed about it: %j to %j', (before, after, begin) => {
    const toFacts = (more: object | undefined) => ({
      facts: more === undefined ? [] : [{ key: warningKey, value: { about: 'this_firm', ...more } }],
    });
    const { summary } = createFeedEntry({ facts: { before: toFacts(before), after: toFacts(after) } });
    expect(bare(summary).startsWith(begin)).toBe(true);
  });

  test('an entry about anything else leads to what was known on its day', () => {
    const key = 'license/alpha-markets/fca/1%2F2';
    const { url, summary } = createFeedEntry({ key, kind: 'license', entries: [{ number: 31, key }] });
    expect(url).toBe('https://site.example/brokers/alpha-markets/history?on=2026-11-20');
    expect(summary).not.toContain('Office');
  });

  test('an entry about a suspected clone has no score', () => {
    expect(createFeedEntry({}, 'Alpha Markets', 'suspected_clone').summary).not.toContain('Score');
  });

  test('a name can neither end an element nor turn the text after it', () => {
    const xml = renderEntries([createFeedEntry({}, '</title>\u202e<entry>')]);
    expect(xml).toContain('<title>\u2068&lt;/title&gt;&lt;entry&gt;\u2069: Warning of an authority</title>');
  });

  test('a title names four subjects, and counts the others', () => {
    const entries = Array.from({ length: 6 }, (_, n) => ({ number: n, key: `license/alpha-markets/fca/${n}` }));
    expect(bare(createFeedEntry({ entries }).title)).toMatch(/FCA 0, .*FCA 3 and 2 more$/);
  });
});

describe('the sitemap', () => {
  const all = Array.from({ length: 12_001 }, (_, n) => `broker-${n}`);
  const slugs = (limit: number, offset: number) => all.slice(offset, offset + limit);

  test('the sitemap has each broker once in each language, in files of at most 10 000 addresses', () => {
    const index = renderSitemapIndex({ ...site, slugs });
    const files = [...index.matchAll(/brokers-(\d+)\.xml/g)].map(([, part]) => Number(part));
    const parts = files.map((part) => renderBrokersSitemap({ ...site, slugs }, part) as string);
    const found = parts.map((text) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address));
    expect(Math.max(...found.map((one) => one.length))).toBeLessThanOrEqual(10_000);
    expect(new Set(found.flat()).size).toBe(all.length * LANGUAGES.length);
    expect(found.flat()).toHaveLength(all.length * LANGUAGES.length);
    expect(renderBrokersSitemap({ ...site, slugs }, files.length + 1)).toBeUndefined();
  });
});
