import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Erasure } from './record.rule.ts';

interface ErasureDocument extends Omit<Erasure, 'accountId'> {
  /** Id of the account. */
  readonly _id: string;
  /** Time when the erasure found nothing more. Absent while data may be left. */
  readonly finishedAt?: Date;
}

const Erasures = defineModel(
  'Erasure',
  new Schema<ErasureDocument>(
    {
      _id: String,
      subjectHash: { type: String, required: true },
      personHash: String,
      reason: { type: String, required: true },
      erasedAt: { type: Date, required: true },
      finishedAt: Date,
    },
    STRICT,
  ).index({ subjectHash: 1 }),
  'erasures',
);

const toErasure = ({ _id, finishedAt: _, ...rest }: ErasureDocument): Erasure => ({ accountId: _id, ...rest });

/** Stores an erasure unless it is stored already. */
export const saveErasure = async ({ accountId, ...rest }: Erasure, tx: Tx): Promise<void> => {
  await Erasures(tx.db).updateOne({ _id: accountId }, { $setOnInsert: rest }, { upsert: true }).session(tx);
};

export const setFinished = async ({ accountId }: Erasure, at: Date, tx: Tx): Promise<void> => {
  await Erasures(tx.db)
    .updateOne({ _id: accountId, finishedAt: { $exists: false } }, { $set: { finishedAt: at } })
    .session(tx);
};

export const listErasures = async (db: Db): Promise<Erasure[]> =>
  (await Erasures(db).find().sort({ _id: 1 }).lean<ErasureDocument[]>().exec()).map(toErasure);

/** Lists erasures of before a time that have not finished. */
export const listUnfinished = async (db: Db, before: Date): Promise<Erasure[]> =>
  (
    await Erasures(db)
      .find({ finishedAt: { $exists: false }, erasedAt: { $lt: before } })
      .sort({ _id: 1 })
      .lean<ErasureDocument[]>()
      .exec()
  ).map(toErasure);

export const findSubjectErasures = async (db: Db, subjectHash: string): Promise<Erasure[]> =>
  (await Erasures(db).find({ subjectHash }).sort({ erasedAt: -1 }).lean<ErasureDocument[]>().exec()).map(toErasure);

export const findErasure = async (db: Db, accountId: string): Promise<Erasure | undefined> => {
  const found = await Erasures(db).findById(accountId).lean<ErasureDocument>().exec();
  return found ? toErasure(found) : undefined;
};

export const hasErasures = async (db: Db): Promise<boolean> => (await Erasures(db).exists({})) !== null;
