import {
  DISPUTE_CHANGES,
  DISPUTE_FIELDS,
  DISPUTE_STATUSES,
  type DisputeChange,
  type DisputeField,
  type DisputeStatus,
} from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type BacklogStats, measureBacklog } from '../../platform/backlog.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { TEXT_STATES, type TextState } from './status.rule.ts';

/** A dispute of a fact by the firm that it is about. */
export interface DisputeDocument {
  /** The reference. */
  readonly _id: string;
  /** Key of the broker. */
  readonly broker: string;
  readonly field: DisputeField;
  readonly status: DisputeStatus;
  /** Absent once its author was erased. */
  readonly text?: string;
  /** Links, which only operators see. */
  readonly evidence?: readonly string[];
  readonly textState: TextState;
  /** Id of the representative who opened it. */
  readonly representative: string;
  readonly accountId?: string;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  /** Key of the actor who decided. */
  readonly decidedBy?: string;
  readonly change?: DisputeChange;
  readonly statement?: number;
  /** Why it was decided so. Only the firm and operators read it. */
  readonly note?: string;
}

const Disputes = defineModel(
  'Dispute',
  new Schema<DisputeDocument>(
    {
      _id: String,
      broker: { type: String, required: true },
      field: { type: String, enum: DISPUTE_FIELDS, required: true },
      status: { type: String, enum: DISPUTE_STATUSES, required: true },
      text: String,
      evidence: { type: [String], default: undefined },
      textState: { type: String, enum: TEXT_STATES, required: true },
      representative: { type: String, required: true },
      accountId: String,
      createdAt: { type: Date, required: true },
      decidedAt: Date,
      decidedBy: String,
      change: { type: String, enum: DISPUTE_CHANGES },
      statement: Number,
      note: String,
    },
    STRICT,
  )
    .index({ broker: 1, field: 1 }, { unique: true, partialFilterExpression: { status: 'open' } })
    .index({ broker: 1, createdAt: -1, _id: 1 })
    .index({ status: 1, createdAt: 1 })
    .index({ textState: 1, createdAt: 1 })
    .index({ accountId: 1 }, { partialFilterExpression: { accountId: { $exists: true } } }),
  'disputes',
);

export const insertDispute = async (dispute: DisputeDocument, tx: Tx): Promise<void> => {
  await Disputes(tx.db).collection.insertOne(dispute as never, { session: tx });
};

export const findDispute = (db: Db, reference: string, tx?: Tx) =>
  Disputes(db)
    .findById(reference)
    .session(tx ?? null)
    .lean<DisputeDocument>()
    .exec();

/** Returns the disputes of these brokers, newest first. */
export const findAbout = (brokers: readonly string[], tx: Tx) =>
  Disputes(tx.db)
    .find({ broker: { $in: brokers } })
    .sort({ createdAt: -1, _id: 1 })
    .session(tx)
    .lean<DisputeDocument[]>()
    .exec();

export const countOpen = (brokers: readonly string[], tx: Tx): Promise<number> =>
  Disputes(tx.db)
    .countDocuments({ broker: { $in: brokers }, status: 'open' })
    .session(tx)
    .exec();

/** Counts the disputes of these brokers that were opened since a time. */
export const countOpened = (brokers: readonly string[], since: Date, tx: Tx): Promise<number> =>
  Disputes(tx.db)
    .countDocuments({ broker: { $in: brokers }, createdAt: { $gt: since } })
    .session(tx)
    .exec();

/** Filter of a list of disputes. */
export interface DisputeFilter {
  readonly brokers?: readonly string[] | undefined;
  readonly status?: DisputeStatus | undefined;
  /** Only the open ones, and those whose text waits. */
  readonly isWaiting?: boolean | undefined;
}

/** Lists disputes, oldest first. */
export const listDisputes = (db: Db, { brokers, status, isWaiting }: DisputeFilter, limit: number) =>
  Disputes(db)
    .find({
      ...(brokers === undefined ? {} : { broker: { $in: brokers } }),
      ...(status === undefined ? {} : { status }),
      ...(isWaiting ? { $or: [{ status: 'open' }, { textState: 'waiting' }] } : {}),
    })
    .sort({ createdAt: 1, _id: 1 })
    .limit(limit)
    .lean<DisputeDocument[]>()
    .exec();

/** Lists the disputes of these brokers, the open ones first, then newest first. */
export const listOfBrokers = async (db: Db, brokers: readonly string[], limit: number): Promise<DisputeDocument[]> => {
  const list = (status: 'open' | { readonly $ne: 'open' }) =>
    Disputes(db)
      .find({ broker: { $in: brokers }, status })
      .sort({ createdAt: -1, _id: 1 })
      .limit(limit)
      .lean<DisputeDocument[]>()
      .exec();
  return (await Promise.all([list('open'), list({ $ne: 'open' })])).flat().slice(0, limit);
};

/** Returns the next references in order, for a walk over all disputes. */
export const nextDisputes = async (db: Db, after: string, limit: number): Promise<string[]> =>
  (
    await Disputes(db)
      .find({ _id: { $gt: after } }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>()
      .exec()
  ).map(({ _id }) => _id);

export const readDisputes = (references: readonly string[], tx: Tx) =>
  Disputes(tx.db)
    .find({ _id: { $in: references } })
    .session(tx)
    .lean<DisputeDocument[]>()
    .exec();

export const changeDispute = async (
  reference: string,
  set: Partial<Omit<DisputeDocument, '_id'>>,
  tx: Tx,
): Promise<void> => {
  await Disputes(tx.db).updateOne({ _id: reference }, { $set: set }).session(tx);
};

/** Deletes the text of a dispute, its evidence, the reason of its decision, which may quote them, and who wrote it. */
export const eraseText = async (reference: string, tx: Tx): Promise<void> => {
  await Disputes(tx.db)
    .updateOne(
      { _id: reference },
      { $set: { textState: 'erased' }, $unset: { text: 1, evidence: 1, note: 1, accountId: 1 } },
    )
    .session(tx);
};

export const findByAccounts = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Disputes(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<DisputeDocument[]>()
    .exec();

/** Counts all disputes by state, and the open ones that were opened before a time. */
export const countByStatus = async (
  db: Db,
  before: Date,
): Promise<Readonly<Record<DisputeStatus | 'overdue', number>>> => {
  const [rows, overdue] = await Promise.all([
    Disputes(db).aggregate<{ _id: DisputeStatus; count: number }>([{ $group: { _id: '$status', count: { $sum: 1 } } }]),
    Disputes(db).countDocuments({ status: 'open', createdAt: { $lt: before } }),
  ]);
  const counts = Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
  return { open: 0, upheld: 0, rejected: 0, withdrawn: 0, ...counts, overdue };
};

/** Counts the disputes that wait for a decision, about the fact or about the text. */
export const countWaitingDisputes = (db: Db): Promise<BacklogStats> =>
  measureBacklog(
    Disputes(db),
    { $or: [{ status: 'open' }, { textState: 'waiting' }] },
    { sort: 'createdAt', at: 'createdAt' },
  );
