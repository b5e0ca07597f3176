import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Schema } from 'mongoose';
import { type Db, defineModel } from './mongo.ts';
import { STRICT } from './schema.ts';

/** A process that serves or maintains a database. */
export interface ServerPresence {
  /** New for each start. */
  readonly _id: string;
  readonly host: string;
  readonly pid: number;
  /** By the clock of the database. */
  readonly seenAt: Date;
}

const Servers = defineModel(
  'Server',
  new Schema<ServerPresence>(
    {
      _id: String,
      host: { type: String, required: true },
      pid: { type: Number, required: true },
      seenAt: { type: Date, required: true },
    },
    STRICT,
  ).index({ seenAt: 1 }, { expireAfterSeconds: 86_400 }),
  'servers',
);

/** Interval of the heartbeat of a process, in milliseconds. */
export const PRESENCE_MS = 5000;
/** Time after its last heartbeat for which a process counts as running, in milliseconds. */
const FRESH_MS = 4 * PRESENCE_MS;

/** The presence of this process in one database. */
export interface Presence {
  /** Sends a heartbeat. */
  readonly renew: () => Promise<void>;
  /** Reports that the process ends. */
  readonly end: () => Promise<void>;
}

/** Creates the presence of a starting process. */
export const createPresence = (db: Db): Presence => {
  const _id = randomUUID();
  return {
    renew: async () => {
      const set = { host: hostname(), pid: process.pid };
      await Servers(db).updateOne({ _id }, { $set: set, $currentDate: { seenAt: true } }, { upsert: true });
    },
    end: async () => {
      await Servers(db).deleteOne({ _id });
    },
  };
};

/** Returns the processes that run on a database now. A killed process stays listed for 20 seconds. */
export const listServers = (db: Db): Promise<ServerPresence[]> =>
  Servers(db)
    .find({ $expr: { $gt: ['$seenAt', { $subtract: ['$$NOW', FRESH_MS] }] } })
    .sort({ host: 1, pid: 1 })
    .lean<ServerPresence[]>()
    .exec();
