import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Schema } from 'mongoose';
import { type Db, defineModel } from './mongo.ts';
import { STRICT } from './schema.ts';

/** A process that serves or keeps a database. */
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

/** Interval at which a process says that it runs, in milliseconds. */
export const PRESENCE_MS = 5000;
/** For how long a process counts as running that says so no more, in milliseconds. */
const FRESH_MS = 4 * PRESENCE_MS;

/** The presence of this process in one database. */
export interface Presence {
  /** Says that the process runs. */
  readonly renew: () => Promise<void>;
  /** Says that it ends. */
  readonly end: () => Promise<void>;
}

/** Creates the presence of a process that starts. */
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

/** Returns the processes that run on a database now. One that was killed is among them for 20 seconds. */
export const listServers = (db: Db): Promise<ServerPresence[]> =>
  Servers(db)
    .find({ $expr: { $gt: ['$seenAt', { $subtract: ['$$NOW', FRESH_MS] }] } })
    .sort({ host: 1, pid: 1 })
    .lean<ServerPresence[]>()
    .exec();
