import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NewsRecord, newsId } from '../record.rule.ts';
import type { NewsFeedEntry } from './entries.ts';
import type { Feed } from './feed.ts';
import { sortEntries, toRecord } from './item.ts';
import { entryKey } from './key.ts';

const now = new Date('2026-11-20T12:00:00Z');
const feedUrl = 'https://feed.example/rss';
const feed = {
  url: feedUrl,
  source: 'Gazette',
  language: 'en',
  category: 'market',
  severity: 'info',
  hosts: [],
  authority: true,
} as const satisfies Feed;
const place = { feed, base: 'https://cdn.example/feeds/rss', now };
const entry = (over: Partial<NewsFeedEntry> = {}): NewsFeedEntry => ({
  guid: 'g',
  link: 'https://a.example/1',
  title: 'Alpha opens an office',
  markup: '<p>In <b>Rome</b>.</p>',
  date: '2026-11-19T08:00:00Z',
  ...over,
});
const reading = { feed, lossy: false, mentionsIn: () => ({ brokerSlugs: ['alpha'], regulatorCodes: ['fca'] }) };

describe('an item', () => {
  test('an item is recognised by its address and its id', () => {
    const { candidates } = sortEntries([entry(), entry({ guid: undefined })], place);
    const id = newsId('https://a.example/1');
    expect(candidates).toMatchObject([
      { id, entryKey: entryKey(feedUrl, 'g') },
      { id, entryKey: undefined },
    ]);
    expect(entryKey(feedUrl, 'g')).not.toBe(entryKey('https://other.example/', 'g'));
  });

  test.each([
    ['/1?x#y', 'https://cdn.example/1?x#y'],
    ['2', 'https://cdn.example/feeds/2'],
    ['//b.example/1', 'https://b.example/1'],
    ['HTTPS://B.example/ä', 'https://b.example/%C3%A4'],
  ])('an item with the link %s has the address %s', (link, url) => {
    expect(sortEntries([entry({ link })], place).candidates[0]?.url).toBe(url);
  });

  test.each([
    [undefined, 'has no address'],
    ['javascript:alert(1)', 'has an address that is no web page'],
    [' java\nscript:alert(1)', 'has an address that is no web page'],
    ['data:text/html,x', 'has an address that is no web page'],
    ['mailto:a@b.example', 'has an address that is no web page'],
    ['https://user:pw@a.example/', 'has an address that is no web page'],
    ['https://', 'has an address that is no web page'],
    [`https://a.example/${'x'.repeat(2000)}`, 'has an address that is no web page'],
  ])('an item with the link %j %s', (link, reason) => {
    const { candidates, refused } = sortEntries([entry({ link })], place);
    expect(candidates).toEqual([]);
    expect(refused).toEqual([{ item: 'Alpha opens an office', reason }]);
  });

  test.each([
    ['2026-11-19T08:00:00Z', '2026-11-19T08:00:00.000Z'],
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
    [undefined, now.toISOString()],
    ['once upon a time', now.toISOString()],
    ['0001-01-01T00:00:00Z', now.toISOString()],
  ])('an item with the date %s is published at %s', (date, at) => {
    expect(sortEntries([entry({ date })], place).candidates[0]?.publishedAt.toISOString()).toBe(at);
  });

  test.each([
    ['2026-11-19T08:00:00Z', '', undefined],
    [undefined, '<time datetime="2026-04-24T13:58:36+02:00">24 April</time>', undefined],
    ['once upon a time', '', 'seen'],
  ])('an item with the date %s and the text %j is marked as %s', (date, markup, dating) => {
    const [candidate] = sortEntries([entry({ date, markup })], place).candidates;
    expect(candidate?.dating).toBe(dating);
    expect(candidate && toRecord(candidate, reading)).toMatchObject({ url: entry().link, ...(dating && { dating }) });
  });

  test.each([
    [{ title: '<b>Alpha</b> opens' }, 'Alpha opens'],
    [{ title: '<p>', guid: 'tag:a\u001b[31m,\n2026' }, 'tag:a [31m, 2026'],
    [{ title: '', guid: undefined }, 'item 1'],
  ])('an item with %j is refused under the label %j', (over, item) => {
    expect(sortEntries([entry({ ...over, link: undefined })], place).refused).toMatchObject([{ item }]);
  });

  test('waits if its date is in the future', () => {
    expect(sortEntries([entry({ date: '2026-11-20T12:00:01Z' }), entry()], place)).toMatchObject({
      candidates: [{}],
      refused: [],
      waiting: 1,
    });
  });
});

test('takes the newest 200 of many items, whatever their order', () => {
  const many = Array.from({ length: 500 }, (_, n) => entry({ date: new Date(Date.UTC(2025, 0, 1, n)).toISOString() }));
  const { candidates, leftOut } = sortEntries(many, place);
  expect(candidates).toHaveLength(200);
  expect(leftOut).toBe(300);
  expect(candidates[0]?.entry).toBe(many[499]);
  expect(candidates[199]?.entry).toBe(many[300]);
});

const makeRecord = (over: Partial<NewsFeedEntry>, lossy = false) => {
  const [candidate] = sortEntries([entry(over)], place).candidates;
  if (candidate === undefined) throw new Error('no candidate');
  return toRecord(candidate, { ...reading, lossy });
};

describe('the news record of an item', () => {
  test('combines the texts of the feed and the item', () => {
    expect(makeRecord({})).toEqual({
      title: 'Alpha opens an office',
      summary: 'In Rome.',
      url: 'https://a.example/1',
      source: 'Gazette',
      category: 'market',
      severity: 'info',
      brokerSlugs: ['alpha'],
      regulatorCodes: ['fca'],
      language: 'en',
      publishedAt: '2026-11-19T08:00:00.000Z',
    });
  });

  test.each([
    [{ title: 'word '.repeat(200) }, { title: `${'word '.repeat(59)}word…` }],
    [{ markup: 'word '.repeat(200) }, { summary: `${'word '.repeat(79)}word…` }],
    [{ markup: '<img src=x>' }, { summary: 'Alpha opens an office' }],
    [
      { title: 'Alpha fined', markup: '' },
      { category: 'enforcement', severity: 'serious', summary: 'Alpha fined' },
    ],
    [{ title: 'a\u0000<b>b</b>\u001B[31m c' }, { title: 'a b [31m c' }],
    [{ title: 'a\uFFFDb' }, { title: 'a b' }],
  ])('the record of an item with %j has %j', (over, expected) => {
    expect(makeRecord(over)).toMatchObject(expected);
  });

  test.each([
    [{ title: ' ' }, 'has no title'],
    [{ title: '<img src=x>' }, 'has no title'],
    [{ title: 'ab' }, 'title must have at least 3 characters'],
  ])('the record of an item with %j is refused: %s', (over, reason) => {
    expect(makeRecord(over)).toMatchObject({ reason });
  });

  test('an item is refused only if its own bytes could not be decoded', () => {
    expect(makeRecord({ title: 'a\uFFFDbc' }, true)).toMatchObject({ reason: 'has bytes that are not in its charset' });
    expect(makeRecord({}, true)).toMatchObject({ title: 'Alpha opens an office' });
  });

  test('links the regulator of its feed once', () => {
    const [candidate] = sortEntries([entry()], place).candidates;
    const record = (regulator: string) =>
      candidate && toRecord(candidate, { ...reading, feed: { ...feed, regulator } });
    expect(record('bafin')).toMatchObject({ regulatorCodes: ['bafin', 'fca'] });
    expect(record('fca')).toMatchObject({ regulatorCodes: ['fca'] });
  });

  test('the record of an item has at most as many links as the contract allows', () => {
    const [candidate] = sortEntries([entry()], place).candidates;
    const brokerSlugs = Array.from({ length: 300 }, (_, n) => `b-${n}`);
    const record =
      candidate && toRecord(candidate, { ...reading, mentionsIn: () => ({ brokerSlugs, regulatorCodes: [] }) });
    expect(record).toMatchObject({ brokerSlugs: brokerSlugs.slice(0, 100) });
  });
});

test('any item is taken, refused by name, waiting or left out, and each taken one is valid news', () => {
  const trap = fc.constantFrom('a', ' ', '\n', '\ud800', '\u202e', '<', '>', '&', '\0', '😀', '/');
  const text = fc.oneof(fc.string({ unit: trap }), fc.lorem({ maxCount: 80 }));
  const link = fc.oneof(
    text,
    text.map((path) => `https://a.example/${path}`),
    text.map((path) => `/${path}`),
  );
  const date = fc.oneof(fc.constantFrom('', '2026-11-19', '2027-01-01', 'Thu, 01 Jan 1970 00:00:00 GMT'), text);
  const optional = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary, { nil: undefined });
  const item = fc.record({
    guid: optional(text),
    link: optional(link),
    title: text,
    markup: text,
    date: optional(date),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), fc.boolean(), (entries, lossy) => {
      const { candidates, refused, waiting, leftOut } = sortEntries(entries, place);
      expect(candidates.length + refused.length + waiting + leftOut).toBe(entries.length);
      expect(candidates.every(({ publishedAt }) => publishedAt <= now)).toBe(true);
      for (const candidate of candidates) {
        const record = toRecord(candidate, { ...reading, lossy });
        if ('reason' in record) refused.push(record);
        else expect(NewsRecord.parse(record)).toEqual(record);
      }
      for (const { item: name, reason } of refused) {
        expect(name).toMatch(/^[^\p{Cs}\p{Cc}]{1,80}$/u);
        expect(reason).toMatch(/^[^\p{Cs}\p{Cc}]+$/u);
      }
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
