import mongoose, { Schema } from 'mongoose';
import type { Actor } from '../../ledger/audit/store.ts';
import type { BatchItem } from '../../ledger/import-kind.ts';
import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** State of a run. `writing` and `undoing` include stopped ones. */
export type RunState = 'writing' | 'done' | 'undoing' | 'undone';

/** One import of a file. */
export interface RunDocument {
  readonly _id: string;
  /** Kind of the imported records, or `licenses` for a check of a register. */
  readonly what: string;
  readonly fileName: string;
  readonly sha256: string;
  /** Number of rows in the file. */
  readonly rows: number;
  /** Number of batches that are written and not undone. */
  readonly batches: number;
  readonly state: RunState;
  readonly actor: Actor;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly undoneBy: Actor | null;
  /** Licence, attribution and source of the data. */
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sourceUrl: string | null;
  /** Source of the claims; editors if absent. */
  readonly source?: StatementSource;
  /** Time since which the claims hold in the world, RFC 3339; null if the file does not say. */
  readonly validFrom?: string | null;
  /** Reason for the statement, if one was given. */
  readonly note?: string;
}

interface BatchDocument {
  readonly _id: string;
  readonly run: string;
  readonly number: number;
  readonly items: readonly BatchItem[];
}

const { Mixed } = Schema.Types;
const text = { type: String, required: true } as const;

const Runs = defineModel(
  'ImportRun',
  new Schema<RunDocument>(
    {
      _id: String,
      what: text,
      fileName: text,
      sha256: text,
      rows: { type: Number, required: true },
      batches: { type: Number, required: true },
      state: text,
      actor: { type: Mixed, required: true },
      startedAt: { type: Date, required: true },
      finishedAt: Date,
      undoneAt: Date,
      undoneBy: Mixed,
      license: String,
      attribution: String,
      sourceUrl: String,
      source: Mixed,
      validFrom: String,
      note: String,
    },
    STRICT,
  )
    .index({ startedAt: -1 })
    .index({ sha256: 1, what: 1, startedAt: -1 }),
  'importRuns',
);

const Batches = defineModel(
  'ImportBatch',
  new Schema<BatchDocument>(
    { _id: String, run: text, number: { type: Number, required: true }, items: { type: Mixed, required: true } },
    STRICT,
  ).index({ run: 1, number: 1 }),
  'importBatches',
);

/** Maximum bytes of items in one document. MongoDB allows 16 MB. */
const DOCUMENT_BYTES = 4_000_000;

export const insertRun = async (db: Db, run: RunDocument, tx?: Tx): Promise<void> => {
  await Runs(db).create([run], tx ? { session: tx } : {});
};

export const findRun = (db: Db, id: string, tx?: Tx) =>
  Runs(db)
    .findById(id)
    .session(tx ?? null)
    .lean<RunDocument>()
    .exec();

export const findRuns = (db: Db, limit: number) =>
  Runs(db).find({}).sort({ startedAt: -1 }).limit(limit).lean<RunDocument[]>().exec();

/** Finds the newest completed run of a kind. */
export const findLastDone = (db: Db, what: string) =>
  Runs(db).findOne({ what, state: 'done' }).sort({ startedAt: -1 }).lean<RunDocument>().exec();

/** Finds the newest completed run of a source, such as a check of its register. */
export const findLastBySource = (db: Db, what: string, { kind, name }: StatementSource) =>
  Runs(db)
    .findOne({ what, state: 'done', 'source.kind': kind, 'source.name': name })
    .sort({ startedAt: -1 })
    .lean<RunDocument>()
    .exec();

/** Finds the newest stopped run of a file. */
export const findStopped = (db: Db, what: string, sha256: string) =>
  Runs(db).findOne({ what, sha256, state: 'writing' }).sort({ startedAt: -1 }).lean<RunDocument>().exec();

/** Changes a run. Returns false if the run is no longer as expected. */
export const changeRun = async (
  db: Db,
  id: string,
  expected: Partial<Pick<RunDocument, 'batches'>> & { readonly state: RunState },
  change: Partial<RunDocument>,
  tx?: Tx,
): Promise<boolean> => {
  const result = await Runs(db)
    .updateOne({ _id: id, ...expected }, { $set: change })
    .session(tx ?? null);
  return result.matchedCount === 1;
};

/** Stores the states that a batch replaced, if any, split over several documents if necessary. */
export const insertBatch = async (run: string, number: number, items: readonly BatchItem[], tx: Tx): Promise<void> => {
  if (items.length === 0) return;
  const parts: BatchItem[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const size = mongoose.mongo.BSON.calculateObjectSize(item);
    if (bytes + size > DOCUMENT_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(item);
    bytes += size;
  }
  const documents = parts.map((part, index) => ({ _id: `${run}:${number}:${index}`, run, number, items: part }));
  await Batches(tx.db).collection.insertMany(documents as never[], { session: tx });
};

export const findBatch = async (run: string, number: number, tx: Tx): Promise<BatchItem[]> => {
  const parts = await Batches(tx.db).find({ run, number }).sort({ _id: 1 }).session(tx).lean<BatchDocument[]>().exec();
  return parts.flatMap((part) => part.items);
};

/** Deletes the stored states of a run that is undone. */
export const deleteBatches = async (db: Db, run: string): Promise<void> => {
  await Batches(db).deleteMany({ run });
};
