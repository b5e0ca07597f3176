import { contract, type RouteMeta, transparencyContract } from '@broker-transparency/contract';
import { expect, test } from 'vitest';
import { createResponseCache, toCachedAnswer } from '../http/cache/response-cache.ts';
import { type AppRouter, isAppRoute } from '../http/endpoints/rest.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { createCacheCounts } from '../platform/observe/reading.ts';
import { cacheFeed, TAGGED_CHANGES } from './cache-tags.ts';

const counts = createCacheCounts(createMetrics());

const shows = (router: AppRouter): string[] =>
  Object.values(router).flatMap((entry) =>
    isAppRoute(entry) ? ((entry.metadata as RouteMeta).shows ?? []) : shows(entry),
  );

/** The tags that a change in each collection affects, for a document about the broker "alpha". */
const CHANGES: Record<string, { id: string; document?: Record<string, unknown>; tags: string[] }> = {
  brokers: { id: 'alpha', tags: ['brokers', 'broker:alpha', 'reviews:alpha'] },
  regulators: { id: 'fca', tags: ['regulators'] },
  reviews: { id: 'r1', document: { broker: 'alpha' }, tags: ['reviews:alpha'] },
  ratingMonths: { id: 'alpha 2026-11', tags: ['reviews:alpha'] },
  news: { id: 'n1', tags: ['news'] },
  moderationCounts: { id: 'alpha 4f', tags: ['moderation:alpha'] },
  operators: { id: 'maria', tags: ['operators'] },
};
const ALL = [...new Set([...shows(contract), ...shows(transparencyContract)])].map((tag) =>
  tag.replace(/\{\w+\}/, 'alpha'),
);

test('covers every watched collection, and every tag that an answer shows', () => {
  expect(Object.keys(CHANGES).sort()).toEqual(TAGGED_CHANGES.map((change) => change['ns.coll']).sort());
  expect(ALL.filter((tag) => !Object.values(CHANGES).some(({ tags }) => tags.includes(tag)))).toEqual([]);
});

test.each(Object.entries(CHANGES))(
  'a change in %s drops exactly the answers with its tags',
  async (collection, { id, document, tags }) => {
    const cache = createResponseCache(2 ** 20, () => Date.now(), counts);
    for (const tag of ALL)
      await cache.obtain(tag, [tag], async () =>
        toCachedAnswer({ limit: 'public', body: tag, headers: {}, route: tag, builtAt: Date.now() }),
      );
    cacheFeed(cache).changed({ collection, id, document });
    expect(ALL.filter((tag) => cache.find(tag) === undefined).sort()).toEqual(tags.sort());
  },
);

test('a deleted review affects no tags itself, since its rating month does', () => {
  const cache = createResponseCache(2 ** 20, () => Date.now(), counts);
  expect(() => cacheFeed(cache).changed({ collection: 'reviews', id: 'r1', document: undefined })).not.toThrow();
});
