import { Schema } from 'mongoose';
import { type Db, defineModel } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** A list of brokers that an organisation watches. */
export interface StoredWatchlist {
  readonly organisation: string;
  readonly name: string;
  /** Keys of brokers, which never change. */
  readonly brokers: readonly string[];
  readonly updatedAt: Date;
}

const text = { type: String, required: true } as const;

const Watchlists = defineModel(
  'EnterpriseWatchlist',
  new Schema<StoredWatchlist>(
    {
      organisation: text,
      name: text,
      brokers: { type: [String], required: true },
      updatedAt: { type: Date, required: true },
    },
    STRICT,
  )
    .index({ organisation: 1, name: 1 }, { unique: true })
    .index({ updatedAt: 1 }),
  'enterpriseWatchlists',
);

/** Identifies a watchlist by organisation and name. */
export type WatchlistId = Pick<StoredWatchlist, 'organisation' | 'name'>;

export const findWatchlist = (db: Db, id: WatchlistId): Promise<StoredWatchlist | null> =>
  Watchlists(db).findOne(id, { _id: 0 }).lean<StoredWatchlist>().exec();

export const listWatchlists = (db: Db, organisation: string): Promise<StoredWatchlist[]> =>
  Watchlists(db).find({ organisation }, { _id: 0 }).sort({ name: 1 }).lean<StoredWatchlist[]>().exec();

/** Returns the watchlists written after a time, without their brokers. */
export const findWritten = (db: Db, since: Date): Promise<Omit<StoredWatchlist, 'brokers'>[]> =>
  Watchlists(db)
    .find({ updatedAt: { $gt: since } }, { _id: 0, brokers: 0 })
    .lean<StoredWatchlist[]>()
    .exec();

export const countWatchlists = (db: Db, organisation: string): Promise<number> =>
  Watchlists(db).countDocuments({ organisation }).exec();

/** Stores a watchlist, replacing the one with its name. Returns true if there was none. */
export const saveWatchlist = async (db: Db, { organisation, name, ...rest }: StoredWatchlist): Promise<boolean> => {
  const { upsertedCount } = await Watchlists(db).updateOne({ organisation, name }, { $set: rest }, { upsert: true });
  return upsertedCount === 1;
};

export const deleteWatchlist = (db: Db, id: WatchlistId): Promise<StoredWatchlist | null> =>
  Watchlists(db)
    .findOneAndDelete(id, { projection: { _id: 0 } })
    .lean<StoredWatchlist>()
    .exec();
