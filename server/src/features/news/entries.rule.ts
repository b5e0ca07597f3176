import { entryKey } from '@broker-transparency/contract/record';
import type { EntryDraft } from '../../ledger/record/entry.rule.ts';
import { type NewsRecord, newsId } from './record.rule.ts';

const toNewsKey = (id: string): string => entryKey('news', id);

/** Returns the record's entry of a news item. */
export const toNewsEntry = (item: NewsRecord): EntryDraft => {
  const { title, summary, brokerSlugs, regulatorCodes, publishedAt, ...fields } = item;
  const key = toNewsKey(newsId(item.url));
  return {
    kind: 'news',
    key,
    subject: key,
    value: {
      ...fields,
      brokers: brokerSlugs,
      regulators: regulatorCodes,
      publishedAt: new Date(publishedAt).toISOString(),
    },
    texts: { title, summary },
  };
};

/** Returns the record's entry of a removed news item. */
export const toRemovedEntry = (id: string): EntryDraft => ({
  kind: 'news',
  key: toNewsKey(id),
  subject: toNewsKey(id),
  value: null,
  texts: {},
});
