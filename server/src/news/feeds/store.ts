import mongoose, { Schema } from 'mongoose';
import type { Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

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
const Taken = mongoose.model('NewsTaken', new Schema<{ _id: string }>({ _id: String }, STRICT), 'newsTaken');

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

/** The keys among these that were taken before. */
export const findTaken = async (keys: readonly string[], tx?: Tx): Promise<Set<string>> => {
  const rows = await Taken.find({ _id: { $in: keys } })
    .session(tx ?? null)
    .lean<{ _id: string }[]>()
    .exec();
  return new Set(rows.map(({ _id }) => _id));
};

export const addTaken = async (keys: readonly string[], tx: Tx): Promise<void> => {
  await Taken.bulkWrite(
    keys.map((key) => ({ updateOne: { filter: { _id: key }, update: { $setOnInsert: { _id: key } }, upsert: true } })),
    { session: tx },
  );
};
