import { Schema, Types } from 'mongoose';
import { type Db, defineModel, transaction } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** One answered request of an organisation. */
export interface Access {
  readonly _id: Types.ObjectId;
  readonly organisation: string;
  /** Id of the key; absent if it came with a token of the identity provider. */
  readonly key?: string;
  readonly at: Date;
  readonly method: string;
  /** Path of the route in the contract. */
  readonly route: string;
  /** The kept part of path and query. */
  readonly target: string;
  readonly status: number;
  readonly bytes: number;
  readonly address: string;
  /** Time at which this record is deleted. */
  readonly endsAt: Date;
}

/** An organisation's use of one route on one day. */
export interface DayUse {
  readonly organisation: string;
  /** `YYYY-MM-DD` in UTC. */
  readonly date: string;
  readonly route: string;
  readonly requests: number;
  readonly bytes: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const date = { type: Date, required: true } as const;

const Accesses = defineModel(
  'EnterpriseAccess',
  new Schema<Access>(
    {
      organisation: text,
      key: String,
      at: date,
      method: text,
      route: text,
      target: text,
      status: number,
      bytes: number,
      address: text,
      endsAt: date,
    },
    STRICT,
  )
    .index({ organisation: 1, at: -1 })
    .index({ endsAt: 1 }, { expireAfterSeconds: 0 }),
  'enterpriseAccesses',
);

const Uses = defineModel(
  'EnterpriseUse',
  new Schema<DayUse>({ organisation: text, date: text, route: text, requests: number, bytes: number }, STRICT).index(
    { organisation: 1, date: 1, route: 1 },
    { unique: true },
  ),
  'enterpriseUses',
);

export const newAccessId = (): Types.ObjectId => new Types.ObjectId();

/** Stores accesses and adds their uses, in one transaction. */
export const storeAccesses = (db: Db, accesses: readonly Access[], uses: readonly DayUse[]): Promise<void> =>
  transaction(db, async (session) => {
    await Accesses(db).collection.insertMany([...accesses], { session });
    if (uses.length === 0) return;
    const added = uses.map(({ requests, bytes, ...key }) => ({
      updateOne: { filter: key, update: { $inc: { requests, bytes } }, upsert: true },
    }));
    await Uses(db).bulkWrite(added, { session });
  });

/** Returns true if accesses of one write are stored. */
export const areStored = async (db: Db, [first]: readonly Access[]): Promise<boolean> =>
  first !== undefined && (await Accesses(db).exists({ _id: first._id })) !== null;

/** Selects the days of a month, `YYYY-MM`. */
const within = (month: string) => ({ $gte: `${month}-01`, $lte: `${month}-31` });

/** Returns an organisation's use in a month, by day and route. */
export const findUses = (db: Db, organisation: string, month: string): Promise<DayUse[]> =>
  Uses(db)
    .find({ organisation, date: within(month) }, { _id: 0 })
    .sort({ date: 1, route: 1 })
    .lean<DayUse[]>()
    .exec();

/** Returns the requests of each of these organisations in a month. */
export const countRequests = async (
  db: Db,
  organisations: readonly string[],
  month: string,
): Promise<ReadonlyMap<string, number>> => {
  const rows = await Uses(db).aggregate<{ _id: string; requests: number }>([
    { $match: { organisation: { $in: organisations }, date: within(month) } },
    { $group: { _id: '$organisation', requests: { $sum: '$requests' } } },
  ]);
  return new Map(rows.map(({ _id, requests }) => [_id, requests]));
};

/** Returns the organisations with any use in a month. */
export const findUsers = (db: Db, month: string): Promise<string[]> =>
  Uses(db)
    .distinct('organisation', { date: within(month) })
    .exec();

/** Returns the last accesses of an organisation, the newest first. */
export const findAccesses = (db: Db, organisation: string, limit: number): Promise<Omit<Access, '_id'>[]> =>
  Accesses(db).find({ organisation }, { _id: 0 }).sort({ at: -1 }).limit(limit).lean<Access[]>().exec();
