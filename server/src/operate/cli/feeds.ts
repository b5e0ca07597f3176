import type { Feed } from '../../features/news/feeds/feed.ts';
import { type FeedOutcome, pullNews, readFeedStates, readFeeds } from '../../features/news/pull.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Config, readConfig } from '../config.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { printError, printRows } from './output.ts';
import { wrapError } from './reworded.ts';

/** Maximum number of refused items that are named per feed. The rest are counted. */
const MOST_NAMED = 10;

/** Adds the name of the setting to an error about the list of feeds. */
const withSettingName = <T>(work: Promise<T>): Promise<T> => wrapError(work, ({ message }) => `NEWS_FEEDS: ${message}`);

/** Reads the configured feeds before a database is opened. @throws DomainError if they are missing or invalid */
const readConfiguredFeeds = async ({ newsFeeds }: Config): Promise<Feed[]> => {
  if (newsFeeds === undefined)
    throw new DomainError(
      'not_found',
      'No feeds are configured: set NEWS_FEEDS to a JSON file that lists them. See docs/operating/news.md.',
    );
  return withSettingName(readFeeds(newsFeeds));
};

/** Prints the items of a feed that were refused. */
const printRefused = ({ url, refused }: FeedOutcome): void => {
  for (const { item, reason } of refused.slice(0, MOST_NAMED)) printError(`${url}: "${item}" ${reason}`);
  if (refused.length > MOST_NAMED) printError(`${url}: … and ${refused.length - MOST_NAMED} more items are refused.`);
};

const pull = async ({ database, env, json }: CommandTools): Promise<void> => {
  const config = readConfig(env);
  const feeds = await readConfiguredFeeds(config);
  const rules = { ports: config.newsFeedsPorts, allowLoopback: config.newsFeedsAllowLoopback };
  const outcomes = await database((context) => withSettingName(pullNews(context, feeds, { rules })));
  printRows(
    outcomes,
    [
      'source',
      ['feed', 'url'],
      'status',
      'taken',
      'known',
      ['refused', (row) => row.refused.length],
      ['without date', 'undated'],
      'waiting',
      ['left out', 'leftOut'],
      'error',
    ],
    json,
  );
  outcomes.forEach(printRefused);
  const failed = outcomes.filter(({ status }) => status === 'failed').length;
  if (failed > 0) throw new DomainError('failed', `${failed} of ${outcomes.length} feeds failed.`);
};

export const feedCommands = [
  defineCommand({
    words: 'news pull',
    description: 'read the feeds that NEWS_FEEDS lists, and store the new items',
    rights: { roles: ['editor'], unattended: true },
    json: true,
    noDryRun: 'It fetches feeds, and remembers how far it read them.',
    example: 'NEWS_FEEDS=/etc/ratings/feeds.json broker-rating news pull',
    run: pull,
  }),
  defineCommand({
    words: 'news feeds',
    description: 'list the feeds of NEWS_FEEDS, and how their last pulls went',
    rights: { open: true, reads: true },
    example: 'NEWS_FEEDS=/etc/ratings/feeds.json broker-rating news feeds --json',
    run: async ({ database, env }) => {
      const feeds = await readConfiguredFeeds(readConfig(env));
      return database(({ db }) => withSettingName(readFeedStates(db, feeds)));
    },
    columns: [
      'source',
      ['feed', 'url'],
      'category',
      'language',
      'authority',
      'regulator',
      'licence',
      ['last pull', 'lastPulledAt'],
      'taken',
      'failures',
      ['last error', 'lastError'],
    ],
  }),
];
