import mongoose, { Schema } from 'mongoose';
import type { Actor } from '../../platform/audit/store.ts';
import type { Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** What a run can change, and undo. */
export type StateKind = 'brokers' | 'regulators' | 'news';

/** `writing` also stands for a run that was stopped; `undoing` for an undo that was. */
export type RunState = 'writing' | 'done' | 'undoing' | 'undone';

/** One file that was brought in. */
export interface RunDocument {
  readonly _id: string;
  /** `brokers`, `regulators`, `news`, or `licenses` for a register that was compared. */
  readonly what: string;
  readonly fileName: string;
  readonly sha256: string;
  /** Rows of the file. */
  readonly rows: number;
  /** Batches that are written and not undone. */
  readonly batches: number;
  readonly state: RunState;
  readonly actor: Actor;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly undoneAt: Date | null;
  readonly undoneBy: Actor | null;
  /** Licence of the data, whom it asks to name, and where it was taken from. */
  readonly license: string | null;
  readonly attribution: string | null;
  readonly sourceUrl: string | null;
}

/** One thing a batch wrote: what was there before (null: nothing), and the fingerprint of what is there since. */
export interface BatchItem {
  readonly kind: StateKind;
  readonly key: string;
  readonly before: object | null;
  readonly after: string;
}

interface BatchDocument {
  readonly _id: string;
  readonly run: string;
  readonly number: number;
  readonly items: readonly BatchItem[];
}

const { Mixed } = Schema.Types;
const text = { type: String, required: true } as const;

const Runs = mongoose.model(
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
    },
    STRICT,
  )
    .index({ startedAt: -1 })
    .index({ sha256: 1, what: 1, startedAt: -1 }),
  'importRuns',
);

const Batches = mongoose.model(
  'ImportBatch',
  new Schema<BatchDocument>(
    { _id: String, run: text, number: { type: Number, required: true }, items: { type: Mixed, required: true } },
    STRICT,
  ).index({ run: 1, number: 1 }),
  'importBatches',
);

/** Bytes of items kept in one document; MongoDB allows 16 MB. */
const DOCUMENT_BYTES = 4_000_000;

export const insertRun = async (run: RunDocument, tx?: Tx): Promise<void> => {
  await Runs.create([run], tx ? { session: tx } : {});
};

export const findRun = (id: string, tx?: Tx) =>
  Runs.findById(id)
    .session(tx ?? null)
    .lean<RunDocument>()
    .exec();

export const findRuns = (limit: number) =>
  Runs.find({}).sort({ startedAt: -1 }).limit(limit).lean<RunDocument[]>().exec();

/** The newest run of a kind that came to its end. */
export const findLastDone = (what: string) =>
  Runs.findOne({ what, state: 'done' }).sort({ startedAt: -1 }).lean<RunDocument>().exec();

/** The newest run of a file that was stopped. */
export const findStopped = (what: string, sha256: string) =>
  Runs.findOne({ what, sha256, state: 'writing' }).sort({ startedAt: -1 }).lean<RunDocument>().exec();

/** Changes a run that is as expected. False where it is not any more. */
export const changeRun = async (
  id: string,
  expected: Partial<Pick<RunDocument, 'batches'>> & { readonly state: RunState },
  change: Partial<RunDocument>,
  tx?: Tx,
): Promise<boolean> => {
  const result = await Runs.updateOne({ _id: id, ...expected }, { $set: change }).session(tx ?? null);
  return result.matchedCount === 1;
};

/** Keeps what a batch replaced, in as many documents as it needs. */
export const insertBatch = async (run: string, number: number, items: readonly BatchItem[], tx: Tx): Promise<void> => {
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
  await Batches.collection.insertMany(documents as never[], { session: tx });
};

export const findBatch = async (run: string, number: number, tx: Tx): Promise<BatchItem[]> => {
  const parts = await Batches.find({ run, number }).sort({ _id: 1 }).session(tx).lean<BatchDocument[]>().exec();
  return parts.flatMap((part) => part.items);
};

/** Forgets what an undone run had replaced. */
export const deleteBatches = async (run: string): Promise<void> => {
  await Batches.deleteMany({ run });
};
