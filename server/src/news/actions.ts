import { type AuditEntry, record, recordAll } from '../audit/store.ts';
import type { Context, Occasion } from '../context.ts';
import { isDuplicateKey, type Tx, transaction } from '../platform/mongo.ts';
import { addTaken, findTaken, saveFeedState, type Validators } from './feeds/store.ts';
import { type NewsRecord, type NewsRemoval, newsId } from './record.ts';
import * as store from './store.ts';

/** Stores news items by address, new or again. */
export const importNews = (context: Context, records: readonly NewsRecord[], reason: string): Promise<void> =>
  transaction(async (tx) => {
    const states = await store.readNews(
      records.map(({ url }) => newsId(url)),
      tx,
    );
    await importNewsIn(context, records, { reason, states }, tx);
  });

/** What the audit trail hears of an item. */
const factsOf = (item: NewsRecord | store.NewsDocument | null | undefined) =>
  item ? { category: item.category, severity: item.severity } : null;

/** The same in a running transaction, where the states before are read already. */
export const importNewsIn = async (
  { actor, clock }: Context,
  records: readonly NewsRecord[],
  { reason, states }: Occasion<store.NewsDocument>,
  tx: Tx,
): Promise<void> => {
  await store.upsertNews(records, tx);
  const entries = records.map((item): AuditEntry => {
    const id = newsId(item.url);
    const change = { before: factsOf(states.get(id)), after: factsOf(item) };
    return { action: 'news.imported', subject: { kind: 'news', id }, ...change, reason };
  });
  await recordAll(actor, clock(), entries, tx);
};

/** What is stored under these ids, to be put back by `restoreNews`. */
export const newsStates = store.readNews;

/** Puts items back as they were; null takes one away. */
export const restoreNews = async (
  { actor, clock }: Context,
  former: ReadonlyMap<string, store.NewsDocument | null>,
  { reason, states }: Occasion<store.NewsDocument>,
  tx: Tx,
): Promise<void> => {
  await store.replaceNews(former, tx);
  const entries = [...former].map(
    ([id, state]): AuditEntry => ({
      action: state === null ? 'news.removed' : 'news.restored',
      subject: { kind: 'news', id },
      before: factsOf(states.get(id)),
      after: factsOf(state),
      reason,
    }),
  );
  await recordAll(actor, clock(), entries, tx);
};

/** An item of a feed, with all that it is known again by. */
export interface FeedItem {
  readonly keys: readonly string[];
  readonly record: NewsRecord;
}

/** Those of these keys that belong to an item that is there, or was: one that was removed does not come back. */
export const knownKeys = async (keys: readonly string[], tx?: Tx): Promise<Set<string>> => {
  const [taken, present] = [await findTaken(keys, tx), await store.findNewsIds(keys, tx)];
  return new Set([...taken, ...present]);
};

const takeUnknown = async (items: readonly FeedItem[], tx: Tx): Promise<NewsRecord[]> => {
  const known = await knownKeys(
    items.flatMap(({ keys }) => keys),
    tx,
  );
  const fresh = items.filter(({ keys }) => {
    const isNew = !keys.some((key) => known.has(key));
    for (const key of keys) known.add(key);
    return isNew;
  });
  if (fresh.length === 0) return [];
  await addTaken([...new Set(fresh.flatMap(({ keys }) => keys))], tx);
  const records = fresh.map(({ record }) => record);
  await store.upsertNews(records, tx);
  return records;
};

/**
 * Stores what a feed brought, each item once for ever, and that the pull went well. Pulls of one feed at the same time
 * conflict on its state, so that one of them sees what the other took. Returns the number of items taken.
 */
export const takeNews = async (
  { actor, clock }: Context,
  feedUrl: string,
  items: readonly FeedItem[],
  validators: Validators,
): Promise<number> => {
  const take = () =>
    transaction(async (tx) => {
      const records = await takeUnknown(items, tx);
      await saveFeedState(feedUrl, { at: clock(), taken: records.length, validators }, tx);
      const entries = records.map(
        (item): AuditEntry => ({
          action: 'news.taken',
          subject: { kind: 'news', id: newsId(item.url) },
          before: null,
          after: { ...factsOf(item), feed: feedUrl },
          reason: 'feed_pulled',
        }),
      );
      if (entries.length > 0) await recordAll(actor, clock(), entries, tx);
      return records.length;
    });
  try {
    return await take();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return take(); // another pull stored it in between, and is seen now
  }
};

/** Takes a news item away, and keeps feeds from bringing it again. False where there is no such item. */
export const removeNews = ({ actor, clock }: Context, id: string, reason: NewsRemoval): Promise<boolean> =>
  transaction(async (tx) => {
    const removed = await store.deleteNews(id, tx);
    if (!removed) return false;
    await addTaken([id], tx);
    const change = { before: factsOf(removed), after: null };
    await record(actor, clock(), { action: 'news.removed', subject: { kind: 'news', id }, ...change, reason }, tx);
    return true;
  });

export const listNews = store.listNews;
