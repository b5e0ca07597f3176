import type { NewsItem } from '@broker-transparency/contract';
import type { NewsDocument } from './store.ts';

/** Returns a news item as it is published. `slugOf` returns the current slug of a broker. */
export const newsView = (
  { _id, publishedAt, ...fields }: NewsDocument,
  slugOf: (slug: string) => string,
): NewsItem => ({
  id: _id,
  ...fields,
  brokerSlugs: [...new Set(fields.brokerSlugs.map(slugOf))],
  publishedAt: publishedAt.toISOString(),
});
