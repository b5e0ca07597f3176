import mongoose, { Schema } from 'mongoose';
import type { PollQuery } from '../../platform/look.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';

/** The tree over the entries of the record, up to its current size. */
export interface StoredTree {
  readonly size: number;
  /** Hashes of its complete subtrees, the largest first, in base64. */
  readonly hashes: readonly string[];
  /** Time since which an entry waits for a checkpoint; null if a checkpoint covers all entries. */
  readonly waitingSince: Date | null;
  /** True if a checkpoint is wanted at once. */
  readonly isUrgent: boolean;
}

/** A checkpoint that is published. */
export interface StoredCheckpoint {
  readonly size: number;
  readonly origin: string;
  /** The signed note. */
  readonly text: string;
  readonly signedAt: Date;
}

/** The newest checkpoint that enough witnesses have signed, with their signatures. */
export interface StoredWitnessed extends StoredCheckpoint {
  /** Time at which the number of signatures sufficed. */
  readonly witnessedAt: Date;
}

/** An entry before which the tree stops, since it contradicts its facts. */
export interface StoredHold {
  /** The number of the entry. */
  readonly number: number;
  /** The size of the tree: it stops before the change that contains the entry. */
  readonly size: number;
  readonly key: string;
  readonly why: string;
  readonly since: Date;
}

/** A growing tile: hashes are appended. */
interface StoredTile {
  /** Level and index. */
  readonly _id: string;
  readonly hashes: readonly mongoose.mongo.Binary[];
}

const Heads = defineModel(
  'LogHead',
  new Schema<(StoredTree | StoredCheckpoint | StoredWitnessed | StoredHold) & { _id: string }>(
    {
      _id: String,
      size: { type: Number, required: true },
      hashes: { type: [String], default: undefined },
      waitingSince: Date,
      isUrgent: Boolean,
      origin: String,
      text: String,
      signedAt: Date,
      witnessedAt: Date,
      number: Number,
      key: String,
      why: String,
      since: Date,
    },
    STRICT,
  ),
  'logHeads',
);

const Tiles = defineModel(
  'LogTile',
  new Schema<StoredTile>({ _id: String, hashes: { type: [Schema.Types.Buffer], required: true } as never }, STRICT),
  'logTiles',
);

/** A current or former key of a log. It is kept for ever, because readers verify old signatures with it. */
export interface StoredKey {
  /** `name+id+base64`. */
  readonly _id: string;
  readonly origin: string;
  /** Time of its first signature by a server. */
  readonly since: Date;
}

const Keys = defineModel(
  'LogKey',
  new Schema<StoredKey>(
    { _id: String, origin: { type: String, required: true }, since: { type: Date, required: true } },
    STRICT,
  ).index({ origin: 1, since: 1 }),
  'logKeys',
);

const TREE = { _id: 'tree' } as const;
const CHECKPOINT = { _id: 'checkpoint' } as const;
const HOLD = { _id: 'hold' } as const;
/** The hold while it is in force. It is not deleted, because the role of a server may not delete heads of the log. */
const HELD = { ...HOLD, size: { $gte: 0 } } as const;

/** Queries for {@link readTree} and {@link readCheckpoint}, to run both at once. */
export const HEADS = {
  tree: { collection: 'logHeads', match: TREE },
  checkpoint: { collection: 'logHeads', match: CHECKPOINT },
  hold: { collection: 'logHeads', match: HELD },
} satisfies Record<string, PollQuery>;

const WITNESSED = { _id: 'witnessed' } as const;
const POLICY = { _id: 'policy' } as const;

export const readTree = async (db: Db, tx: Tx | null): Promise<StoredTree | undefined> =>
  (await Heads(db).findOne(TREE).session(tx).lean<StoredTree>().exec()) ?? undefined;

/** Replaces the tree that this transaction has read. */
export const saveTree = async (tree: StoredTree, tx: Tx): Promise<void> => {
  await Heads(tx.db).updateOne(TREE, { $set: tree }, { upsert: true }).session(tx).catch(rethrowAsConflict);
};

/** Notes that a checkpoint covers a tree of this size. */
export const saveCovered = async (db: Db, size: number): Promise<void> => {
  await Heads(db).updateOne({ ...TREE, size }, { $set: { waitingSince: null, isUrgent: false } });
};

export const readHold = async (db: Db, tx: Tx | null = null): Promise<StoredHold | undefined> =>
  (await Heads(db).findOne(HELD).session(tx).lean<StoredHold>().exec()) ?? undefined;

/** Stores the entry before which the tree stops. A known hold keeps its beginning. Returns whether the hold is new. */
export const saveHold = async (db: Db, { number, size, key, why, since }: StoredHold): Promise<boolean> => {
  const known = await readHold(db);
  if (known?.size === size && known.number === number) return false;
  await Heads(db).updateOne(HOLD, { $set: { number, size, key, why, since } }, { upsert: true });
  return true;
};

/** Ends the hold. */
export const endHold = async (db: Db, tx: Tx | null = null): Promise<void> => {
  await Heads(db)
    .updateOne(HELD, { $set: { size: -1 } })
    .session(tx);
};

/** Adds hashes at the end of tiles, by level and index. */
export const growTiles = async (tiles: ReadonlyMap<string, readonly Uint8Array[]>, tx: Tx): Promise<void> => {
  await Tiles(tx.db).collection.bulkWrite(
    [...tiles].map(([_id, hashes]) => ({
      updateOne: {
        filter: { _id: _id as never },
        update: { $push: { hashes: { $each: hashes.map((hash) => new mongoose.mongo.Binary(hash)) } } } as never,
        upsert: true,
      },
    })),
    { session: tx },
  );
};

/** Returns the hashes of a stored tile. */
export const readTile = async (db: Db, level: number, index: number, session?: Tx): Promise<Uint8Array[]> => {
  const options = { ...MAJORITY_READ, ...(session ? { session } : {}) };
  const tile = await Tiles(db).collection.findOne<StoredTile>({ _id: `${level}/${index}` as never }, options);
  return (tile?.hashes ?? []).map(({ buffer }) => buffer);
};

export const readCheckpoint = async (db: Db, tx: Tx | null = null): Promise<StoredCheckpoint | undefined> =>
  (await Heads(db).findOne(CHECKPOINT).session(tx).lean<StoredCheckpoint>().exec()) ?? undefined;

/** Publishes a checkpoint, unless a larger tree has a published one. */
export const publishCheckpoint = async (db: Db, checkpoint: StoredCheckpoint): Promise<void> => {
  const { matchedCount } = await Heads(db).updateOne(
    { ...CHECKPOINT, size: { $lte: checkpoint.size } },
    { $set: checkpoint },
  );
  if (matchedCount === 0) await Heads(db).updateOne(CHECKPOINT, { $setOnInsert: checkpoint }, { upsert: true });
};

export const readWitnessed = async (db: Db, tx: Tx | null = null): Promise<StoredWitnessed | undefined> =>
  (await Heads(db).findOne(WITNESSED).session(tx).lean<StoredWitnessed>().exec()) ?? undefined;

/** Replaces the newest witnessed checkpoint, unless it covers a larger tree of the same log. */
export const saveWitnessed = async (db: Db, witnessed: StoredWitnessed): Promise<void> => {
  const { origin, size } = witnessed;
  const { matchedCount } = await Heads(db).updateOne(
    { ...WITNESSED, $or: [{ origin: { $ne: origin } }, { size: { $lte: size } }] },
    { $set: witnessed },
  );
  if (matchedCount === 0) await Heads(db).updateOne(WITNESSED, { $setOnInsert: witnessed }, { upsert: true });
};

/** Adds keys that sign a log from now on. */
export const saveKeys = async (db: Db, verifierKeys: readonly string[], origin: string, since: Date): Promise<void> => {
  for (const _id of verifierKeys)
    await Keys(db).updateOne({ _id }, { $setOnInsert: { origin, since } }, { upsert: true });
};

/** Returns all current and former keys of a log, oldest first. */
export const readKeys = async (db: Db, origin: string): Promise<string[]> =>
  (await Keys(db).find({ origin }).sort({ since: 1, _id: 1 }).lean<StoredKey[]>().exec()).map(({ _id }) => _id);

/** Replaces the reader policy of a log. */
export const savePolicy = async (db: Db, origin: string, text: string): Promise<void> => {
  await Heads(db).updateOne(POLICY, { $set: { size: 0, origin, text } }, { upsert: true });
};

/** Returns the reader policy of a log; undefined if no process has signed the log. */
export const readPolicy = async (db: Db, origin: string): Promise<string | undefined> =>
  (
    await Heads(db)
      .findOne({ ...POLICY, origin })
      .lean<{ readonly text: string }>()
      .exec()
  )?.text;
