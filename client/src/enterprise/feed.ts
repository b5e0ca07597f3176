import type { ChangesPage } from '@broker-transparency/contract/enterprise';
import type { EnterpriseClient, FeedOptions } from './calls.ts';
import { untilAnswered } from './temporary.ts';

/** Longest wait of one request in seconds. */
const WAIT = 25;

/** Yields the pages of the feed, one after the other. */
export async function* readFeed(
  client: Pick<EnterpriseClient, 'changes'>,
  { signal, after: first, wait = WAIT, ...query }: FeedOptions,
): AsyncGenerator<ChangesPage, void, undefined> {
  let after = first !== undefined && first < 0 ? undefined : first;
  for (;;) {
    const asked = { ...query, after, wait: wait || undefined };
    const page = await untilAnswered(signal, () => client.changes(asked, { signal, retries: 0 }));
    yield page;
    // a page that leads back is for the reader to name: the feed itself never goes back
    after = Math.max(after ?? -1, page.through);
    if (after < 0) after = undefined;
    if (wait === 0 && page.entries.length === 0 && page.through >= page.end) return;
    signal?.throwIfAborted();
  }
}
