import { countUnnoted, noteOrigins } from '../../features/news/former.ts';
import type { Migration } from './migration.ts';

/** What an older process takes meanwhile stands against every feed, as it did. */
export const newsOrigins: Migration = {
  version: 4,
  name: 'news-origins',
  what: 'notes which feed brought a news item, so that the feed that owns its address can take its place',
  count: countUnnoted,
  run: noteOrigins,
};
