import mongoose, { Schema, type Types } from 'mongoose';
import type { Tx } from '../mongo.ts';
import { STRICT } from '../schema.ts';

/** How far a run has come: kept with the job, so that another process goes on from there. */
export interface Checkpoint {
  readonly cursor: string;
  readonly done: number;
}

/** One document per job, in the form agenda reads and writes. `schedule` is ours. */
export interface JobDocument {
  readonly _id: Types.ObjectId;
  readonly name: string;
  readonly schedule: string;
  /** When it runs next; null while it runs. */
  readonly nextRunAt: Date | null;
  /** Last sign of life of the process that runs it; null while none does. */
  readonly lockedAt: Date | null;
  /** The lock that is, or last was, on it: host, process id, and a part that is new each time. */
  readonly lastModifiedBy: string | null;
  readonly lastRunAt?: Date | null;
  readonly lastFinishedAt?: Date | null;
  readonly failedAt?: Date | null;
  readonly failReason?: string | null;
  /** Failures in a row; 0 after a success. */
  readonly failCount?: number | null;
  readonly progress?: number | null;
  readonly data?: Partial<Checkpoint> | null;
}

export const COLLECTION = 'jobs';

/** With one document per name, the unique index is all that polling needs. */
const Jobs = mongoose.model(
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
 * Makes the document of a job, or gives it the time of a changed schedule. A time that has passed stays: what was
 * missed while nothing ran is made up for once. A job that is locked reschedules itself.
 */
export const ensureJob = async (name: string, schedule: string, nextRunAt: Date): Promise<void> => {
  const fresh = { type: 'normal', priority: 0, schedule, nextRunAt, lockedAt: null, lastModifiedBy: null, data: {} };
  await Jobs.updateOne({ name }, { $setOnInsert: fresh }, { upsert: true });
  await Jobs.updateOne(
    { name, lockedAt: null, $or: [{ schedule: { $ne: schedule } }, { nextRunAt: null }] },
    { $set: { schedule, nextRunAt } },
  );
};

export const findJobs = (names: readonly string[]) =>
  Jobs.find({ name: { $in: names } })
    .lean<JobDocument[]>()
    .exec();

/** Writes a checkpoint, in the transaction that did the work up to there. False where the lock is lost. */
export const saveCheckpoint = async (
  { name, lock }: { readonly name: string; readonly lock: string },
  checkpoint: Checkpoint,
  progress: number | null,
  tx: Tx,
): Promise<boolean> => {
  const { matchedCount } = await Jobs.updateOne(
    { name, lastModifiedBy: lock, lockedAt: { $ne: null } },
    { $set: { data: checkpoint, progress } },
  ).session(tx);
  return matchedCount === 1;
};
