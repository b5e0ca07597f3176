import mongoose, { Schema, type Types } from 'mongoose';
import type { Tx } from './mongo.ts';
import { STRICT } from './schema.ts';

/** What can be due to be computed again. */
export type DirtyKind = 'broker' | 'regulator';

export interface DirtyMark {
  readonly _id: Types.ObjectId;
  readonly kind: DirtyKind;
  readonly key: string;
}

/** Marks are only ever added and deleted, never changed: writers about one broker do not wait for each other. */
const Due = mongoose.model(
  'Due',
  new Schema({ kind: { type: String, required: true }, key: { type: String, required: true } }, STRICT)
    .index({ kind: 1, key: 1 })
    .index({ kind: 1, _id: 1 }),
  'due',
);

/** Says, in the transaction that changed a fact, that what is computed from it is out of date. */
export const markDirty = async (kind: DirtyKind, keys: readonly string[], tx: Tx): Promise<void> => {
  if (keys.length > 0)
    await Due.insertMany(
      keys.map((key) => ({ kind, key })),
      { session: tx },
    );
};

/** Marks looked at to find the keys of one batch. */
const WINDOW = 1000;

/**
 * The latest mark that there is; undefined where nothing is due. Marks are ordered by when they were made to the second, and within one
 * by process: no time of this process says which are there.
 */
export const lastDirty = async (kind: DirtyKind): Promise<Types.ObjectId | undefined> =>
  (await Due.findOne({ kind }, { _id: 1 }).sort({ _id: -1 }).lean<Pick<DirtyMark, '_id'>>().exec())?._id;

/** Up to `limit` different keys that are due, the longest waiting first; of the marks up to `last`, where it is given. */
export const dirtyKeys = async (kind: DirtyKind, limit: number, last?: Types.ObjectId): Promise<string[]> => {
  const marks = await Due.find({ kind, ...(last ? { _id: { $lte: last } } : {}) })
    .sort({ _id: 1 })
    .limit(WINDOW)
    .lean<DirtyMark[]>()
    .exec();
  return [...new Set(marks.map((mark) => mark.key))].slice(0, limit);
};

/** How many marks wait, and since when the oldest does. */
export const dirtyBacklog = async (): Promise<{ waiting: number; oldestAt: Date | null }> => {
  const waiting = await Due.estimatedDocumentCount();
  const oldest = await Due.findOne().sort({ _id: 1 }).lean<DirtyMark>().exec();
  return { waiting, oldestAt: oldest?._id.getTimestamp() ?? null };
};

/** The marks of these keys, as this transaction sees them. */
export const dirtyMarks = (kind: DirtyKind, keys: readonly string[], tx: Tx): Promise<DirtyMark[]> =>
  Due.find({ kind, key: { $in: keys } })
    .session(tx)
    .lean<DirtyMark[]>()
    .exec();

/** Takes the marks away, in the transaction that wrote what they asked for. */
export const clearDirty = async (marks: readonly DirtyMark[], tx: Tx): Promise<void> => {
  await Due.deleteMany({ _id: { $in: marks.map((mark) => mark._id) } }).session(tx);
};
