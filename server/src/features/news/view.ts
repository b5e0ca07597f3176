import type { NewsItem } from '@broker-transparency/contract';
import type { NewsDocument } from './store.ts';

export const newsView = ({ _id, publishedAt, ...fields }: NewsDocument): NewsItem => ({
  id: _id,
  ...fields,
  publishedAt: publishedAt.toISOString(),
});
