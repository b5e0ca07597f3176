import type { EnterpriseScope, PlanName } from '@broker-transparency/contract/enterprise';
import { Schema } from 'mongoose';
import { BATCHED_READ, batchLoaderById } from '../../platform/batch-loader.ts';
import { type Db, defineModel, perDb, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { Environment } from './environment.rule.ts';

/** The agreement that an organisation has accepted. */
export interface Agreement {
  readonly version: string;
  /** The person who accepted it for the organisation, as in the operator's files. */
  readonly acceptedBy: string;
  readonly acceptedAt: Date;
  readonly endsAt?: Date | undefined;
}

/** A customer. */
export interface Organisation {
  readonly _id: string;
  readonly name: string;
  readonly plan: PlanName;
  readonly agreement: Agreement;
  /** When it accepted its first agreement; absent for one that was stored without it. */
  readonly firstAcceptedAt?: Date | undefined;
  /** Clients of the operator's identity provider that act for it. */
  readonly clientIds: readonly string[];
  /** Set if it is a broker or belongs to one; a public page says so. */
  readonly interest?: CustomerInterest | undefined;
  readonly createdAt: Date;
}

/** The broker that a customer is or belongs to. */
export interface CustomerInterest {
  /** Random name of its entry in the record, which says nothing of the customer. */
  readonly reference: string;
  /** Key of the broker. */
  readonly broker: string;
  /** True if the customer is a natural person, whom no page names. */
  readonly isPerson: boolean;
}

/** A key of an organisation. */
export interface Key {
  /** SHA-256 of the key. */
  readonly _id: string;
  /** Identifies the key in listings and commands. */
  readonly id: string;
  readonly organisation: string;
  /** The organisation's name for the key. */
  readonly name: string;
  readonly scopes: readonly EnterpriseScope[];
  readonly environment: Environment;
  /** Networks from which it may be used; empty for any. */
  readonly addresses: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
  /** Id of the key that replaces it. */
  readonly replacedBy?: string;
  readonly lastUsedAt?: Date;
}

const text = { type: String, required: true } as const;
const date = { type: Date, required: true } as const;

const Organisations = defineModel(
  'Organisation',
  new Schema<Organisation>(
    {
      _id: String,
      name: text,
      plan: text,
      agreement: {
        type: new Schema({ version: text, acceptedBy: text, acceptedAt: date, endsAt: Date }, { _id: false }),
        required: true,
      },
      firstAcceptedAt: Date,
      clientIds: { type: [String], required: true },
      interest: new Schema(
        { reference: text, broker: text, isPerson: { type: Boolean, required: true } },
        { _id: false },
      ),
      createdAt: date,
    },
    STRICT,
  ).index({ clientIds: 1 }, { unique: true, partialFilterExpression: { 'clientIds.0': { $exists: true } } }),
  'organisations',
);

const Keys = defineModel(
  'OrganisationKey',
  new Schema<Key>(
    {
      _id: String,
      id: text,
      organisation: text,
      name: text,
      environment: text,
      scopes: { type: [String], required: true },
      addresses: { type: [String], required: true },
      createdAt: date,
      expiresAt: date,
      revokedAt: Date,
      replacedBy: String,
      lastUsedAt: Date,
    },
    STRICT,
  )
    .index({ id: 1 }, { unique: true })
    .index({ organisation: 1 }),
  'organisationKeys',
);

export const findOrganisation = (db: Db, id: string, tx?: Tx): Promise<Organisation | null> =>
  Organisations(db)
    .findById(id)
    .session(tx ?? null)
    .lean<Organisation>()
    .exec();

export const listOrganisations = (db: Db): Promise<Organisation[]> =>
  Organisations(db).find().sort({ _id: 1 }).lean<Organisation[]>().exec();

/** Stores an organisation, replacing the one with its id. */
export const saveOrganisation = async (organisation: Organisation, tx: Tx): Promise<void> => {
  await Organisations(tx.db).replaceOne({ _id: organisation._id }, organisation, { upsert: true }).session(tx);
};

const ITS_ORGANISATION = {
  from: 'organisations',
  localField: 'organisation',
  foreignField: '_id',
  as: 'organisations',
} as const;

const keyLoader = perDb((db) =>
  batchLoaderById((hashes: string[]) =>
    Keys(db)
      .collection.aggregate<Key & { readonly organisations: readonly Organisation[] }>(
        [{ $match: { _id: { $in: hashes } } }, { $lookup: ITS_ORGANISATION }],
        BATCHED_READ,
      )
      .toArray(),
  ),
);

/** Finds a key by its hash, with its organisation. */
export const findKey = (db: Db, hash: string) => keyLoader(db)(hash);

/** Finds the organisation that a client of the identity provider acts for. */
export const findByClient = (db: Db, clientId: string): Promise<Organisation | null> =>
  Organisations(db)
    .findOne({ clientIds: clientId, 'clientIds.0': { $exists: true } }) // the condition of the index
    .lean<Organisation>()
    .exec();

/** Finds a key by its id, or by its hash. */
export const findKeyBy = (by: Partial<Pick<Key, '_id' | 'id'>>, tx: Tx): Promise<Key | null> =>
  Keys(tx.db).findOne(by).session(tx).lean<Key>().exec();

export const listKeys = (db: Db, organisation: string): Promise<Key[]> =>
  Keys(db).find({ organisation }).sort({ createdAt: 1, _id: 1 }).lean<Key[]>().exec();

export const insertKey = async (key: Key, tx: Tx): Promise<void> => {
  await Keys(tx.db).create([key], { session: tx });
};

export const changeKey = async (
  id: string,
  change: Partial<Pick<Key, 'expiresAt' | 'revokedAt' | 'replacedBy'>>,
  tx: Tx,
): Promise<void> => {
  await Keys(tx.db).updateOne({ id }, { $set: change }).session(tx);
};

/** Records the last use of keys. */
export const touchKeys = async (db: Db, hashes: readonly string[], at: Date): Promise<void> => {
  await Keys(db).updateMany({ _id: { $in: hashes } }, { $set: { lastUsedAt: at } });
};
