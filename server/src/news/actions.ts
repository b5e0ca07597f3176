import { record, recordAll } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { transaction } from '../platform/mongo.ts';
import { type NewsRecord, newsId } from './record.ts';
import * as store from './store.ts';

/** Stores news items by address, new or again. */
export const importNews = ({ actor, clock }: Context, records: readonly NewsRecord[]): Promise<void> =>
  transaction(async (tx) => {
    await store.upsertNews(records, tx);
    const entries = records.map(({ url }) => ({ action: 'news.imported', subject: { kind: 'news', id: newsId(url) } }));
    await recordAll(actor, clock(), entries, tx);
  });

/** Takes a news item away. False where there is no such item. */
export const removeNews = ({ actor, clock }: Context, id: string, reason: string): Promise<boolean> =>
  transaction(async (tx) => {
    const removed = await store.deleteNews(id, tx);
    if (removed) await record(actor, clock(), { action: 'news.removed', subject: { kind: 'news', id }, reason }, tx);
    return removed;
  });

export const listNews = store.listNews;
