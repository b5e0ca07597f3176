import { DomainError } from '../platform/domain-error.ts';
import type { Db } from '../platform/mongo.ts';
import type { Config } from './config.ts';

const ofSetting = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('invalid_setting', `NEWS_FEEDS: ${error.message}`);
  });

/** Reads the list of feeds, if there is one, so that a wrong one stops the start. @throws DomainError invalid_setting */
export const requireFeeds = async ({ newsFeeds }: Pick<Config, 'newsFeeds'>): Promise<void> => {
  if (newsFeeds === undefined) return;
  const { readFeeds } = await import('../features/news/pull.ts'); // most processes never need the parsers
  await ofSetting(readFeeds(newsFeeds));
};

/** Checks that there are the regulators that feeds name. The database must be open. @throws DomainError invalid_setting */
export const requireFeedRegulators = async (db: Db, { newsFeeds }: Pick<Config, 'newsFeeds'>): Promise<void> => {
  if (newsFeeds === undefined) return;
  const { readFeeds, requireRegulators } = await import('../features/news/pull.ts');
  await ofSetting(readFeeds(newsFeeds).then((feeds) => requireRegulators(db, feeds)));
};
