import type { EntryKind } from '@broker-transparency/contract/record';
import { Schema } from 'mongoose';
import { createLeases, type Lease } from '../../platform/delivery/lease.ts';
import { type Db, defineModel, perDb } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';
import type { Secret } from '../../platform/webhooks/message.rule.ts';
import type { DeliveryPosition } from './lane.rule.ts';

/** A delivery that failed. */
interface DeliveryFailure {
  readonly at: Date;
  readonly number: number;
  readonly problem: string;
}

/** Why an endpoint gets nothing. */
export interface Pause {
  readonly at: Date;
  readonly why: 'asked' | 'gone' | 'failing';
}

/** The settings of an endpoint that its customer decides. */
export interface EndpointSettings {
  readonly url: string;
  readonly description: string | null;
  /** null: all. */
  readonly kinds: readonly EntryKind[] | null;
  /** Name of the watchlist whose brokers it gets; null: all entries. */
  readonly watchlist: string | null;
  /** The newest first. */
  readonly secrets: readonly Secret[];
}

/** An endpoint of an organisation. */
export interface Endpoint extends EndpointSettings {
  readonly _id: string;
  readonly organisation: string;
  /** Its place among those that the plan has: no two endpoints of an organisation have the same. */
  readonly slot: number;
  readonly createdAt: Date;
  /** Counts changes of its settings. */
  readonly revision: number;
  /** Counts positions that the customer has set. Whoever delivers from another one must not store how far it is. */
  readonly epoch: number;
  readonly position: DeliveryPosition;
  readonly paused: Pause | null;
  readonly lastDeliveredAt: Date | null;
  /** The newest first. */
  readonly failures: readonly DeliveryFailure[];
  /** The process that delivers, and the end of its lease by the time of the database. */
  readonly lease?: Lease | null;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed, required: true } as const;
const date = { type: Date, default: null } as const;

const Endpoints = defineModel(
  'WebhookEndpoint',
  new Schema<Endpoint>(
    {
      _id: String,
      organisation: text,
      slot: number,
      url: text,
      description: { type: String, default: null },
      kinds: { type: [String], default: null } as never,
      watchlist: { type: String, default: null },
      secrets: mixed as never,
      createdAt: { type: Date, required: true },
      revision: number,
      epoch: number,
      position: mixed as never,
      paused: { type: Schema.Types.Mixed, default: null } as never,
      lastDeliveredAt: date,
      failures: mixed as never,
      lease: { type: Schema.Types.Mixed, default: null } as never,
    },
    STRICT,
  )
    .index({ organisation: 1, slot: 1 }, { unique: true })
    .index({ 'lease.by': 1 })
    .index({ paused: 1, 'lease.until': 1 }),
  'webhookEndpoints',
);

const collection = perDb((db) => Endpoints(db).collection);
const toFilter = (filter: object) => filter as never;

/** Stores a new endpoint in a free place. Returns false if there is none. */
export const insertEndpoint = async (db: Db, endpoint: Omit<Endpoint, 'slot'>, places: number): Promise<boolean> => {
  const { organisation } = endpoint;
  const taken = new Set(await collection(db).distinct('slot', { organisation }));
  const slot = Array.from({ length: places }, (_, at) => at).find((at) => !taken.has(at));
  if (slot === undefined) return false;
  try {
    await collection(db).insertOne({ ...endpoint, slot } as never);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return insertEndpoint(db, endpoint, places); // another request has taken the place
  }
};

/** Returns the endpoints of an organisation, or of all, the oldest first. */
export const listEndpoints = (db: Db, organisation?: string): Promise<Endpoint[]> =>
  collection(db)
    .find<Endpoint>(organisation === undefined ? {} : { organisation }, MAJORITY_READ)
    .sort({ organisation: 1, createdAt: 1, _id: 1 })
    .toArray();

export const findEndpoint = (db: Db, organisation: string, id: string): Promise<Endpoint | null> =>
  collection(db).findOne<Endpoint>(toFilter({ _id: id, organisation }), MAJORITY_READ);

export const deleteEndpoint = (db: Db, organisation: string, id: string): Promise<Endpoint | null> =>
  collection(db).findOneAndDelete(toFilter({ _id: id, organisation })) as unknown as Promise<Endpoint | null>;

/** The changes of a customer. A new position begins a new epoch. */
export type EndpointChange = Partial<EndpointSettings & Pick<Endpoint, 'position' | 'paused'>>;

/** Changes an endpoint, unless somebody else has changed it since. Returns it as it is now; null if somebody has. */
export const changeEndpoint = (
  db: Db,
  { _id, organisation, revision, epoch }: Endpoint,
  change: EndpointChange,
): Promise<Endpoint | null> => {
  const isMoved = 'position' in change || 'paused' in change;
  return collection(db).findOneAndUpdate(
    toFilter({ _id, organisation, revision, epoch }),
    { $set: change as never, $inc: { revision: 1, epoch: isMoved ? 1 : 0 } as never },
    { returnDocument: 'after' },
  ) as unknown as Promise<Endpoint | null>;
};

/** Leases endpoints to a process, which delivers to them. */
export const createEndpointLeases = (db: Db) =>
  createLeases(Endpoints(db), { where: { paused: null }, lastsMs: 6000, mostAtOnce: 200, most: 2000 });

/** The endpoints of a process, with their versions. */
export type EndpointVersion = Pick<Endpoint, '_id' | 'revision' | 'epoch'>;

export const listLeasedVersions = (db: Db, by: string): Promise<EndpointVersion[]> =>
  collection(db)
    .find<EndpointVersion>(
      { 'lease.by': by, paused: null },
      { projection: { revision: 1, epoch: 1 }, ...MAJORITY_READ },
    )
    .toArray();

export const findLeased = (db: Db, by: string, ids: readonly string[]): Promise<Endpoint[]> =>
  collection(db)
    .find<Endpoint>(toFilter({ _id: { $in: ids }, 'lease.by': by }), MAJORITY_READ)
    .toArray();

/** How far an endpoint is by now. */
export interface EndpointProgress extends Pick<Endpoint, '_id' | 'epoch'> {
  readonly change: Partial<Pick<Endpoint, 'position' | 'paused' | 'lastDeliveredAt' | 'failures'>>;
}

/** Stores how far endpoints are, of those that the process still has and whose customers have set no other position. */
export const saveProgress = async (db: Db, by: string, all: readonly EndpointProgress[]): Promise<void> => {
  if (all.length === 0) return;
  await collection(db).bulkWrite(
    all.map(({ _id, epoch, change }) => ({
      updateOne: { filter: toFilter({ _id, epoch, 'lease.by': by }), update: { $set: change as never } },
    })),
    { ordered: false },
  );
};

/** How endpoints are, for metrics. */
export type EndpointStatus = Pick<Endpoint, 'organisation' | 'position' | 'paused'>;

export const listEndpointStatuses = (db: Db): Promise<EndpointStatus[]> =>
  collection(db)
    .find<EndpointStatus>(
      {},
      {
        projection: {
          _id: 0,
          organisation: 1,
          paused: 1,
          'position.next': 1,
          'position.whole': 1,
          'position.blocked.attempts': 1,
        },
      },
    )
    .toArray();
