import { countUnnoted, noteOrigins } from '../../features/news/former.ts';
import type { Migration } from './migration.ts';

/** Items that an older process stores meanwhile keep their precedence over every feed, as before. */
export const newsOrigins: Migration = {
  version: 4,
  name: 'news-origins',
  what: 'notes which feed brought a news item, so that the feed that owns its address can take its place',
  count: countUnnoted,
  run: noteOrigins,
};
