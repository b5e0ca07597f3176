import type mongoose from 'mongoose';
import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../../platform/mongo.ts';
import { MAJORITY_READ, STRICT } from '../../../platform/schema.ts';

const Days = defineModel(
  'RecordDay',
  new Schema<{ _id: string; rows: Buffer }>({ _id: String, rows: { type: Buffer, required: true } }, STRICT),
  'recordDays',
);

/** Returns the input of a day's root, compressed. */
export const readDay = async (db: Db, date: string): Promise<Uint8Array | undefined> => {
  const day = await Days(db).collection.findOne<{ rows: mongoose.mongo.Binary }>({ _id: date as never }, MAJORITY_READ);
  return day?.rows.buffer;
};

/** Stores the input of a day's root, compressed. */
export const keepDay = async (date: string, rows: Buffer, tx: Tx): Promise<void> => {
  await Days(tx.db).updateOne({ _id: date }, { $setOnInsert: { rows } }, { upsert: true }).session(tx);
};

/** Deletes the inputs of days' roots. */
export const deleteDays = async (dates: readonly string[], tx: Tx): Promise<void> => {
  if (dates.length > 0)
    await Days(tx.db)
      .deleteMany({ _id: { $in: dates } })
      .session(tx);
};
