import { DomainError } from '../platform/domain-error.ts';
import type { Db } from '../platform/mongo.ts';
import type { Config } from './config.ts';

/** Files that settings name. They are read before a start: a job would find what is wrong with them at night. */
type Named = Pick<Config, 'newsFeeds' | 'registers'>;

const invalid = (detail: string): DomainError => new DomainError('invalid_setting', detail);

const ofFeeds = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    throw invalid(`NEWS_FEEDS: ${error.message}`);
  });

const requireFeeds = async (path: string): Promise<void> => {
  const { readFeeds } = await import('../features/news/pull.ts'); // most processes never need the parsers
  await ofFeeds(readFeeds(path));
};

const requireRegisters = async (path: string): Promise<void> => {
  const { readConfigured } = await import('./registers/fetching/lists.ts');
  await readConfigured(path).catch((error: DomainError) => {
    throw invalid(error.message);
  });
};

/** Reads the lists that settings name. @throws DomainError invalid_setting */
export const requireInputs = async ({ newsFeeds, registers }: Named): Promise<void> => {
  if (newsFeeds !== undefined) await requireFeeds(newsFeeds);
  if (registers !== undefined) await requireRegisters(registers);
};

/** Checks that there are the regulators that feeds name. The database must be open. @throws DomainError invalid_setting */
export const requireFeedRegulators = async (db: Db, { newsFeeds }: Pick<Config, 'newsFeeds'>): Promise<void> => {
  if (newsFeeds === undefined) return;
  const { readFeeds, requireRegulators } = await import('../features/news/pull.ts');
  await ofFeeds(readFeeds(newsFeeds).then((feeds) => requireRegulators(db, feeds)));
};
