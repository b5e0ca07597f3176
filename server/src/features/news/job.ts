import type { ServiceJob } from '../../ledger/define-module.ts';
import { pullNews, readFeeds } from './pull.ts';

/** Reads the feeds that `NEWS_FEEDS` lists. */
export const pullConfiguredFeeds: ServiceJob['run'] = async (context, { signal }, settings) => {
  if (settings.newsFeeds === undefined) return undefined;
  const rules = { ports: settings.newsFeedsPorts, allowLoopback: settings.newsFeedsAllowLoopback };
  const outcomes = await pullNews(context, await readFeeds(settings.newsFeeds), { rules, signal });
  const sum = (count: (one: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((all, one) => all + count(one), 0);
  return {
    feeds: outcomes.length,
    failed: sum(({ status }) => (status === 'failed' ? 1 : 0)),
    taken: sum(({ taken }) => taken),
    refused: sum(({ refused }) => refused.length),
  };
};
