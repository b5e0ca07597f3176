import mongoose, { Schema } from 'mongoose';
import type { Tx } from '../../../platform/mongo.ts';
import { STRICT } from '../../../platform/schema.ts';
import type { Taken } from './precedence.ts';

/** How the pulls of a feed went. */
export interface FeedState {
  /** Its address. */
  readonly _id: string;
  readonly lastPulledAt: Date;
  readonly lastError: string | null;
  /** Pulls that failed since the last one that did not. */
  readonly failures: number;
  /** Items taken so far. */
  readonly taken: number;
  /** What the server is asked with, to hear whether something has changed. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}
export type Validators = Pick<FeedState, 'etag' | 'lastModified'>;

const FeedStates = mongoose.model(
  'NewsFeed',
  new Schema<FeedState>(
    {
      _id: String,
      lastPulledAt: { type: Date, required: true },
      lastError: { type: String, default: null },
      failures: { type: Number, required: true },
      taken: { type: Number, required: true },
      etag: { type: String, default: null },
      lastModified: { type: String, default: null },
    },
    STRICT,
  ),
  'newsFeeds',
);

/** What was taken once, by address and by the feed's own id. It stays when the item is removed. */
const TakenItems = mongoose.model(
  'NewsTaken',
  new Schema<Taken>({ _id: String, feed: String, standing: String }, STRICT),
  'newsTaken',
);

export const listFeedStates = () => FeedStates.find({}).lean<FeedState[]>().exec();

export const findFeedState = (url: string) => FeedStates.findById(url).lean<FeedState>().exec();

/** What a pull came to: a failed one keeps what is known of the last good one. */
export const saveFeedState = async (
  url: string,
  { at, taken, validators }: { at: Date; taken: number; validators: Validators },
  tx?: Tx,
): Promise<void> => {
  const set = { lastPulledAt: at, lastError: null, failures: 0, ...validators };
  await FeedStates.updateOne({ _id: url }, { $set: set, $inc: { taken } }, { upsert: true }).session(tx ?? null);
};

export const saveFeedFailure = async (url: string, at: Date, error: string): Promise<void> => {
  await FeedStates.updateOne(
    { _id: url },
    { $set: { lastPulledAt: at, lastError: error }, $inc: { failures: 1 }, $setOnInsert: { taken: 0 } },
    { upsert: true },
  );
};

/** What was taken before under these keys. */
export const findTaken = async (keys: readonly string[], tx?: Tx): Promise<Map<string, Taken>> => {
  const rows = await TakenItems.find({ _id: { $in: keys } })
    .session(tx ?? null)
    .lean<Taken[]>()
    .exec();
  return new Map(rows.map((row) => [row._id, row]));
};

export const saveTaken = async (rows: readonly Taken[], tx: Tx): Promise<void> => {
  await TakenItems.bulkWrite(
    rows.map((row) => ({ replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true } })),
    { session: tx },
  );
};

/** What an operator wrote gives way to no feed. */
export const closeTaken = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await TakenItems.updateMany(
    { _id: { $in: ids }, feed: { $ne: null } },
    { $set: { feed: null }, $unset: { standing: 1 } },
  )
    .session(tx)
    .exec();
};

/** Addresses of which an earlier release did not note who brought them. */
const UNNOTED = { feed: { $exists: false } };
const ADDRESS = /^[0-9a-f]{24}$/;

export const countUnnoted = (): Promise<number> => TakenItems.countDocuments({ _id: ADDRESS, ...UNNOTED });

export const nextUnnoted = async (after: string | undefined, limit: number): Promise<string[]> => {
  const rows = await TakenItems.find(
    { $and: [{ _id: ADDRESS }, { _id: { $gt: after ?? '' } }], ...UNNOTED },
    { _id: 1 },
  )
    .sort({ _id: 1 })
    .limit(limit)
    .lean<Taken[]>()
    .exec();
  return rows.map(({ _id }) => _id);
};
