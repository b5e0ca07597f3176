import type { ChangesPage } from '@broker-transparency/contract/enterprise';
import { pause } from '../deadline.ts';
import type { EnterpriseClient, FeedOptions } from './calls.ts';
import { untilAnswered } from './temporary.ts';

/** Longest wait of one request in seconds. */
const WAIT = 25;
/** Time between two looks at a feed that has not grown to the end of the record yet. */
const GROWING_MS = 250;

/**
 * Yields the pages of the feed, one after the other.
 * @throws StalledError after `most` consecutive refusals; by default it retries for ever
 */
export async function* readFeed(
  client: Pick<EnterpriseClient, 'changes'>,
  { signal, after: first, wait = WAIT, ...query }: FeedOptions,
  most?: number,
): AsyncGenerator<ChangesPage, void, undefined> {
  let after = first ?? -1;
  for (;;) {
    const asked = { ...query, after, wait: wait || undefined };
    const page = await untilAnswered(signal, () => client.changes(asked, { signal, retries: 0 }), most);
    yield page;
    // a page that leads back is for the reader to name: the feed itself never goes back
    after = Math.max(after, page.through);
    if (wait === 0 && page.entries.length === 0 && page.through >= page.end) return;
    // the log has yet to grow to the end of the record: who asks again at once uses up the budget
    if (page.entries.length === 0 && page.through === page.after) await pause(GROWING_MS, signal);
    signal?.throwIfAborted();
  }
}
