import { Schema, type Types } from 'mongoose';
import type { PollQuery } from '../platform/look.ts';
import { type Db, defineModel, type Tx } from '../platform/mongo.ts';
import { STRICT } from '../platform/schema.ts';

/** The kinds of documents that can be marked for a rebuild. */
export type DirtyKind = 'broker' | 'regulator';

export interface DirtyMark {
  readonly _id: Types.ObjectId;
  readonly kind: DirtyKind;
  readonly key: string;
}

/**
 * Marks are only added and deleted, never changed, so that writers about the same broker do not wait for each other.
 */
const DirtyMarks = defineModel(
  'Due',
  new Schema({ kind: { type: String, required: true }, key: { type: String, required: true } }, STRICT)
    .index({ kind: 1, key: 1 })
    .index({ kind: 1, _id: 1 }),
  'due',
);

/** Marks documents for a rebuild, in the transaction that changes a fact they are built from. */
export const markDirty = async (kind: DirtyKind, keys: readonly string[], tx: Tx): Promise<void> => {
  if (keys.length > 0)
    await DirtyMarks(tx.db).insertMany(
      keys.map((key) => ({ kind, key })),
      { session: tx },
    );
};

/** Number of marks that are read to find the keys of one batch. */
const WINDOW = 1000;

/** A mark of any kind. */
export const ANY_DIRTY: PollQuery = { collection: 'due', match: { kind: { $gte: '' } } }; // by the index

/**
 * Returns the latest mark, or undefined if there is none. Ids of marks are ordered by second, and within a second by
 * process, so a time taken from this process's clock cannot tell which marks exist.
 */
export const lastDirty = async (db: Db, kind: DirtyKind): Promise<Types.ObjectId | undefined> =>
  (await DirtyMarks(db).findOne({ kind }, { _id: 1 }).sort({ _id: -1 }).lean<Pick<DirtyMark, '_id'>>().exec())?._id;

/**
 * Returns up to `limit` different keys that are marked, the oldest mark first. With `last`, only marks up to that one
 * count.
 */
export const dirtyKeys = async (db: Db, kind: DirtyKind, limit: number, last?: Types.ObjectId): Promise<string[]> => {
  const marks = await DirtyMarks(db)
    .find({ kind, ...(last ? { _id: { $lte: last } } : {}) })
    .sort({ _id: 1 })
    .limit(WINDOW)
    .lean<DirtyMark[]>()
    .exec();
  return [...new Set(marks.map((mark) => mark.key))].slice(0, limit);
};

/** Returns the number of marks and the time of the oldest one, or null if there is none. */
export const dirtyBacklog = async (db: Db): Promise<{ waiting: number; oldestAt: Date | null }> => {
  const waiting = await DirtyMarks(db).estimatedDocumentCount();
  const oldest = await DirtyMarks(db).findOne().sort({ _id: 1 }).lean<DirtyMark>().exec();
  return { waiting, oldestAt: oldest?._id.getTimestamp() ?? null };
};

/** Returns the marks of these keys, as this transaction sees them. */
export const dirtyMarks = (kind: DirtyKind, keys: readonly string[], tx: Tx): Promise<DirtyMark[]> =>
  DirtyMarks(tx.db)
    .find({ kind, key: { $in: keys } })
    .session(tx)
    .lean<DirtyMark[]>()
    .exec();

/** Deletes the marks, in the transaction that rebuilds their documents. */
export const clearDirty = async (marks: readonly DirtyMark[], tx: Tx): Promise<void> => {
  await DirtyMarks(tx.db)
    .deleteMany({ _id: { $in: marks.map((mark) => mark._id) } })
    .session(tx);
};
