import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Ending } from './policy.rule.ts';
import { REPRESENTATIVE_STATES, type RepresentativeState } from './status.rule.ts';

/** A person who answers for a broker, or is to do so. */
export interface RepresentativeDocument {
  readonly _id: string;
  /** Key of the broker. */
  readonly broker: string;
  readonly status: RepresentativeState;
  /** The address of mail that a register gives; shortened once it is over, absent once its person was erased. */
  readonly address?: string;
  /** Code of the regulator whose register gives the address. */
  readonly register: string;
  /** Link to the entry there, or its number. */
  readonly place: string;
  /** Key of the operator who named the address. */
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly confirmedBy?: string;
  readonly confirmedAt?: Date;
  readonly codeHash?: string;
  readonly codeEndsAt?: Date;
  /** The account of the person; absent before they used the code, and once they were erased. */
  readonly accountId?: string;
  readonly claimedAt?: Date;
  readonly endedAt?: Date;
  readonly ending?: Ending;
}

const Representatives = defineModel(
  'Representative',
  new Schema<RepresentativeDocument>(
    {
      _id: String,
      broker: { type: String, required: true },
      status: { type: String, enum: REPRESENTATIVE_STATES, required: true },
      address: String,
      register: { type: String, required: true },
      place: { type: String, required: true },
      requestedBy: { type: String, required: true },
      requestedAt: { type: Date, required: true },
      confirmedBy: String,
      confirmedAt: Date,
      codeHash: String,
      codeEndsAt: Date,
      accountId: String,
      claimedAt: Date,
      endedAt: Date,
      ending: String,
    },
    STRICT,
  )
    .index({ broker: 1, status: 1 })
    .index({ status: 1, requestedAt: 1 })
    .index({ accountId: 1 }, { partialFilterExpression: { accountId: { $exists: true } } })
    .index({ codeHash: 1 }, { unique: true, partialFilterExpression: { codeHash: { $exists: true } } }),
  'representatives',
);

export const insertRepresentative = async (one: RepresentativeDocument, tx: Tx): Promise<void> => {
  await Representatives(tx.db).create([one], { session: tx });
};

export const findRepresentative = (db: Db, id: string, tx?: Tx) =>
  Representatives(db)
    .findById(id)
    .session(tx ?? null)
    .lean<RepresentativeDocument>()
    .exec();

export const findByCode = (codeHash: string, tx: Tx) =>
  Representatives(tx.db).findOne({ codeHash }).session(tx).lean<RepresentativeDocument>().exec();

/** Returns those for whom an account answers now, oldest first. */
export const findActive = (db: Db, accountId: string, tx?: Tx) =>
  Representatives(db)
    .find({ accountId, status: 'active' })
    .sort({ claimedAt: 1, _id: 1 })
    .session(tx ?? null)
    .lean<RepresentativeDocument[]>()
    .exec();

/** Returns those of these brokers that have not ended, oldest first. */
export const findStanding = (brokers: readonly string[], tx: Tx) =>
  Representatives(tx.db)
    .find({ broker: { $in: brokers }, status: { $ne: 'ended' } })
    .sort({ requestedAt: 1, _id: 1 })
    .session(tx)
    .lean<RepresentativeDocument[]>()
    .exec();

/** Returns those with these ids that have not ended. */
export const findStandingById = (ids: readonly string[], tx: Tx) =>
  Representatives(tx.db)
    .find({ _id: { $in: ids }, status: { $ne: 'ended' } })
    .session(tx)
    .lean<RepresentativeDocument[]>()
    .exec();

/** Returns the ids of those whose code was not used in time, up to `limit`. */
export const findUnused = async (db: Db, now: Date, limit: number): Promise<string[]> =>
  (
    await Representatives(db)
      .find({ status: 'confirmed', codeEndsAt: { $lte: now } }, { _id: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>()
      .exec()
  ).map(({ _id }) => _id);

/** Filter of a list of representatives. */
export interface RepresentativeFilter {
  readonly brokers?: readonly string[] | undefined;
  readonly status?: RepresentativeState | undefined;
}

/** Lists representatives, oldest first. */
export const listRepresentatives = (db: Db, { brokers, status }: RepresentativeFilter, limit: number) =>
  Representatives(db)
    .find({
      ...(brokers === undefined ? {} : { broker: { $in: brokers } }),
      ...(status === undefined ? {} : { status }),
    })
    .sort({ requestedAt: 1, _id: 1 })
    .limit(limit)
    .lean<RepresentativeDocument[]>()
    .exec();

/** Changes a representative: sets what has a value, and removes what has none. */
export const changeRepresentative = async (
  id: string,
  change: { readonly [Field in keyof Omit<RepresentativeDocument, '_id'>]?: RepresentativeDocument[Field] | undefined },
  tx: Tx,
): Promise<void> => {
  const entries = Object.entries(change);
  const $set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const unset = entries.filter(([, value]) => value === undefined).map(([field]) => [field, 1]);
  const $unset = unset.length > 0 ? { $unset: Object.fromEntries(unset) } : {};
  await Representatives(tx.db)
    .updateOne({ _id: id }, { $set, ...$unset })
    .session(tx);
};

export const findByAccounts = (accountIds: readonly string[], tx: Tx, limit = 0) =>
  Representatives(tx.db)
    .find({ accountId: { $in: accountIds } })
    .sort({ _id: 1 })
    .limit(limit)
    .session(tx)
    .lean<RepresentativeDocument[]>()
    .exec();
