import { describe, expect, test } from 'vitest';
import { type FeedRank, type IngestedItem, isKnown, isRemovedForAll, rankFeed } from './precedence.ts';

const feed = (url: string, hosts: string[] = [], authority = false) => ({ url, hosts, authority });

describe('an address', () => {
  test.each([
    ['https://regulator.example/rss', [], 'https://regulator.example/1'],
    ['https://regulator.example:8443/rss', [], 'http://regulator.example/1'],
    ['https://regulator.example/rss', [], 'https://www.regulator.example/1'],
    ['https://www.regulator.example/rss', [], 'https://regulator.example/1'],
    ['https://regulator.example/rss', [], 'https://a.b.regulator.example/1'],
    ['https://feeds.cdn.example/rss', ['regulator.example'], 'https://news.regulator.example/1'],
    ['http://127.0.0.1:3000/rss', [], 'http://127.0.0.1/1'],
  ])('the feed %s with the hosts %j owns the address %s', (url, hosts, address) => {
    expect(rankFeed(feed(url, hosts), address)).toBe('owner');
    expect(rankFeed(feed(url, hosts, true), address)).toBe('owning_authority');
  });

  test.each([
    ['https://blog.example/rss', [], 'https://regulator.example/1'],
    ['https://blog.example/rss', ['gator.example'], 'https://regulator.example/1'],
    ['https://regulator.example/rss', [], 'https://regulator.example.evil.example/1'],
    ['https://regulator.example/rss', [], 'https://regulator.example@evil.example/1'],
    ['https://evil.example/regulator.example', [], 'https://regulator.example/evil.example'],
    ['https://www.gov.example/rss', [], 'https://other.gov.example/1'],
    ['https://news.regulator.example/rss', [], 'https://regulator.example/1'],
    ['https://www.regulator.example/rss', [], 'https://wwwxregulator.example/1'],
    ['http://127.0.0.1:3000/rss', [], 'http://7.0.0.1/1'],
  ])('the feed %s with the hosts %j does not own the address %s', (url, hosts, address) => {
    expect(rankFeed(feed(url, hosts), address)).toBe('other');
    expect(rankFeed(feed(url, hosts, true), address)).toBe('authority');
  });
});

const ORDER: FeedRank[] = ['other', 'authority', 'owner', 'owning_authority'];
const EVERY = ORDER.flatMap((before, lower) =>
  ORDER.map((after, upper) => [before, after, upper > lower] as [FeedRank, FeedRank, boolean]),
);
const known = (
  standing: FeedRank,
  row?: IngestedItem,
  { feed: by = 'b', present = true, entryKey = undefined as string | undefined } = {},
) => isKnown({ id: '1', entryKey, standing }, by, new Map(row ? [[row._id, row]] : []), new Set(present ? ['1'] : []));

describe('an item', () => {
  test.each(EVERY)('an item of a feed of standing %s gives way to one of %s: %s', (before, after, gives) => {
    expect(known(after, { _id: '1', feed: 'a', standing: before })).toBe(!gives);
    expect(known(after, { _id: '1', feed: 'a', standing: before }, { present: false })).toBe(!gives);
    expect(known(after, { _id: '1', feed: 'b', standing: before })).toBe(true); // its own item
  });

  test.each(ORDER)('an item that an operator imported or removed gives way to no feed, not even to %s', (standing) => {
    expect(known(standing)).toBe(true);
    expect(known(standing, { _id: '1' })).toBe(true);
    expect(known(standing, { _id: '1', feed: null }, { present: false })).toBe(true);
  });

  test('an item that no feed brought is new, unless the feed has used its id before', () => {
    expect(known('other', undefined, { present: false })).toBe(false);
    expect(known('other', { _id: 'id:x' }, { present: false, entryKey: 'id:x' })).toBe(true);
  });
});

test.each([
  [undefined, true],
  [{ _id: '1' }, true],
  [{ _id: '1', feed: null }, true],
  [{ _id: '1', feed: 'a', standing: 'owner' }, true],
  [{ _id: '1', feed: 'a', standing: 'owning_authority' }, true],
  [{ _id: '1', feed: 'a', standing: 'other' }, false],
  [{ _id: '1', feed: 'a', standing: 'authority' }, false],
] as [IngestedItem | undefined, boolean][])(
  'the removal of %j also applies to the owner of the address: %s',
  (taken, holds) => {
    expect(isRemovedForAll(taken)).toBe(holds);
  },
);
