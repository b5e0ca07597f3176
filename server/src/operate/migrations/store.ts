import { Schema } from 'mongoose';
import type { Actor } from '../../ledger/audit/store.ts';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';

/** The record of an applied migration. */
export interface AppliedMigration {
  readonly _id: number;
  readonly name: string;
  readonly appliedAt: Date;
  readonly actor: Actor;
  /** Version of the service that applied it. */
  readonly service: string;
  readonly changed: number;
  readonly breaksOlder: boolean;
}

const Applied = defineModel(
  'Migration',
  new Schema<AppliedMigration>(
    {
      _id: Number,
      name: String,
      appliedAt: Date,
      actor: Schema.Types.Mixed,
      service: String,
      changed: Number,
      breaksOlder: Boolean,
    },
    STRICT,
  ),
  'migrations',
);

export const listApplied = (db: Db): Promise<AppliedMigration[]> =>
  Applied(db).find().sort({ _id: 1 }).lean<AppliedMigration[]>().exec();

/** Records a migration as applied, in the transaction that ends it. A new database needs no changes. */
export const saveApplied = async ({ _id, ...fields }: AppliedMigration, tx: Tx): Promise<void> => {
  await Applied(tx.db).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true, session: tx });
};

/** Returns true if a migration was applied to the database. */
export const isApplied = async (db: Db, { version }: { readonly version: number }): Promise<boolean> =>
  (await Applied(db).exists({ _id: version })) !== null;
