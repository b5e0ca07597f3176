import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { KeptFile, Validators } from './policy.rule.ts';

/** What is known of a published list: the last good file, those before it, and how the last attempts went. */
export interface RegisterState extends Validators {
  readonly _id: string;
  /** Null: it was dropped, and there is none before it. */
  readonly current: KeptFile | null;
  /** Newest first. */
  readonly former: readonly KeptFile[];
  /** SHA-256 of files that were dropped: they do not come back by a fetch. */
  readonly dropped: readonly string[];
  /** When the publisher last gave this file, or said that it is still the one. */
  readonly checkedAt: Date | null;
  readonly triedAt: Date | null;
  /** Attempts in a row that brought no good file. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Why what is configured was not written of the current file, and since when it waits for a person. */
  readonly waits?: { readonly why: string; readonly since: Date } | null;
}

const file = new Schema<KeptFile>(
  {
    sha256: { type: String, required: true },
    bytes: { type: Number, required: true },
    entries: { type: Number, required: true },
    regulators: { type: [String], required: true },
    asOf: { type: String, required: true },
    isDated: { type: Boolean, required: true },
    keptAt: { type: Date, required: true },
    origin: { type: String, required: true },
  },
  { _id: false },
);

const Registers = defineModel(
  'RegisterFile',
  new Schema<RegisterState>(
    {
      _id: String,
      current: { type: file, default: null },
      former: { type: [file], required: true },
      dropped: { type: [String], required: true },
      etag: { type: String, default: null },
      lastModified: { type: String, default: null },
      checkedAt: { type: Date, default: null },
      triedAt: { type: Date, default: null },
      failures: { type: Number, required: true },
      lastError: { type: String, default: null },
      waits: { type: Schema.Types.Mixed, default: null },
    },
    STRICT,
  ),
  'registerFiles',
);

export const findRegister = (db: Db, name: string, tx?: Tx): Promise<RegisterState | null> =>
  Registers(db)
    .findById(name)
    .session(tx ?? null)
    .lean<RegisterState>()
    .exec();

export const listRegisters = (db: Db): Promise<RegisterState[]> =>
  Registers(db).find({}).sort({ _id: 1 }).maxTimeMS(500).lean<RegisterState[]>().exec();

export const saveRegister = async ({ _id, ...state }: RegisterState, tx: Tx): Promise<void> => {
  await Registers(tx.db).updateOne({ _id }, { $set: state }, { upsert: true }).session(tx);
};

export const saveFailure = async (db: Db, name: string, triedAt: Date, lastError: string): Promise<void> => {
  await Registers(db).updateOne(
    { _id: name },
    { $set: { triedAt, lastError }, $inc: { failures: 1 }, $setOnInsert: { current: null, former: [], dropped: [] } },
    { upsert: true },
  );
};

/** Notes why a person has to look at a list before more is written of it; null: nobody has to. */
export const saveWait = async (db: Db, name: string, wait: { readonly why: string; readonly at: Date } | null) => {
  const since = wait && ((await findRegister(db, name))?.waits?.since ?? wait.at);
  await Registers(db).updateOne({ _id: name }, { $set: { waits: wait && { why: wait.why, since } } });
};
