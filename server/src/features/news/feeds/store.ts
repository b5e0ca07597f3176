import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../../platform/mongo.ts';
import { STRICT } from '../../../platform/schema.ts';
import type { IngestedItem } from './precedence.ts';

/** State of the pulls of a feed. */
export interface FeedState {
  /** Address of the feed. */
  readonly _id: string;
  readonly lastPulledAt: Date;
  readonly lastError: string | null;
  /** Number of failed pulls since the last success. */
  readonly failures: number;
  /** Number of items taken so far. */
  readonly taken: number;
  /** Validators for the next conditional request. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}
export type Validators = Pick<FeedState, 'etag' | 'lastModified'>;

const FeedStates = defineModel(
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

/** Keys of all items ever taken: hashes of the address and of the feed's own id. They stay when an item is removed. */
const TakenItems = defineModel(
  'NewsTaken',
  new Schema<IngestedItem>({ _id: String, feed: String, standing: String }, STRICT),
  'newsTaken',
);

export const listFeedStates = (db: Db) => FeedStates(db).find({}).lean<FeedState[]>().exec();

export const findFeedState = (db: Db, url: string) => FeedStates(db).findById(url).lean<FeedState>().exec();

/** Records a successful pull. */
export const saveFeedState = async (
  db: Db,
  url: string,
  { at, taken, validators }: { at: Date; taken: number; validators: Validators },
  tx?: Tx,
): Promise<void> => {
  const set = { lastPulledAt: at, lastError: null, failures: 0, ...validators };
  await FeedStates(db)
    .updateOne({ _id: url }, { $set: set, $inc: { taken } }, { upsert: true })
    .session(tx ?? null);
};

export const saveFeedFailure = async (db: Db, url: string, at: Date, error: string): Promise<void> => {
  await FeedStates(db).updateOne(
    { _id: url },
    { $set: { lastPulledAt: at, lastError: error }, $inc: { failures: 1 }, $setOnInsert: { taken: 0 } },
    { upsert: true },
  );
};

/** Returns the items taken earlier under these keys. */
export const findIngested = async (db: Db, keys: readonly string[], tx?: Tx): Promise<Map<string, IngestedItem>> => {
  const rows = await TakenItems(db)
    .find({ _id: { $in: keys } })
    .session(tx ?? null)
    .lean<IngestedItem[]>()
    .exec();
  return new Map(rows.map((row) => [row._id, row]));
};

export const saveIngested = async (rows: readonly IngestedItem[], tx: Tx): Promise<void> => {
  await TakenItems(tx.db).bulkWrite(
    rows.map((row) => ({ replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true } })),
    { session: tx },
  );
};

/** Marks items as written by an operator, so that they give way to no feed. */
export const closeIngested = async (ids: readonly string[], tx: Tx): Promise<void> => {
  await TakenItems(tx.db)
    .updateMany({ _id: { $in: ids }, feed: { $ne: null } }, { $set: { feed: null }, $unset: { standing: 1 } })
    .session(tx)
    .exec();
};
