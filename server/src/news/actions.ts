import { record, recordAll } from '../audit/store.ts';
import type { Context } from '../context.ts';
import { type Tx, transaction } from '../platform/mongo.ts';
import { type NewsRecord, newsId } from './record.ts';
import * as store from './store.ts';

/** Stores news items by address, new or again. */
export const importNews = (context: Context, records: readonly NewsRecord[]): Promise<void> =>
  transaction((tx) => importNewsIn(context, records, undefined, tx));

/** The same in a running transaction, as part of an import that has a record of its own. */
export const importNewsIn = async (
  { actor, clock }: Context,
  records: readonly NewsRecord[],
  run: string | undefined,
  tx: Tx,
): Promise<void> => {
  await store.upsertNews(records, tx);
  const entries = records.map(({ url }) => ({
    action: 'news.imported',
    subject: { kind: 'news', id: newsId(url) },
    ...(run === undefined ? {} : { after: { run } }),
  }));
  await recordAll(actor, clock(), entries, tx);
};

/** What is stored under these ids, to be put back by `restoreNews`. */
export const newsStates = store.readNews;

/** Puts items back as they were; null takes one away. */
export const restoreNews = async (
  { actor, clock }: Context,
  run: string,
  states: ReadonlyMap<string, store.NewsDocument | null>,
  tx: Tx,
): Promise<void> => {
  await store.replaceNews(states, tx);
  const entries = [...states].map(([id, state]) => ({
    action: state === null ? 'news.removed' : 'news.restored',
    subject: { kind: 'news', id },
    after: { run },
  }));
  await recordAll(actor, clock(), entries, tx);
};

/** Takes a news item away. False where there is no such item. */
export const removeNews = ({ actor, clock }: Context, id: string, reason: string): Promise<boolean> =>
  transaction(async (tx) => {
    const removed = await store.deleteNews(id, tx);
    if (removed) await record(actor, clock(), { action: 'news.removed', subject: { kind: 'news', id }, reason }, tx);
    return removed;
  });

export const listNews = store.listNews;
