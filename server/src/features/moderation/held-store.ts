import type { ReasonCode } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';

/** A decision about a pending review that can still be taken back. */
export interface HeldDecision {
  /** Id of the review. */
  readonly _id: string;
  /** Name of the operator. */
  readonly by: string;
  /** Stands in the audit trail: the token or sign-in with which it was made. */
  readonly token?: string;
  readonly kind: 'publish' | 'reject';
  readonly reasonCode?: ReasonCode;
  readonly note?: string;
  readonly heldAt: Date;
}

const Held = defineModel(
  'HeldDecision',
  new Schema<HeldDecision>(
    {
      _id: String,
      by: { type: String, required: true },
      token: String,
      kind: { type: String, enum: ['publish', 'reject'], required: true },
      reasonCode: String,
      note: String,
      heldAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ by: 1 }),
  'heldDecisions',
);

export const insertHeld = async (held: HeldDecision, tx: Tx): Promise<void> => {
  await Held(tx.db)
    .collection.insertOne(held as never, { session: tx })
    .catch(rethrowAsConflict);
};

export const listHeld = (db: Db) => Held(db).find({}).sort({ heldAt: 1, _id: 1 }).lean<HeldDecision[]>().exec();

export const findHeld = (id: string, tx: Tx) => Held(tx.db).findById(id).session(tx).lean<HeldDecision>().exec();

/** Removes a held decision. Returns it, unless somebody was faster. */
export const takeHeld = (id: string, tx: Tx) =>
  Held(tx.db).findOneAndDelete({ _id: id }).session(tx).lean<HeldDecision>().exec();
