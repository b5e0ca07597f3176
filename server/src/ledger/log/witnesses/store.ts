import { Schema } from 'mongoose';
import { type Db, defineModel } from '../../../platform/mongo.ts';
import { isDuplicateKey } from '../../../platform/mongo-errors.ts';
import { STRICT } from '../../../platform/schema.ts';

/** Signature of a witness under a checkpoint. It is verified before it is stored. */
export interface Cosignature {
  /** The text of the checkpoint, without signatures. */
  readonly text: string;
  readonly size: number;
  /** The signature line. */
  readonly line: string;
  /** Time of the signature, by the clock of the witness. */
  readonly signedAt: Date;
  /** Time of receipt. */
  readonly at: Date;
}

/** State of a witness of a log. */
export interface StoredWitness {
  /** Origin of the log, and name and id of the key of the witness. */
  readonly _id: string;
  readonly origin: string;
  /** Its name in the policy. */
  readonly name: string;
  /** Size of the newest tree that it has cosigned; 0 if none is known. */
  readonly size: number;
  /** Last cosignatures, newest first: a slow witness is some checkpoints behind a fast one. */
  readonly cosignatures: readonly Cosignature[];
  /** Time of the earliest next request. The process that advances it may ask. */
  readonly notBefore: Date;
  /** Reason why the last request failed; null after a success. */
  readonly failure: string | null;
  readonly failedAt: Date | null;
  /** Time since which all requests have failed. */
  readonly failingSince: Date | null;
  readonly failures: number;
  /** True if the witness reports another history of the log. */
  readonly contradicts: boolean;
}

/** Number of cosignatures that are kept per witness. */
const KEPT = 8;

const Stored = defineModel(
  'LogWitness',
  new Schema<StoredWitness>(
    {
      _id: String,
      origin: { type: String, required: true },
      name: { type: String, required: true },
      size: { type: Number, required: true },
      cosignatures: { type: [Object], required: true } as never,
      notBefore: { type: Date, required: true },
      failure: { type: String, default: null },
      failedAt: { type: Date, default: null },
      failingSince: { type: Date, default: null },
      failures: { type: Number, default: 0 },
      contradicts: { type: Boolean, default: false },
    },
    STRICT,
  ),
  'logWitnesses',
);

const CLEAN = { failure: null, failedAt: null, failingSince: null, failures: 0, contradicts: false };

const insertNew = async (db: Db, witness: Pick<StoredWitness, '_id' | 'origin' | 'name'>): Promise<void> => {
  const fresh = { ...witness, ...CLEAN, size: 0, cosignatures: [], notBefore: new Date(0) };
  await Stored(db)
    .collection.insertOne(fresh as never)
    .catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
};

/** Sets the witnesses of the log. The state of all others is deleted. */
export const setWitnesses = async (
  db: Db,
  origin: string,
  witnesses: readonly Pick<StoredWitness, '_id' | 'name'>[],
): Promise<void> => {
  await Stored(db).deleteMany({ origin, _id: { $nin: witnesses.map(({ _id }) => _id) } });
  for (const { _id, name } of witnesses) {
    const { matchedCount } = await Stored(db).updateOne({ _id }, { $set: { name } });
    if (matchedCount === 0) await insertNew(db, { _id, origin, name });
  }
};

/** Returns the state of the witnesses of a log, by name. */
export const findWitnesses = (db: Db, origin: string): Promise<StoredWitness[]> =>
  Stored(db).find({ origin }).sort({ name: 1 }).lean<StoredWitness[]>().exec();

/** Advances the time of the next request to a witness. Returns false if another process did. */
export const claim = async (db: Db, { _id, notBefore }: StoredWitness, until: Date): Promise<boolean> => {
  const { matchedCount } = await Stored(db).updateOne({ _id, notBefore }, { $set: { notBefore: until } });
  return matchedCount === 1;
};

/** Allows requests to a witness from this time on. */
export const release = async (db: Db, { _id }: StoredWitness, notBefore: Date): Promise<void> => {
  await Stored(db).updateOne({ _id }, { $set: { notBefore } });
};

/** Stores a cosignature. */
export const saveCosignature = async (
  db: Db,
  { _id, cosignatures }: StoredWitness,
  cosignature: Cosignature,
): Promise<void> => {
  const others = cosignatures.filter(({ text }) => text !== cosignature.text);
  await Stored(db).updateOne(
    { _id },
    {
      $set: {
        ...CLEAN,
        size: cosignature.size,
        cosignatures: [cosignature, ...others].slice(0, KEPT),
        notBefore: cosignature.at,
      },
    },
  );
};

/** Stores the reason why a witness has not signed. A contradiction stays until the witness signs again. */
export const saveFailure = async (
  db: Db,
  { _id, failingSince, failures, contradicts: before }: StoredWitness,
  failed: { readonly failure: string; readonly contradicts: boolean; readonly at: Date; readonly notBefore: Date },
): Promise<void> => {
  const { failure, contradicts, at, notBefore } = failed;
  const counted = { failures: failures + 1, failedAt: at, failingSince: failingSince ?? at };
  await Stored(db).updateOne({ _id }, { $set: { ...counted, failure, contradicts: before || contradicts, notBefore } });
};
