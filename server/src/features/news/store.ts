import { Schema } from 'mongoose';
import { type Db, defineModel, nextIds, type Tx } from '../../platform/mongo.ts';
import { type ListPosition, publishedBefore } from '../../platform/position.ts';
import { STRICT } from '../../platform/schema.ts';
import { type NewsRecord, newsId } from './record.rule.ts';

export type NewsDocument = Omit<NewsRecord, 'publishedAt'> & { readonly _id: string; readonly publishedAt: Date };

const News = defineModel(
  'News',
  new Schema<NewsDocument>(
    {
      _id: String,
      title: { type: String, required: true },
      summary: { type: String, required: true },
      url: { type: String, required: true },
      source: { type: String, required: true },
      category: { type: String, required: true },
      severity: { type: String, required: true },
      brokerSlugs: [String],
      regulatorCodes: [String],
      language: { type: String, required: true },
      publishedAt: { type: Date, required: true },
      dating: String,
      correctedAt: String,
    },
    STRICT,
  ).index({ publishedAt: -1, _id: -1 }),
  'news',
);

/** Lists one item more than `limit`, which tells the caller that a next page exists. */
export const listNews = (db: Db, limit: number, position: ListPosition | undefined) =>
  News(db)
    .find(publishedBefore(position, (id) => id))
    .sort({ publishedAt: -1, _id: -1 })
    .limit(limit + 1)
    .maxTimeMS(500)
    .lean<NewsDocument[]>()
    .exec();

export const upsertNews = async (records: readonly NewsRecord[], tx: Tx): Promise<void> => {
  await News(tx.db).bulkWrite(
    records.map(({ publishedAt, ...fields }) => ({
      replaceOne: {
        filter: { _id: newsId(fields.url) },
        replacement: { ...fields, publishedAt: new Date(publishedAt) },
        upsert: true,
      },
    })),
    { session: tx },
  );
};

/** Returns the ids of existing items among these. */
export const findNewsIds = async (db: Db, ids: readonly string[], tx?: Tx): Promise<string[]> => {
  const rows = await News(db)
    .find({ _id: { $in: ids } }, { _id: 1 })
    .session(tx ?? null)
    .lean<{ _id: string }[]>()
    .exec();
  return rows.map(({ _id }) => _id);
};

/** Deletes an item. Returns it, or null if there is none. */
export const deleteNews = (id: string, tx: Tx): Promise<NewsDocument | null> =>
  News(tx.db).findOneAndDelete({ _id: id }).session(tx).lean<NewsDocument>().exec();

/** Reads the stored items byte for byte. */
export const readNews = async (ids: readonly string[], tx: Tx): Promise<Map<string, NewsDocument>> => {
  const rows = await News(tx.db)
    .collection.find<NewsDocument>({ _id: { $in: ids as never[] } }, { session: tx })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Replaces items. Null removes an item. */
export const replaceNews = async (states: ReadonlyMap<string, NewsDocument | null>, tx: Tx): Promise<void> => {
  await News(tx.db).collection.bulkWrite(
    [...states].map(([id, state]) =>
      state === null
        ? { deleteOne: { filter: { _id: id as never } } }
        : { replaceOne: { filter: { _id: id as never }, replacement: state as never, upsert: true } },
    ),
    { session: tx },
  );
};

/** Returns up to `limit` ids after this one, in order. */
export const nextNews = (db: Db, id: string, limit: number): Promise<string[]> => nextIds(News(db), id, limit);
