import { Schema } from 'mongoose';
import { type BacklogStats, measureBacklog } from '../../platform/backlog.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { type DeclineReason, REPLY_STATES, type ReplyState } from './status.rule.ts';

/** A reply that a person wrote for a broker to a review. */
export interface ReplyDocument {
  readonly _id: string;
  readonly reviewId: string;
  /** The account that wrote the review, whose erasure deletes the reply. */
  readonly reviewerId: string;
  /** Key of the broker. */
  readonly broker: string;
  readonly status: ReplyState;
  /** Absent once it is public: then the review has it. */
  readonly content?: string;
  /** Id of the representative who wrote it. */
  readonly representative: string;
  readonly accountId: string;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  readonly reason?: DeclineReason;
}

const Replies = defineModel(
  'ReviewReply',
  new Schema<ReplyDocument>(
    {
      _id: String,
      reviewId: { type: String, required: true },
      reviewerId: { type: String, required: true },
      broker: { type: String, required: true },
      status: { type: String, enum: REPLY_STATES, required: true },
      content: String,
      representative: { type: String, required: true },
      accountId: { type: String, required: true },
      createdAt: { type: Date, required: true },
      decidedAt: Date,
      reason: String,
    },
    STRICT,
  )
    .index({ reviewId: 1 }, { unique: true, partialFilterExpression: { status: { $in: ['waiting', 'published'] } } })
    .index({ status: 1, createdAt: 1 })
    .index({ broker: 1, createdAt: -1 })
    .index({ accountId: 1 })
    .index({ reviewerId: 1 }),
  'reviewReplies',
);

export const insertReply = async (reply: ReplyDocument, tx: Tx): Promise<void> => {
  await Replies(tx.db).collection.insertOne(reply as never, { session: tx });
};

export const findReply = (id: string, tx: Tx) => Replies(tx.db).findById(id).session(tx).lean<ReplyDocument>().exec();

/** Returns the reply with this id, if it is in a state. */
export const findReplies = (db: Db, id: string, status: ReplyState) =>
  Replies(db).find({ _id: id, status }).lean<ReplyDocument[]>().exec();

/** Returns the reply of a person that is public under a review. */
export const findPublishedReply = (reviewId: string, tx: Tx) =>
  Replies(tx.db).findOne({ reviewId, status: 'published' }).session(tx).lean<ReplyDocument>().exec();

/** Lists replies in a state, oldest first. */
export const listReplies = (db: Db, status: ReplyState, limit: number) =>
  Replies(db).find({ status }).sort({ createdAt: 1, _id: 1 }).limit(limit).lean<ReplyDocument[]>().exec();

/** Lists the replies of these brokers, newest first. */
export const listByBrokers = (db: Db, brokers: readonly string[], limit: number) =>
  Replies(db)
    .find({ broker: { $in: brokers } })
    .sort({ createdAt: -1, _id: 1 })
    .limit(limit)
    .lean<ReplyDocument[]>()
    .exec();

/** Moves a reply to a state. The text is kept only while it waits. */
export const settleReply = async (
  id: string,
  set: Pick<ReplyDocument, 'status' | 'decidedAt' | 'reason'>,
  tx: Tx,
): Promise<void> => {
  await Replies(tx.db)
    .updateOne({ _id: id }, { $set: set, $unset: { content: 1 } })
    .session(tx);
};

/** Returns the replies that these accounts wrote, and those to their reviews. */
export const findByAccounts = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Replies(tx.db)
    .find({ $or: [{ accountId: { $in: accountIds } }, { reviewerId: { $in: accountIds } }] })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<ReplyDocument[]>()
    .exec();

export const deleteReplies = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await Replies(tx.db)
    .deleteMany({ _id: { $in: ids } })
    .session(tx);
};

/** Counts the replies that wait for an operator. */
export const countWaitingReplies = (db: Db): Promise<BacklogStats> =>
  measureBacklog(Replies(db), { status: 'waiting' }, { sort: 'createdAt', at: 'createdAt' });
