import { lastEntry } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { inBatches } from '../../platform/jobs/batches.ts';
import type { JobRun } from '../../platform/jobs/job.ts';
import type { Tx } from '../../platform/mongo.ts';
import { standingOf, type Taken } from './feeds/precedence.ts';
import { countUnnoted, nextUnnoted, saveTaken } from './feeds/store.ts';
import { readNews } from './store.ts';

const BATCH = 200;

/**
 * Returns the feed that brought an item, according to the audit trail. An item that is gone or was imported still gives
 * way to no feed.
 */
const originOf = async (_id: string, url: string | undefined, tx: Tx): Promise<Taken> => {
  const entry = url === undefined ? null : await lastEntry('news', _id, tx);
  const feed = entry?.action === 'news.taken' ? entry.after?.['feed'] : null;
  if (url === undefined || typeof feed !== 'string') return { _id, feed: null };
  return { _id, feed, standing: standingOf({ url: feed, hosts: [], authority: false }, url) };
};

export { countUnnoted };

/** Records the feeds that brought the items of an earlier release, so that the owner of an address can replace them. */
export const noteOrigins = async (context: Context, run: JobRun): Promise<number> =>
  inBatches(context, run, {
    total: (run.checkpoint?.done ?? 0) + (await countUnnoted(context.db)),
    next: (after) => nextUnnoted(context.db, after, BATCH),
    work: async ({ tx }, ids) => {
      const items = await readNews(ids, tx);
      const rows: Taken[] = [];
      for (const id of ids) rows.push(await originOf(id, items.get(id)?.url, tx));
      await saveTaken(rows, tx);
    },
  });
