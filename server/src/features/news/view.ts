import type { NewsItem } from '@broker-transparency/contract';
import type { NewsRecord } from './record.rule.ts';
import type { NewsDocument } from './store.ts';

/** Returns a stored item in the form of an import. */
export const storedNews = ({ _id, publishedAt, ...fields }: NewsDocument): NewsRecord => ({
  ...fields,
  publishedAt: publishedAt.toISOString(),
});

/** Returns a news item as it is published. `toCurrentSlug` returns the current slug of a broker. */
export const newsView = (
  { _id, publishedAt, ...fields }: NewsDocument,
  toCurrentSlug: (slug: string) => string,
): NewsItem => ({
  id: _id,
  ...fields,
  brokerSlugs: [...new Set(fields.brokerSlugs.map(toCurrentSlug))],
  publishedAt: publishedAt.toISOString(),
});
