import { pause } from '../deadline.ts';
import type { ChangesPage } from '../generated/enterprise.ts';
import { type EnterpriseCalls, type EnterpriseClient, type FeedOptions, followPatiently } from './calls.ts';

/** Longest wait of one request in seconds. */
const WAIT = 25;
/** Time between two looks at a feed that has not grown to the end of the record yet. */
const GROWING_MS = 250;

/**
 * Yields the pages of the feed, without end: waits for new entries, and continues after a lost connection and temporary
 * refusals. With `wait: 0` it ends where the record ends.
 * @throws RequestError as calls do
 * @example for await (const { entries } of readFeed(client, { after: 41 })) console.log(entries);
 */
export const readFeed = (
  { enterprise }: EnterpriseClient,
  options: FeedOptions = {},
): AsyncGenerator<ChangesPage, void, undefined> => followFeed(enterprise, options);

/**
 * Yields the pages of the feed, one after the other.
 * @throws RequestError
 */
export async function* followFeed(
  { feed }: Pick<EnterpriseCalls, 'feed'>,
  { after: first, wait = WAIT, limit, kind, broker, watchlist, ...options }: FeedOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  const { signal } = options;
  /** Returns a limit that counts from the end of the wait. An unusable limit stays as it is, and is refused. */
  const afterWait = (ms: number | undefined) => (ms !== undefined && ms > 0 ? ms + wait * 1000 : ms);
  const { timeoutMs, tryTimeoutMs } = options;
  const asking = followPatiently({
    ...options,
    timeoutMs: afterWait(timeoutMs),
    tryTimeoutMs: afterWait(tryTimeoutMs),
  });
  let after = first ?? -1;
  for (;;) {
    const asked = { after, wait: wait || undefined, limit, kind, broker, watchlist };
    const page = await feed.changes(asked, asking);
    yield page;
    // a page that leads back is for the reader to name: the feed itself never goes back
    after = Math.max(after, page.through);
    if (wait === 0 && page.entries.length === 0 && page.through >= page.end) return;
    // the log has yet to grow to the end of the record: who asks again at once uses up the budget
    if (page.entries.length === 0 && page.through === page.after) await pause(GROWING_MS, signal);
    signal?.throwIfAborted();
  }
}
