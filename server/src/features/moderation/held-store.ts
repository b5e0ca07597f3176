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
  /** Set if the review could not be decided any more: the operator reads so. */
  readonly refusedAt?: Date;
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
      refusedAt: Date,
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

const STANDS = { refusedAt: { $exists: false } };

export const listHeld = (db: Db) => Held(db).find(STANDS).sort({ heldAt: 1, _id: 1 }).lean<HeldDecision[]>().exec();

/** Returns whether a decision about a review waits to be written. */
export const isHeld = async (id: string, tx: Tx): Promise<boolean> =>
  (await Held(tx.db)
    .exists({ _id: id, ...STANDS })
    .session(tx)) !== null;

/** Removes a held decision. Returns it, unless somebody was faster, or it is another one than that of `heldAt`. */
export const takeHeld = (id: string, tx: Tx, heldAt?: Date) =>
  Held(tx.db)
    .findOneAndDelete({ _id: id, ...STANDS, ...(heldAt === undefined ? {} : { heldAt }) })
    .session(tx)
    .lean<HeldDecision>()
    .exec();

/** Marks a held decision as refused, and drops its reasons. Returns false if it is not held any more. */
export const refuseHeld = async (id: string, { at, heldAt }: { at: Date; heldAt: Date }, tx: Tx): Promise<boolean> =>
  (
    await Held(tx.db)
      .updateOne({ _id: id, heldAt, ...STANDS }, { $set: { refusedAt: at }, $unset: { note: 1, reasonCode: 1 } })
      .session(tx)
  ).modifiedCount > 0;

/** Lists the refused decisions of an operator, oldest first. */
export const listRefused = (db: Db, by: string) =>
  Held(db)
    .find({ by, refusedAt: { $exists: true } })
    .sort({ refusedAt: 1, _id: 1 })
    .lean<HeldDecision[]>()
    .exec();

export const deleteRefused = async (by: { readonly _id: string } | { readonly refusedAt: object }, tx: Tx) => {
  await Held(tx.db)
    .deleteMany({ refusedAt: { $exists: true }, ...by })
    .session(tx);
};
