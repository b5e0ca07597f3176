import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Claim } from './claim.rule.ts';

/** The claim of a case. */
export interface CaseClaim extends Claim {
  /** Kind and id of the case: `report:6b01…`. */
  readonly _id: string;
}

const Claims = defineModel(
  'Claim',
  new Schema<CaseClaim>(
    { _id: String, by: { type: String, required: true }, until: { type: Date, required: true } },
    STRICT,
  ).index({ until: 1 }),
  'claims',
);

export const findClaim = (db: Db, id: string, tx?: Tx) =>
  Claims(db)
    .findById(id)
    .session(tx ?? null)
    .lean<CaseClaim>()
    .exec();

/** Lists the claims that hold at a time. */
export const listClaims = (db: Db, at: Date) =>
  Claims(db)
    .find({ until: { $gt: at } })
    .lean<CaseClaim[]>()
    .exec();

/** Saves a claim, and removes those that have ended. */
export const putClaim = async ({ _id, ...claim }: CaseClaim, at: Date, tx: Tx): Promise<void> => {
  await Claims(tx.db)
    .deleteMany({ until: { $lte: at }, _id: { $ne: _id } })
    .session(tx);
  await Claims(tx.db).updateOne({ _id }, { $set: claim }, { upsert: true }).session(tx).catch(rethrowAsConflict);
};

export const removeClaim = async (id: string, tx: Tx): Promise<void> => {
  await Claims(tx.db).deleteOne({ _id: id }).session(tx);
};
