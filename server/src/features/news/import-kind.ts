import type { TxContext } from '../../ledger/context.ts';
import {
  type BatchItem,
  captureStates,
  defineKeeper,
  defineKind,
  type ImportKind,
  type ImportPlan,
} from '../../ledger/import-kind.ts';
import { findNewsChanges, importNewsIn, readNewsStates, reserveImported, restoreNews, storedNews } from './actions.ts';
import { NewsRecord, newsId } from './record.rule.ts';
import type { NewsDocument } from './store.ts';

/** Writes news items. Returns what they replaced. */
export const writeNews = async (
  c: TxContext,
  items: readonly { readonly record: NewsRecord; readonly known: NewsDocument | undefined }[],
  reason: string,
): Promise<BatchItem[]> => {
  const records = items.map(({ record }) => record);
  const states = new Map(items.flatMap(({ record, known }) => (known ? [[newsId(record.url), known] as const] : [])));
  await importNewsIn(c, records, { reason, states });
  const keys = records.map(({ url }) => newsId(url));
  return captureStates({ kind: 'news', keys, read: readNewsStates }, states, c.tx);
};

export const newsKind: ImportKind<unknown> = defineKind<
  NewsRecord,
  NewsDocument,
  ImportPlan & { readonly record: NewsRecord; readonly known: NewsDocument | undefined }
>({
  schema: NewsRecord,
  noun: 'news item',
  example: {
    url: 'https://news.example/1',
    title: 'An authority fines a broker',
    summary: 'What happened, in a sentence or two.',
    source: 'Example Gazette',
    language: 'en',
    category: 'enforcement',
    severity: 'notice',
    publishedAt: '2026-11-02T09:30:00Z',
  },
  keyColumn: 'url',
  key: (item) => item.url,
  references: ({ brokerSlugs, regulatorCodes }) => [
    ...brokerSlugs.map((key, index) => ({ to: 'broker' as const, key, column: `brokerSlugs.${index}` })),
    ...regulatorCodes.map((key, index) => ({ to: 'regulator' as const, key, column: `regulatorCodes.${index}` })),
  ],
  read: readNewsStates,
  storedKey: newsId,
  stored: (known) => (known ? storedNews(known) : {}),
  isNew: (known) => known === undefined,
  plan: ({ record }, known) => {
    const fields = findNewsChanges(record, known);
    const change = known === undefined ? 'new' : fields.length === 0 ? 'unchanged' : 'changed';
    return {
      record,
      known,
      change,
      writes: change !== 'unchanged',
      fields: () => (known ? fields : []),
      overruled: [],
    };
  },
  write: (c, plans, { reason }) => writeNews(c, plans, reason),
  states: defineKeeper({ subject: 'news', read: readNewsStates, restore: restoreNews }),
  confirm: reserveImported,
});
