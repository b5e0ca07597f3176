import { Schema } from 'mongoose';
import { type Db, defineModel } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { STRICT } from '../../platform/schema.ts';

/** A list of brokers that an organisation watches. */
export interface StoredWatchlist {
  readonly organisation: string;
  readonly name: string;
  /** Keys of brokers, which never change. */
  readonly brokers: readonly string[];
  readonly updatedAt: Date;
}

/** A watchlist with its place among those of its organisation. No two have the same, so that no two writes take one. */
interface PlacedWatchlist extends StoredWatchlist {
  readonly place: number;
}

const text = { type: String, required: true } as const;

const Watchlists = defineModel(
  'EnterpriseWatchlist',
  new Schema<PlacedWatchlist>(
    {
      organisation: text,
      name: text,
      brokers: { type: [String], required: true },
      updatedAt: { type: Date, required: true },
      place: { type: Number, required: true },
    },
    STRICT,
  )
    .index({ organisation: 1, name: 1 }, { unique: true })
    .index({ organisation: 1, place: 1 }, { unique: true })
    .index({ updatedAt: 1 }),
  'enterpriseWatchlists',
);

/** Identifies a watchlist by organisation and name. */
export type WatchlistId = Pick<StoredWatchlist, 'organisation' | 'name'>;

export const findWatchlist = (db: Db, id: WatchlistId): Promise<StoredWatchlist | null> =>
  Watchlists(db).findOne(id, { _id: 0, place: 0 }).lean<StoredWatchlist>().exec();

export const listWatchlists = (db: Db, organisation: string): Promise<StoredWatchlist[]> =>
  Watchlists(db).find({ organisation }, { _id: 0, place: 0 }).sort({ name: 1 }).lean<StoredWatchlist[]>().exec();

/** Returns the watchlists written after a time, without their brokers. */
export const findWritten = (db: Db, since: Date): Promise<Omit<StoredWatchlist, 'brokers'>[]> =>
  Watchlists(db)
    .find({ updatedAt: { $gt: since } }, { _id: 0, brokers: 0, place: 0 })
    .lean<StoredWatchlist[]>()
    .exec();

/** Returns the lowest free place of an organisation; undefined if it has as many watchlists as it may have. */
const findPlace = async (db: Db, organisation: string, most: number): Promise<number | undefined> => {
  const taken = new Set(await Watchlists(db).distinct('place', { organisation }).exec());
  if (taken.size >= most) return undefined;
  let place = 0;
  while (taken.has(place)) place++;
  return place;
};

/**
 * Stores a watchlist, replacing the one with its name. Returns false if it would be new, and the organisation has `most`
 * of them.
 */
export const saveWatchlist = async (
  db: Db,
  { organisation, name, ...rest }: StoredWatchlist,
  most: number,
): Promise<boolean> => {
  for (;;) {
    const { matchedCount } = await Watchlists(db).updateOne({ organisation, name }, { $set: rest }).exec();
    if (matchedCount === 1) return true;
    const place = await findPlace(db, organisation, most);
    if (place === undefined) return false;
    try {
      await Watchlists(db).create({ organisation, name, ...rest, place });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error; // another write took the name or the place: look again
    }
  }
};

export const deleteWatchlist = (db: Db, id: WatchlistId): Promise<StoredWatchlist | null> =>
  Watchlists(db)
    .findOneAndDelete(id, { projection: { _id: 0, place: 0 } })
    .lean<StoredWatchlist>()
    .exec();
