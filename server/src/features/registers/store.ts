import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { KeptFile, Validators } from './policy.rule.ts';

/** The state of a published list: the last good file, the files before it, and the results of the last attempts. */
export interface RegisterState extends Validators {
  readonly _id: string;
  /** null if the only file was dropped. */
  readonly current: KeptFile | null;
  /** Newest first. */
  readonly former: readonly KeptFile[];
  /** SHA-256 of dropped files, which a fetch does not accept again. */
  readonly dropped: readonly string[];
  /** Time when the publisher last gave this file, or confirmed that it is unchanged. */
  readonly checkedAt: Date | null;
  readonly triedAt: Date | null;
  /** Number of consecutive attempts without a good file. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Why the current file was not applied, and since when it waits for a person. */
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

/** Stores why a list waits for a person; null if it does not wait. */
export const saveWait = async (db: Db, name: string, wait: { readonly why: string; readonly at: Date } | null) => {
  const since = wait && ((await findRegister(db, name))?.waits?.since ?? wait.at);
  await Registers(db).updateOne({ _id: name }, { $set: { waits: wait && { why: wait.why, since } } });
};
