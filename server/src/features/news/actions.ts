import { type FieldChange, fieldChanges } from '../../ledger/audit/fields.rule.ts';
import { type BulkWrite, type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Db, Tx } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { toNewsEntry, toRemovedEntry } from './entries.rule.ts';
import { type IngestedItem, type ItemKeys, isKnown, isRemovedForAll } from './feeds/precedence.ts';
import { closeIngested, findIngested, saveFeedState, saveIngested, type Validators } from './feeds/store.ts';
import { type NewsRecord, type NewsRemoval, newsId } from './record.rule.ts';
import * as store from './store.ts';
import { storedNews } from './view.ts';

export { storedNews } from './view.ts';

/** Inserts or replaces news items by address. */
export const importNews = (context: Context, records: readonly NewsRecord[], reason: string): Promise<void> =>
  inTransaction(context, async (c) => {
    const ids = records.map(({ url }) => newsId(url));
    await importNewsIn(c, records, { reason, states: await store.readNews(ids, c.tx) });
  });

/** Returns the facts of an item for the audit trail. */
const toAuditFacts = (item: NewsRecord | store.NewsDocument | null | undefined) =>
  item ? { category: item.category, severity: item.severity } : null;

/** Returns the fields that an import of this record changes. */
export const findNewsChanges = (record: NewsRecord, state: store.NewsDocument | undefined): FieldChange[] =>
  fieldChanges(state ? storedNews(state) : null, {
    ...record,
    publishedAt: new Date(record.publishedAt).toISOString(),
  });

/** Keeps feeds from replacing these items, since an operator imported them. */
export const reserveImported = (c: TxContext, records: readonly NewsRecord[]): Promise<void> =>
  closeIngested(
    records.map(({ url }) => newsId(url)),
    c.tx,
  );

/** Does the same as `importNews` in a transaction that has already read the earlier states. */
export const importNewsIn = async (
  c: TxContext,
  records: readonly NewsRecord[],
  { reason, states }: BulkWrite<store.NewsDocument>,
): Promise<void> => {
  await store.upsertNews(records, c.tx);
  await reserveImported(c, records);
  for (const item of records) {
    c.publish({ ...toNewsEntry(item), cause: 'fact', isBulk: true });
    const id = newsId(item.url);
    c.audit(
      'news.imported',
      { kind: 'news', id },
      { before: toAuditFacts(states.get(id)), after: toAuditFacts(item), reason },
    );
  }
};

/** Reads the stored items with these ids, in the form that `restoreNews` takes. */
export const readNewsStates = store.readNews;

/** Restores items to earlier states. Null removes an item. */
export const restoreNews = async (
  c: TxContext,
  former: ReadonlyMap<string, store.NewsDocument | null>,
  reason: string,
): Promise<void> => {
  const states = await store.readNews([...former.keys()], c.tx);
  await store.replaceNews(former, c.tx);
  for (const [id, state] of former) {
    c.publish({ ...(state === null ? toRemovedEntry(id) : toNewsEntry(storedNews(state))), cause: 'undo' });
    const action = state === null ? 'news.removed' : 'news.restored';
    c.audit(action, { kind: 'news', id }, { before: toAuditFacts(states.get(id)), after: toAuditFacts(state), reason });
  }
};

/** Marks an item as corrected. Does nothing if the item was removed. */
export const markCorrected = async (c: TxContext, id: string, reason: string): Promise<void> => {
  const state = (await store.readNews([id], c.tx)).get(id);
  if (!state) return;
  const corrected = { ...state, correctedAt: c.now.toISOString() };
  await store.replaceNews(new Map([[id, corrected]]), c.tx);
  c.publish({ ...toNewsEntry(storedNews(corrected)), cause: 'correction' });
  c.audit(
    'news.corrected',
    { kind: 'news', id },
    { before: toAuditFacts(state), after: toAuditFacts(corrected), reason },
  );
};

/** An item of a feed with the keys by which it is recognised. */
interface FeedItem extends ItemKeys {
  readonly record: NewsRecord;
}

/** Reads which of these items exist and which feed brought them. */
const readKnown = async (db: Db, items: readonly ItemKeys[], tx?: Tx) => {
  const ids = items.map(({ id }) => id);
  const taken = await findIngested(db, [...ids, ...items.flatMap(({ entryKey }) => entryKey ?? [])], tx);
  return { taken, present: new Set(await store.findNewsIds(db, ids, tx)) };
};

/** Returns the items that the feed may still add. */
export const filterUnknown = async <T extends ItemKeys>(db: Db, feedUrl: string, items: readonly T[]): Promise<T[]> => {
  const { taken, present } = await readKnown(db, items);
  return items.filter((item) => !isKnown(item, feedUrl, taken, present));
};

/** Takes items that are new to the feed, each once. Returns them with the feed whose item they replace. */
const ingestUnknown = async (feedUrl: string, items: readonly FeedItem[], tx: Tx) => {
  const { taken, present } = await readKnown(tx.db, items, tx);
  const fresh: { readonly record: NewsRecord; readonly id: string; readonly former: string | null }[] = [];
  const rows: IngestedItem[] = [];
  for (const item of items) {
    if (isKnown(item, feedUrl, taken, present)) continue;
    const { id, entryKey, standing, record } = item;
    fresh.push({ record, id, former: taken.get(id)?.feed ?? null });
    const own = [{ _id: id, feed: feedUrl, standing }, ...(entryKey === undefined ? [] : [{ _id: entryKey }])];
    for (const row of own) taken.set(row._id, row);
    rows.push(...own);
  }
  if (fresh.length === 0) return fresh;
  await saveIngested(rows, tx);
  return fresh;
};

/** The result of one pull of a feed. */
interface PullResult {
  readonly feedUrl: string;
  readonly items: readonly FeedItem[];
  readonly validators: Validators;
}

const ingestItems = async (c: TxContext, { feedUrl, items, validators }: PullResult): Promise<number> => {
  const fresh = await ingestUnknown(feedUrl, items, c.tx);
  await saveFeedState(c.db, feedUrl, { at: c.now, taken: fresh.length, validators }, c.tx);
  if (fresh.length === 0) return 0;
  const ids = fresh.map(({ id }) => id);
  const states = await store.readNews(ids, c.tx);
  await store.upsertNews(
    fresh.map(({ record }) => record),
    c.tx,
  );
  for (const { id, record, former } of fresh) {
    c.publish({ ...toNewsEntry(record), cause: 'fact' });
    const state = states.get(id);
    const before = state ? { ...toAuditFacts(state), feed: former } : null;
    const after = { ...toAuditFacts(record), feed: feedUrl };
    c.audit('news.taken', { kind: 'news', id }, { before, after, reason: 'feed_pulled' });
  }
  return fresh.length;
};

/**
 * Stores the new items of a feed and the success of the pull. Each item is taken only once, even if it is removed
 * later. Concurrent pulls of one feed conflict on its state, so that one of them sees the items of the other. Returns
 * the number of items taken.
 */
export const ingestNews = async (context: Context, pulled: PullResult): Promise<number> => {
  const ingest = () => inTransaction(context, (c) => ingestItems(c, pulled));
  try {
    return await ingest();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return ingest(); // another pull stored an item meanwhile; the second attempt sees it
  }
};

/**
 * Removes a news item and prevents feeds from adding it again. If another feed than the owner of the address brought
 * it, the owner may still add its own. Returns false if there is no such item.
 */
export const removeNews = (context: Context, id: string, reason: NewsRemoval): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const removed = await store.deleteNews(id, c.tx);
    if (!removed) return false;
    c.publish({ ...toRemovedEntry(id), cause: 'fact' });
    if (isRemovedForAll((await findIngested(c.db, [id], c.tx)).get(id)))
      await saveIngested([{ _id: id, feed: null }], c.tx);
    c.audit('news.removed', { kind: 'news', id }, { before: toAuditFacts(removed), after: null, reason });
    return true;
  });

export const listNews = store.listNews;
