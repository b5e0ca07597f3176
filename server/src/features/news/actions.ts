import { type AuditEntry, record, recordAll } from '../../platform/audit/store.ts';
import type { BulkWrite, Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { endsForAll, type ItemKeys, isKnown, type Taken } from './feeds/precedence.ts';
import { closeTaken, findTaken, saveFeedState, saveTaken, type Validators } from './feeds/store.ts';
import { type NewsRecord, type NewsRemoval, newsId } from './record.rule.ts';
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
  { reason, states }: BulkWrite<store.NewsDocument>,
  tx: Tx,
): Promise<void> => {
  await store.upsertNews(records, tx);
  await closeTaken(
    records.map(({ url }) => newsId(url)),
    tx,
  );
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
  { reason, states }: BulkWrite<store.NewsDocument>,
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
export interface FeedItem extends ItemKeys {
  readonly record: NewsRecord;
}

/** What is there of these items, and who brought it. */
const readKnown = async (items: readonly ItemKeys[], tx?: Tx) => {
  const ids = items.map(({ id }) => id);
  const taken = await findTaken([...ids, ...items.flatMap(({ entryKey }) => entryKey ?? [])], tx);
  return { taken, present: new Set(await store.findNewsIds(ids, tx)) };
};

/** The items of a feed that may be taken, so far. */
export const unknownAmong = async <T extends ItemKeys>(feedUrl: string, items: readonly T[]): Promise<T[]> => {
  const { taken, present } = await readKnown(items);
  return items.filter((item) => !isKnown(item, feedUrl, taken, present));
};

/** Takes items, each once. Returns them with the feed whose words they replace. */
const takeUnknown = async (feedUrl: string, items: readonly FeedItem[], tx: Tx) => {
  const { taken, present } = await readKnown(items, tx);
  const fresh: { readonly record: NewsRecord; readonly id: string; readonly former: string | null }[] = [];
  const rows: Taken[] = [];
  for (const item of items) {
    if (isKnown(item, feedUrl, taken, present)) continue;
    const { id, entryKey, standing, record: news } = item;
    fresh.push({ record: news, id, former: taken.get(id)?.feed ?? null });
    const own = [{ _id: id, feed: feedUrl, standing }, ...(entryKey === undefined ? [] : [{ _id: entryKey }])];
    for (const row of own) taken.set(row._id, row);
    rows.push(...own);
  }
  if (fresh.length === 0) return fresh;
  await saveTaken(rows, tx);
  return fresh;
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
      const fresh = await takeUnknown(feedUrl, items, tx);
      await saveFeedState(feedUrl, { at: clock(), taken: fresh.length, validators }, tx);
      if (fresh.length === 0) return 0;
      const ids = fresh.map(({ id }) => id);
      const states = await store.readNews(ids, tx);
      await store.upsertNews(
        fresh.map(({ record: item }) => item),
        tx,
      );
      const entries = fresh.map(({ id, record: item, former }): AuditEntry => {
        const state = states.get(id);
        return {
          action: 'news.taken',
          subject: { kind: 'news', id },
          before: state ? { ...factsOf(state), feed: former } : null,
          after: { ...factsOf(item), feed: feedUrl },
          reason: 'feed_pulled',
        };
      });
      await recordAll(actor, clock(), entries, tx);
      return fresh.length;
    });
  try {
    return await take();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return take(); // another pull stored it in between, and is seen now
  }
};

/**
 * Takes a news item away, and keeps feeds from bringing it again; where its words were another's, not the one that owns the
 * address. False where there is no such item.
 */
export const removeNews = ({ actor, clock }: Context, id: string, reason: NewsRemoval): Promise<boolean> =>
  transaction(async (tx) => {
    const removed = await store.deleteNews(id, tx);
    if (!removed) return false;
    if (endsForAll((await findTaken([id], tx)).get(id))) await saveTaken([{ _id: id, feed: null }], tx);
    const change = { before: factsOf(removed), after: null };
    await record(actor, clock(), { action: 'news.removed', subject: { kind: 'news', id }, ...change, reason }, tx);
    return true;
  });

export const listNews = store.listNews;
