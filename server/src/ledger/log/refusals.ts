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

/** A process that has the key of the log, and does not sign it. */
export interface SigningRefusal {
  /** New for each process, so that no backup has it. */
  readonly _id: string;
  readonly why: string;
  readonly since: Date;
  /** It is noted again all the time: an old one is of a process that ended. */
  readonly at: Date;
  /** Whether a process that knows what was signed last can help. */
  readonly isOpen: boolean;
  /** What such a process has signed last. */
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

/** For how long a refusal counts that is not noted again, in milliseconds. */
const FRESH_MS = 60_000;

const toFreshFilter = (now: Date) => ({ $gt: new Date(now.getTime() - FRESH_MS) });

/** Refusals that a process which signs may answer. */
export const OPEN = { collection: 'logRefusals', match: { isOpen: true, vouched: { $exists: false } } } as const;

/** Notes why a process does not sign. Returns what another one has vouched for. */
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

/** Tells every process that asks what was signed last. */
export const vouchFor = async (db: Db, vouched: SignedTree): Promise<void> => {
  await Refusals(db).updateMany({ ...OPEN.match }, { $set: { vouched } });
};

/** Returns the processes that do not sign now, the first one first. */
export const listRefusals = (db: Db, now: Date): Promise<SigningRefusal[]> =>
  Refusals(db)
    .find({ at: toFreshFilter(now) })
    .sort({ since: 1 })
    .lean<SigningRefusal[]>()
    .exec();

const RECOVERING = 'admin log recover looks for the newest copy';

/**
 * Reads a copy while no process of this database shows its checkpoint: one that answers at the address of the log would
 * only show what the database has.
 */
export const readWhileWithheld = async <T>(db: Db, read: () => Promise<T>): Promise<T> => {
  const [_id, now] = [randomUUID(), new Date()];
  await saveRefusal(db, { _id, why: RECOVERING, since: now, at: now, isOpen: false });
  return read().finally(() => dropRefusal(db, _id));
};

export const isWithheld = async (db: Db): Promise<boolean> =>
  (await Refusals(db).exists({ at: toFreshFilter(new Date()), why: RECOVERING })) !== null;
