import type { RecordSource } from '../../ledger/record/source.ts';
import { toNewsEntry } from './entries.rule.ts';
import { nextNews, readNews } from './store.ts';
import { storedNews } from './view.ts';

/** The entries that the record must have of news items, by their ids. */
export const newsSource: RecordSource = {
  kinds: ['news'],
  next: nextNews,
  entries: async (ids, tx) => [...(await readNews(ids, tx)).values()].map((item) => toNewsEntry(storedNews(item))),
};
