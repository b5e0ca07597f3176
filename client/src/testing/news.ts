import type { NewsItem } from '@broker-transparency/client';
import { NEWS_CATEGORIES, NEWS_SEVERITIES } from '@broker-transparency/contract';
import type { NewsFixture } from './fixtures.ts';
import { createRandom } from './random.ts';
import { daysBefore } from './times.ts';
import { HEADLINES, toBrokerName } from './words.ts';

/** Draws everything about an item that its fixture leaves out. The newest item has the `number` 1. */
export const drawNews = (
  fixture: NewsFixture,
  number: number,
  { seed, at, slugs }: { readonly seed: string; readonly at: Date; readonly slugs: readonly string[] },
): NewsItem => {
  const random = createRandom(seed, 'news', String(number));
  const category = fixture.category ?? random.pick(NEWS_CATEGORIES);
  const subject = slugs.length === 0 ? undefined : random.pick(slugs);
  const brokerSlugs = fixture.brokerSlugs ?? (subject === undefined ? [] : [subject]);
  return {
    id: `news-${number}`,
    title: `[Fictional] ${HEADLINES[category]} ${brokerSlugs.map(toBrokerName).join(', ') || 'nobody'}`,
    summary: 'Fictional news, for tests only.',
    url: `https://news.example/${number}`,
    source: 'Fictional Gazette',
    severity: random.pick(NEWS_SEVERITIES),
    regulatorCodes: [],
    language: 'en',
    publishedAt: daysBefore(at, number).toISOString(),
    ...fixture,
    category,
    brokerSlugs,
  };
};
