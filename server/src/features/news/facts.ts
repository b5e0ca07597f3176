import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import type { Tx } from '../../platform/mongo.ts';
import { toNewsEntry } from './entries.rule.ts';
import { readNews } from './store.ts';
import { storedNews } from './view.ts';

export { nextNews } from './store.ts';

/** Returns the entries that the record must have of the news items with these ids. */
export const buildNewsEntries = async (ids: readonly string[], tx: Tx): Promise<EntryDraft[]> =>
  [...(await readNews(ids, tx)).values()].map((item) => toNewsEntry(storedNews(item)));
