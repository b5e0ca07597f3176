import { Schema, type Types } from 'mongoose';
import { type Db, defineModel, type Tx } from '../mongo.ts';
import { STRICT } from '../schema.ts';

/** Progress of a run, stored with the job so that another process can continue. */
export interface Checkpoint {
  readonly cursor: string;
  readonly done: number;
}

/** One document per job, in the format of agenda, except for `schedule`, which is ours. */
export interface JobDocument {
  readonly _id: Types.ObjectId;
  readonly name: string;
  readonly schedule: string;
  /** Next run; null while the job runs. */
  readonly nextRunAt: Date | null;
  /** Last heartbeat of the process that runs the job; null if none does. */
  readonly lockedAt: Date | null;
  /** Current or last lock: host, process id, and a part that is new for each lock. */
  readonly lastModifiedBy: string | null;
  readonly lastRunAt?: Date | null;
  readonly lastFinishedAt?: Date | null;
  readonly failedAt?: Date | null;
  readonly failReason?: string | null;
  /** Number of failures in a row; 0 after a success. */
  readonly failCount?: number | null;
  readonly progress?: number | null;
  readonly data?: Partial<Checkpoint> | null;
}

export const COLLECTION = 'jobs';

/** There is one document per name, so polling needs no other index. */
const Jobs = defineModel(
  'Job',
  new Schema(
    {
      name: { type: String, required: true },
      type: { type: String, required: true },
      priority: { type: Number, required: true },
      schedule: { type: String, required: true },
      nextRunAt: Date,
      lockedAt: Date,
      lastModifiedBy: String,
      lastRunAt: Date,
      lastFinishedAt: Date,
      failedAt: Date,
      failReason: String,
      failCount: Number,
      progress: Number,
      data: Schema.Types.Mixed,
    },
    STRICT,
  ).index({ name: 1 }, { unique: true }),
  COLLECTION,
);

/**
 * Creates the document of a job, or updates its next run when the schedule has changed. A next run in the past stays,
 * so that a missed run is made up for once. A locked job reschedules itself.
 */
export const ensureJob = async (db: Db, name: string, schedule: string, nextRunAt: Date): Promise<void> => {
  const fresh = { type: 'normal', priority: 0, schedule, nextRunAt, lockedAt: null, lastModifiedBy: null, data: {} };
  await Jobs(db).updateOne({ name }, { $setOnInsert: fresh }, { upsert: true });
  await Jobs(db).updateOne(
    { name, lockedAt: null, $or: [{ schedule: { $ne: schedule } }, { nextRunAt: null }] },
    { $set: { schedule, nextRunAt } },
  );
};

/** Makes a job due now, unless it runs. */
export const makeDue = async (db: Db, name: string): Promise<void> => {
  await Jobs(db).updateOne({ name, lockedAt: null }, { $set: { nextRunAt: new Date() } });
};

export const findJobs = (db: Db, names: readonly string[]) =>
  Jobs(db)
    .find({ name: { $in: names } })
    .lean<JobDocument[]>()
    .exec();

/** Saves a checkpoint in the transaction that did the work. Returns false if the lock is lost. */
export const saveCheckpoint = async (
  { name, lock }: { readonly name: string; readonly lock: string },
  checkpoint: Checkpoint,
  progress: number | null,
  tx: Tx,
): Promise<boolean> => {
  const { matchedCount } = await Jobs(tx.db)
    .updateOne({ name, lastModifiedBy: lock, lockedAt: { $ne: null } }, { $set: { data: checkpoint, progress } })
    .session(tx);
  return matchedCount === 1;
};
