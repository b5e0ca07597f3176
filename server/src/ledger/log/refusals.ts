import { randomUUID } from 'node:crypto';
import { Schema } from 'mongoose';
import { type Db, defineModel } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** A tree that a process has signed. */
export interface SignedTree {
  readonly size: number;
  /** In base64. */
  readonly root: string;
}

/** A process that has a key of the log and does not sign. */
export interface SigningRefusal {
  /** New for each process, so that no backup has it. */
  readonly _id: string;
  readonly why: string;
  readonly since: Date;
  /** Time of the last renewal. An old refusal belongs to a process that has ended. */
  readonly at: Date;
  /** True if a process that knows the last signed tree can help. */
  readonly isOpen: boolean;
  /** The last signed tree, as a process that can help reports it. */
  readonly vouched?: SignedTree;
}

const Refusals = defineModel(
  'LogRefusal',
  new Schema<SigningRefusal>(
    {
      _id: String,
      why: { type: String, required: true },
      since: { type: Date, required: true },
      at: { type: Date, required: true },
      isOpen: { type: Boolean, required: true },
      vouched: { type: { size: Number, root: String }, _id: false, default: undefined },
    },
    STRICT,
  ).index({ at: 1 }, { expireAfterSeconds: 86_400 }),
  'logRefusals',
);

/** Time in milliseconds for which a refusal counts without renewal. */
const FRESH_MS = 60_000;

const toFreshFilter = (now: Date) => ({ $gt: new Date(now.getTime() - FRESH_MS) });

/** Refusals that a signing process may answer. */
export const OPEN = { collection: 'logRefusals', match: { isOpen: true, vouched: { $exists: false } } } as const;

/** Stores the reason why a process does not sign. Returns the tree that another process has vouched for. */
export const saveRefusal = async (
  db: Db,
  { _id, since, ...rest }: Omit<SigningRefusal, 'vouched'>,
): Promise<SignedTree | undefined> => {
  const noted = await Refusals(db)
    .findOneAndUpdate({ _id }, { $set: rest, $setOnInsert: { since } }, { upsert: true, returnDocument: 'after' })
    .lean<SigningRefusal>()
    .exec();
  return noted?.vouched;
};

export const dropRefusal = async (db: Db, _id: string): Promise<void> => {
  await Refusals(db).deleteOne({ _id });
};

/** Reports the last signed tree to every process that asks. */
export const vouchFor = async (db: Db, vouched: SignedTree): Promise<void> => {
  await Refusals(db).updateMany({ ...OPEN.match }, { $set: { vouched } });
};

/** Returns the processes that do not sign now, oldest refusal first. */
export const listRefusals = (db: Db, now: Date): Promise<SigningRefusal[]> =>
  Refusals(db)
    .find({ at: toFreshFilter(now) })
    .sort({ since: 1 })
    .lean<SigningRefusal[]>()
    .exec();

const RECOVERING = 'admin log recover looks for the newest copy';

/**
 * Reads a copy while no process of this database serves its checkpoint: a process at the address of the log would only
 * show the content of the database.
 */
export const readWhileWithheld = async <T>(db: Db, read: () => Promise<T>): Promise<T> => {
  const [_id, now] = [randomUUID(), new Date()];
  await saveRefusal(db, { _id, why: RECOVERING, since: now, at: now, isOpen: false });
  return read().finally(() => dropRefusal(db, _id));
};

export const isWithheld = async (db: Db): Promise<boolean> =>
  (await Refusals(db).exists({ at: toFreshFilter(new Date()), why: RECOVERING })) !== null;
