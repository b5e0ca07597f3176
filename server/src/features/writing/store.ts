import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { TypedFields } from './form.rule.ts';
import { WRITTEN_KINDS, type WrittenKind } from './policy.rule.ts';

/** A text that its author has not sent. */
export interface Draft {
  readonly _id: string;
  /** Names this state of the text; each change gives it another one. */
  readonly version: string;
  readonly accountId: string;
  readonly kind: WrittenKind;
  /** Key of the broker. */
  readonly broker: string;
  /** Session in which alone it exists; absent for the draft of a review. */
  readonly session?: string;
  readonly fields: TypedFields;
  readonly savedAt: Date;
  /** When it is deleted. */
  readonly endsAt: Date;
}

const Drafts = defineModel(
  'Draft',
  new Schema<Draft>(
    {
      _id: String,
      version: { type: String, required: true },
      accountId: { type: String, required: true },
      kind: { type: String, enum: WRITTEN_KINDS, required: true },
      broker: { type: String, required: true },
      session: String,
      fields: { type: Schema.Types.Mixed, required: true },
      savedAt: { type: Date, required: true },
      endsAt: { type: Date, required: true },
    },
    { ...STRICT, minimize: false },
  )
    .index({ accountId: 1, savedAt: -1 })
    .index({ session: 1 }, { sparse: true })
    .index({ endsAt: 1 }),
  'drafts',
);

/** Returns the newest draft of some ids. */
export const findDraft = (db: Db, ids: readonly string[], tx?: Tx) =>
  Drafts(db)
    .findOne({ _id: { $in: ids } })
    .sort({ savedAt: -1, _id: 1 })
    .session(tx ?? null)
    .lean<Draft>()
    .exec();

export const saveDraft = async (draft: Draft, tx: Tx): Promise<void> => {
  await Drafts(tx.db).collection.replaceOne({ _id: draft._id as never }, draft, { upsert: true, session: tx });
};

/** Lists the drafts of accounts, newest first. */
export const listDrafts = (db: Db, accountIds: readonly string[], limit = 0, tx?: Tx) =>
  Drafts(db)
    .find({ accountId: { $in: accountIds } })
    .sort({ savedAt: -1, _id: 1 })
    .limit(limit)
    .session(tx ?? null)
    .lean<Draft[]>()
    .exec();

export const deleteDrafts = async (ids: readonly string[], tx: Tx): Promise<number> =>
  (
    await Drafts(tx.db)
      .deleteMany({ _id: { $in: ids } })
      .session(tx)
  ).deletedCount;

export const deleteSessionDrafts = async (session: string, tx: Tx): Promise<number> =>
  (await Drafts(tx.db).deleteMany({ session }).session(tx)).deletedCount;

export const deleteEverySessionDraft = async (tx: Tx): Promise<number> =>
  (
    await Drafts(tx.db)
      .deleteMany({ session: { $exists: true } })
      .session(tx)
  ).deletedCount;

export const deleteEndedDrafts = async (at: Date, tx: Tx): Promise<number> =>
  (
    await Drafts(tx.db)
      .deleteMany({ endsAt: { $lte: at } })
      .session(tx)
  ).deletedCount;

/** Returns the sessions in which drafts exist. */
export const listSessions = (db: Db): Promise<string[]> => Drafts(db).distinct('session').exec() as Promise<string[]>;
