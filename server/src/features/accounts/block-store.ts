import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { BlockRow } from './block-record.ts';

/** The hashes by which blocks recognise people, each with the id of an account. They outlive accounts. */
const Blocks = defineModel(
  'Block',
  new Schema<BlockRow>(
    {
      _id: String,
      block: { type: String, required: true },
      accountId: { type: String, required: true },
      reason: { type: String, required: true },
      at: { type: Date, required: true },
    },
    STRICT,
  ).index({ block: 1 }),
  'blocks',
);

/** A block that was lifted. It is stored so that no copy of the list renews the block. */
interface LiftedBlock {
  /** Id of the block. */
  readonly _id: string;
  readonly at: Date;
}

const Lifted = defineModel(
  'LiftedBlock',
  new Schema<LiftedBlock>({ _id: String, at: { type: Date, required: true } }, STRICT),
  'liftedBlocks',
);

export const saveLifted = async (blocks: readonly string[], at: Date, tx: Tx): Promise<void> => {
  await Lifted(tx.db).bulkWrite(
    blocks.map((_id) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: { at } }, upsert: true } })),
    { session: tx },
  );
};

export const listLifted = async (db: Db): Promise<string[]> =>
  (await Lifted(db).find().sort({ at: 1, _id: 1 }).lean<LiftedBlock[]>().exec()).map(({ _id }) => _id);

export const hasBlocks = async (tx: Tx): Promise<boolean> => (await Blocks(tx.db).exists({}).session(tx)) !== null;

export const findBlockRow = (id: string, tx: Tx) => Blocks(tx.db).findById(id).session(tx).lean<BlockRow>().exec();

/** Returns all rows of the blocks that contain one of these ids. */
export const findBlocks = async (ids: readonly string[], tx: Tx): Promise<BlockRow[]> => {
  const blocks = await Blocks(tx.db)
    .distinct('block', { _id: { $in: ids } })
    .session(tx);
  return findBlockRows(blocks, tx);
};

export const findBlockRows = (blocks: readonly string[], tx: Tx) =>
  Blocks(tx.db)
    .find({ block: { $in: blocks } })
    .session(tx)
    .lean<BlockRow[]>()
    .exec();

export const listBlockRows = (db: Db) => Blocks(db).find().sort({ at: 1, _id: 1 }).lean<BlockRow[]>().exec();

/** Stores rows. A row that already exists stays with its block. */
export const saveBlockRows = async (rows: readonly BlockRow[], tx: Tx): Promise<void> => {
  await Blocks(tx.db).bulkWrite(
    rows.map(({ _id, ...row }) => ({ updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true } })),
    { session: tx },
  );
};

/**
 * Makes the transaction conflict with one that blocks the same person at the same time, so that one of them sees the
 * other.
 */
export const reserveRow = async (row: BlockRow, tx: Tx): Promise<void> => {
  await Blocks(tx.db).create([row], { session: tx });
  await Blocks(tx.db).deleteOne({ _id: row._id }).session(tx);
};

export const deleteBlocks = async (blocks: readonly string[], tx: Tx): Promise<void> => {
  await Blocks(tx.db)
    .deleteMany({ block: { $in: blocks } })
    .session(tx);
};
