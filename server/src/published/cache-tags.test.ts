import { ROUTES } from '@broker-transparency/contract/routes';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { createResponseCache, toCachedAnswer } from '../http/cache/response-cache.ts';
import { MODULES } from '../modules.ts';
import type { DocumentChange } from '../platform/changes.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { createCacheCounts } from '../platform/observe/reading.ts';
import { cacheFeed, listTaggedChanges } from './cache-tags.ts';

const counts = createCacheCounts(createMetrics());

const TAGS = ROUTES.flatMap(({ metadata }) => metadata.shows ?? []);

/** The tags that a change in each collection affects, for a document about the broker "alpha". */
const CHANGES: Record<string, { id: string; document?: Record<string, unknown>; tags: string[] }> = {
  brokers: { id: 'alpha', tags: ['brokers', 'broker:alpha', 'reviews:alpha'] },
  regulators: { id: 'fca', tags: ['regulators'] },
  reviews: { id: 'r1', document: { broker: 'alpha' }, tags: ['reviews:alpha'] },
  ratingMonths: { id: 'alpha 2026-11', tags: ['reviews:alpha'] },
  news: { id: 'n1', tags: ['news'] },
  moderationDelays: { id: 'all', tags: ['moderation-delays'] },
  moderationCounts: { id: 'alpha 4f', tags: ['moderation:alpha'] },
  operators: { id: 'maria', tags: ['operators'] },
  brokerMarks: { id: 'alpha', tags: ['pages'] },
  recordSubtotals: { id: 'end', tags: ['record'] },
};
/** All tags of routes, that of pages, and those that lists of changed brokers and moderation counts add. */
const ALL = [...new Set([...TAGS, 'pages', 'record', 'moderation-delays'])].map((tag) =>
  tag.replace(/\{\w+\}/, 'alpha'),
);

test('covers every watched collection, and every tag that an answer shows', () => {
  expect(Object.keys(CHANGES).sort()).toEqual(
    listTaggedChanges(MODULES)
      .map((change) => change['ns.coll'])
      .sort(),
  );
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
    cacheFeed(cache, MODULES).changed({ collection, id, document });
    expect(ALL.filter((tag) => cache.find(tag) === undefined).sort()).toEqual(tags.sort());
  },
);

const published = { broker: 'alpha', status: 'published' };

test.each<[string, DocumentChange, boolean]>([
  ['a deleted review', { collection: 'reviews', id: 'r1', document: undefined }, true],
  ['a removed review', { collection: 'reviews', id: 'r1', document: { ...published, status: 'removed' } }, true],
  [
    'a review that was removed by a change of its status',
    { collection: 'reviews', id: 'r1', document: { ...published, status: 'removed' }, set: ['status', 'updatedAt'] },
    true,
  ],
  [
    'a note beside a review that waits for a moderator',
    { collection: 'reviews', id: 'r1', document: { ...published, status: 'pending' }, set: ['hints'] },
    false,
  ],
  ['a withheld review', { collection: 'reviews', id: 'r1', document: { ...published, status: 'withheld' } }, true],
  ['a deleted reply', { collection: 'reviews', id: 'r1', document: published, removed: ['reply'] }, true],
  ['deleted news', { collection: 'news', id: 'n1', document: undefined }, true],
  ['a published review', { collection: 'reviews', id: 'r1', document: published, removed: [] }, false],
  ['a removed mark', { collection: 'brokerMarks', id: 'alpha', document: undefined }, true],
  ['changed news', { collection: 'news', id: 'n1', document: {} }, false],
  ['a deleted regulator', { collection: 'regulators', id: 'fca', document: undefined }, false],
])('%s decides whether the last answer is given while no new one can be built', async (_case, change, isWithheld) => {
  const cache = createResponseCache(2 ** 20, () => Date.now(), counts);
  const body = { limit: 'public', body: 'text', headers: {}, route: '/', builtAt: Date.now() } as const;
  const away = () => Promise.reject(new mongoose.mongo.MongoNetworkError('gone'));
  await cache.obtain('/a', ['reviews:alpha'], async () => toCachedAnswer(body));
  cacheFeed(cache, MODULES).changed(change);
  cache.changed(['reviews:alpha']);
  const given = await cache.obtain('/a', ['reviews:alpha'], away).catch(() => undefined);
  expect(given === undefined).toBe(isWithheld);
});
