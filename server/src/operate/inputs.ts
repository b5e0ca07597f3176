import { DomainError } from '../platform/domain-error.ts';
import type { Db } from '../platform/mongo.ts';
import type { Config } from './config.ts';

/** Files that settings name. They are read before the start, since a job would find their faults only at night. */
type InputSettings = Pick<Config, 'newsFeeds' | 'registers'>;

/** Rethrows a fault in a file as one of the setting that names it. */
const blameSetting =
  (prefix: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('invalid_setting', `${prefix}${error.message}`);
  };
const blameFeeds = blameSetting('NEWS_FEEDS: ');

const requireFeeds = async (path: string): Promise<void> => {
  const { readFeeds } = await import('../features/news/pull.ts'); // most processes never need the parsers
  await readFeeds(path).catch(blameFeeds);
};

const requireRegisters = async (path: string): Promise<void> => {
  const { readConfiguredLists } = await import('../intake/registers/fetching/lists.ts');
  await readConfiguredLists(path).catch(blameSetting('')); // its messages name the setting
};

/** Reads the lists that settings name. @throws DomainError invalid_setting */
export const requireInputs = async ({ newsFeeds, registers }: InputSettings): Promise<void> => {
  if (newsFeeds !== undefined) await requireFeeds(newsFeeds);
  if (registers !== undefined) await requireRegisters(registers);
};

/** Checks that the regulators named by feeds exist. The database must be open. @throws DomainError invalid_setting */
export const requireFeedRegulators = async (db: Db, { newsFeeds }: Pick<Config, 'newsFeeds'>): Promise<void> => {
  if (newsFeeds === undefined) return;
  const { readFeeds, requireRegulators } = await import('../features/news/pull.ts');
  await readFeeds(newsFeeds)
    .then((feeds) => requireRegulators(db, feeds))
    .catch(blameFeeds);
};
