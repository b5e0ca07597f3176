import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { MOST_TOLD } from './policy.rule.ts';

/** A broker that an address follows, or that somebody asked to follow. */
export interface Follow {
  readonly _id: string;
  /** Id of the follower. */
  readonly follower: string;
  /** Key of the broker. */
  readonly broker: string;
  readonly createdAt: Date;
  /** Of the link that confirms; absent once it is confirmed. */
  readonly codeHash?: string;
  readonly confirmedAt?: Date;
  /** Keys of warnings in the record of which the follower was told. */
  readonly told?: readonly string[];
}

const Follows = defineModel(
  'Follow',
  new Schema<Follow>(
    {
      _id: String,
      follower: { type: String, required: true },
      broker: { type: String, required: true },
      createdAt: { type: Date, required: true },
      codeHash: String,
      confirmedAt: Date,
      told: { type: [String], default: undefined },
    },
    STRICT,
  )
    .index({ follower: 1, broker: 1 }, { unique: true })
    .index({ broker: 1, follower: 1 })
    .index({ codeHash: 1 }, { unique: true, partialFilterExpression: { codeHash: { $exists: true } } }),
  'follows',
);

/** How far a job has read the record. */
export interface Progress {
  readonly _id: 'warnings' | 'weekly';
  /** Number of the next entry. */
  readonly number: number;
  /** The number at which the run ends that is under way. */
  readonly below?: number;
  /** The last follower who was told in that run, or of the next entry. */
  readonly after?: string;
}

const FollowProgress = defineModel(
  'FollowProgress',
  new Schema<Progress>({ _id: String, number: { type: Number, required: true }, below: Number, after: String }, STRICT),
  'followProgress',
);

export const findFollows = (followers: readonly string[], tx: Tx) =>
  Follows(tx.db)
    .find({ follower: { $in: followers } })
    .sort({ createdAt: 1, _id: 1 })
    .session(tx)
    .lean<Follow[]>()
    .exec();

export const findFollowsById = (ids: readonly string[], tx: Tx) =>
  Follows(tx.db)
    .find({ _id: { $in: ids } })
    .session(tx)
    .lean<Follow[]>()
    .exec();

/** Returns up to `limit` confirmed follows of a broker, by its keys, of followers after one, in their order. */
export const nextFollowsFor = (brokers: readonly string[], after: string, limit: number, tx: Tx) =>
  Follows(tx.db)
    .find({ broker: { $in: brokers }, follower: { $gt: after }, confirmedAt: { $exists: true } })
    .sort({ follower: 1 })
    .limit(limit)
    .session(tx)
    .lean<Follow[]>()
    .exec();

/** Returns the request that waits for a code. */
export const findByCode = (codeHash: string, tx: Tx) =>
  Follows(tx.db).findOne({ codeHash }).session(tx).lean<Follow>().exec();

/** Stores a request, in place of an earlier one for the same broker. */
export const saveRequest = async (request: Follow, tx: Tx): Promise<void> => {
  const { _id, follower, broker, ...set } = request;
  await Follows(tx.db)
    .updateOne({ follower, broker }, { $set: set, $setOnInsert: { _id } }, { upsert: true })
    .session(tx);
};

export const confirmRequest = async (id: string, confirmedAt: Date, tx: Tx): Promise<void> => {
  await Follows(tx.db)
    .updateOne({ _id: id }, { $set: { confirmedAt }, $unset: { codeHash: 1 } })
    .session(tx);
};

export const deleteFollows = async (follows: readonly Follow[], tx: Tx): Promise<number> =>
  (
    await Follows(tx.db)
      .deleteMany({ _id: { $in: follows.map(({ _id }) => _id) } })
      .session(tx)
  ).deletedCount;

/** Deletes requests that nobody confirmed. Returns their number. */
export const deleteUnconfirmed = async (before: Date, tx: Tx): Promise<number> =>
  (
    await Follows(tx.db)
      .deleteMany({ confirmedAt: { $exists: false }, createdAt: { $lt: before } })
      .session(tx)
  ).deletedCount;

/** Notes of which warning these were told. */
export const noteTold = async (ids: readonly string[], warning: string, tx: Tx): Promise<void> => {
  await Follows(tx.db)
    .updateMany({ _id: { $in: ids } }, { $push: { told: { $each: [warning], $slice: -MOST_TOLD } } })
    .session(tx);
};

/** Notes that a correction of this warning was sent. */
export const forgetTold = async (ids: readonly string[], warning: string, tx: Tx): Promise<void> => {
  await Follows(tx.db)
    .updateMany({ _id: { $in: ids } }, { $pull: { told: warning } })
    .session(tx);
};

/** Returns up to `limit` followers after one, with the brokers that they follow. */
export const nextFollowed = (db: Db, after: string, limit: number) =>
  Follows(db)
    .aggregate<{ readonly _id: string; readonly brokers: readonly string[] }>([
      { $match: { confirmedAt: { $exists: true }, follower: { $gt: after } } },
      { $group: { _id: '$follower', brokers: { $push: '$broker' } } },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ])
    .exec();

export const readProgress = (db: Db, id: Progress['_id']) => FollowProgress(db).findById(id).lean<Progress>().exec();

export const saveProgress = async (progress: Progress, tx: Tx): Promise<void> => {
  await FollowProgress(tx.db).replaceOne({ _id: progress._id }, progress, { upsert: true }).session(tx);
};
