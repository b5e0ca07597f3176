import { Schema } from 'mongoose';
import type { BATCHED_READ } from '../../platform/batch-loader.ts';
import { type Db, defineModel, nextIds, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import type { BrokerState, LicenseDocument, LicenseRecord, ProfileDocument } from './record.rule.ts';

const { Mixed } = Schema.Types;

const Profiles = defineModel(
  'BrokerProfile',
  new Schema(
    {
      _id: String,
      id: { type: String, required: true },
      ...Object.fromEntries(
        [
          'name',
          'legalName',
          'tradingNames',
          'lei',
          'website',
          'domains',
          'country',
          'foundedYear',
          'description',
          'status',
          'successor',
          'identity',
          'licensesCheckedAt',
          'entities',
          'checklist',
          'warnings',
          'provenance',
        ].map((field) => [field, Mixed]),
      ),
    },
    STRICT,
  ),
  'brokerProfiles',
);

const Licenses = defineModel(
  'License',
  new Schema(
    {
      _id: String,
      broker: { type: String, required: true },
      regulatorCode: { type: String, required: true },
      referenceNumber: { type: String, required: true },
      ...Object.fromEntries(
        [
          'entity',
          'type',
          'status',
          'statusEffectiveAt',
          'activeSince',
          'permissions',
          'notifiedCountries',
          'issuedAt',
          'expiresAt',
          'sourceUrl',
          'lastVerifiedAt',
        ].map((field) => [field, Mixed]),
      ),
    },
    STRICT,
  )
    .index({ broker: 1 })
    .index({ regulatorCode: 1, referenceNumber: 1 })
    .index({ status: 1, expiresAt: 1 }, { partialFilterExpression: { expiresAt: { $exists: true } } }),
  'licenses',
);

export const findProfiles = (slugs: readonly string[], tx: Tx) =>
  Profiles(tx.db)
    .find({ _id: { $in: slugs } })
    .session(tx)
    .lean<ProfileDocument[]>()
    .exec();

export const findLicenses = (slugs: readonly string[], tx: Tx) =>
  Licenses(tx.db)
    .find({ broker: { $in: slugs } })
    .session(tx)
    .lean<LicenseDocument[]>()
    .exec();

/**
 * Finds expired licences in these states, by broker: up to `limit` brokers after this one, in order. Times compare as
 * text: a time without seconds can match up to a minute late, but never early.
 */
export const findLapsedLicenses = async (
  statuses: readonly string[],
  at: Date,
  { after, limit }: { readonly after: string; readonly limit: number },
  tx: Tx,
): Promise<ReadonlyMap<string, readonly LicenseDocument[]>> => {
  const lapsed = { status: { $in: statuses }, expiresAt: { $lte: at.toISOString() } };
  const brokers = await Licenses(tx.db)
    .aggregate<{ _id: string }>([
      { $match: { ...lapsed, broker: { $gt: after } } },
      { $group: { _id: '$broker' } },
      { $sort: { _id: 1 } },
      { $limit: limit },
    ])
    .session(tx)
    .exec();
  const slugs = brokers.map(({ _id }) => _id);
  const rows = await Licenses(tx.db)
    .find({ ...lapsed, broker: { $in: slugs } })
    .session(tx)
    .lean<LicenseDocument[]>()
    .exec();
  const byBroker = Map.groupBy(rows, ({ broker }) => broker);
  return new Map(slugs.map((slug) => [slug, byBroker.get(slug) ?? []]));
};

/** Lists the brokers that have, or had, a licence of this regulator. */
export const listLicensedSlugs = (code: string, tx: Tx): Promise<string[]> =>
  Licenses(tx.db).distinct('broker', { regulatorCode: code }).session(tx).exec();

/** Returns up to `limit` slugs after `slug`, in order. */
export const listNextProfiles = (db: Db, slug: string, limit: number): Promise<string[]> =>
  nextIds(Profiles(db), slug, limit);

/** Returns the entities of all brokers that have an LEI. */
export const listIdentities = async (db: Db): Promise<{ broker: string; legalName: string; lei: string }[]> => {
  const profiles = await Profiles(db)
    .find({ 'entities.lei': { $exists: true } }, { entities: 1 })
    .sort({ _id: 1 })
    .lean<Pick<ProfileDocument, '_id' | 'entities'>[]>()
    .exec();
  return profiles.flatMap(({ _id, entities }) =>
    entities.flatMap(({ legalName, lei }) => (lei === undefined ? [] : [{ broker: _id, legalName, lei }])),
  );
};

/** Returns the identities of brokers that others were merged into. */
export const listSuccessors = (db: Db) =>
  Profiles(db)
    .find({ 'identity.merged': { $exists: true } }, { identity: 1 })
    .lean<Pick<ProfileDocument, '_id' | 'identity'>[]>()
    .exec();

/** Returns the keys of brokers whose stated successor has one of these slugs. */
export const findPredecessors = async (slugs: readonly string[], tx: Tx): Promise<string[]> => {
  const rows = await Profiles(tx.db)
    .find({ successor: { $in: slugs } }, { _id: 1 })
    .session(tx)
    .lean<{ _id: string }[]>();
  return rows.map(({ _id }) => _id);
};

/** The fields of a broker that a reference to it needs. */
export type ReferredProfile = Pick<ProfileDocument, '_id' | 'name' | 'status' | 'successor' | 'identity'>;

/** Returns the brokers with these keys. */
export const findReferred = (
  db: Db,
  keys: readonly string[],
  options: { readonly session: Tx } | typeof BATCHED_READ,
): Promise<ReferredProfile[]> =>
  Profiles(db)
    .collection.find<ReferredProfile>(
      { _id: { $in: keys as never[] } },
      { projection: { name: 1, status: 1, successor: 1, identity: 1 }, ...options },
    )
    .toArray();

/** Lists the names and domains of every broker. */
export const listNames = (db: Db) =>
  Profiles(db)
    .find({}, { name: 1, legalName: 1, tradingNames: 1, domains: 1, 'entities.legalName': 1, identity: 1 })
    .lean<
      Pick<ProfileDocument, '_id' | 'name' | 'legalName' | 'tradingNames' | 'domains' | 'entities' | 'identity'>[]
    >()
    .exec();

/** Filter of a list of brokers. */
interface ProfileFilter {
  readonly country?: string | undefined;
  readonly status?: string | undefined;
  /** Code of a regulator: brokers that have or had a licence there. */
  readonly regulator?: string | undefined;
  /** Part of a name, a domain or a slug. */
  readonly like?: string | undefined;
}

const NAMES = ['_id', 'identity.slug', 'name', 'legalName', 'tradingNames', 'domains', 'entities.legalName', 'lei'];

const buildFilter = async (db: Db, { country, status, regulator, like }: ProfileFilter): Promise<object> => {
  const text = like && { $regex: like.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' };
  return {
    ...(country === undefined ? {} : { country }),
    ...(status === undefined ? {} : { status }),
    ...(regulator === undefined
      ? {}
      : { _id: { $in: await Licenses(db).distinct('broker', { regulatorCode: regulator }) } }),
    ...(text ? { $or: NAMES.map((name) => ({ [name]: text })) } : {}),
  };
};

/** Lists brokers in the order of their first slugs, and counts all that match. */
export const listProfiles = async (
  db: Db,
  filter: ProfileFilter,
  limit: number,
): Promise<{ profiles: ProfileDocument[]; total: number }> => {
  const query = await buildFilter(db, filter);
  const profiles = await Profiles(db).find(query).sort({ _id: 1 }).limit(limit).lean<ProfileDocument[]>().exec();
  return { profiles, total: await Profiles(db).countDocuments(query).exec() };
};

/** Lists the identifiers of every broker: names, domains, LEIs and licences. */
export const listIdentifiers = async (db: Db, tx?: Tx) => {
  const session = tx ? { session: tx } : {};
  const profiles = await Profiles(db)
    .collection.find<
      Pick<
        ProfileDocument,
        | '_id'
        | 'name'
        | 'legalName'
        | 'tradingNames'
        | 'domains'
        | 'website'
        | 'lei'
        | 'entities'
        | 'identity'
        | 'status'
      >
    >(
      {},
      {
        ...session,
        projection: {
          name: 1,
          legalName: 1,
          tradingNames: 1,
          domains: 1,
          website: 1,
          lei: 1,
          'entities.legalName': 1,
          'entities.lei': 1,
          identity: 1,
          status: 1,
        },
      },
    )
    .toArray();
  const licenses = await Licenses(db)
    .collection.find<Pick<LicenseDocument, 'broker' | 'regulatorCode' | 'referenceNumber' | 'entity' | 'status'>>(
      {},
      { ...session, projection: { broker: 1, regulatorCode: 1, referenceNumber: 1, entity: 1, status: 1 } },
    )
    .toArray();
  return { profiles, licenses: Map.groupBy(licenses, ({ broker }) => broker) };
};

export const countProfiles = (db: Db): Promise<number> => Profiles(db).estimatedDocumentCount().exec();

/**
 * Returns the slug of a broker that is not among these, or whose description does not match; undefined if there is
 * none.
 */
export const findOtherProfile = async (
  db: Db,
  slugs: readonly string[],
  description: RegExp,
): Promise<string | undefined> => {
  const other = await Profiles(db).collection.findOne<{ _id: string }>(
    { $or: [{ _id: { $nin: slugs as never[] } }, { description: { $not: description } }] },
    { projection: { _id: 1 } },
  );
  return other?._id;
};

/** Returns a licence without the fields that only the database needs. */
export const toLicenseRecord = ({ _id, broker, ...license }: LicenseDocument): LicenseRecord => license;

/** Reads the stored states byte for byte, with licences in the order of their keys. */
export const readStates = async (slugs: readonly string[], tx: Tx): Promise<Map<string, BrokerState>> => {
  const profiles = await Profiles(tx.db)
    .collection.find<ProfileDocument>({ _id: { $in: slugs as never[] } }, { session: tx })
    .toArray();
  const licenses = await Licenses(tx.db)
    .collection.find<LicenseDocument>({ broker: { $in: slugs } }, { session: tx })
    .sort({ _id: 1 })
    .toArray();
  const byBroker = Map.groupBy(licenses, (license) => license.broker);
  return new Map(profiles.map((profile) => [profile._id, { profile, licenses: byBroker.get(profile._id) ?? [] }]));
};

/** Replaces profiles and licences. Null removes a broker. */
export const replaceStates = async (states: ReadonlyMap<string, BrokerState | null>, tx: Tx): Promise<void> => {
  await Profiles(tx.db).collection.bulkWrite(
    [...states].map(([slug, state]) =>
      state === null
        ? { deleteOne: { filter: { _id: slug as never } } }
        : { replaceOne: { filter: { _id: slug as never }, replacement: state.profile as never, upsert: true } },
    ),
    { session: tx },
  );
  await Licenses(tx.db)
    .deleteMany({ broker: { $in: [...states.keys()] } })
    .session(tx);
  const licenses = [...states.values()].flatMap((state) => state?.licenses ?? []);
  if (licenses.length > 0) await Licenses(tx.db).collection.insertMany(licenses as never[], { session: tx });
};

/** Returns true if any broker has, or had, a licence of this regulator. */
export const hasRegulatorLicenses = async (code: string, tx: Tx): Promise<boolean> =>
  (await Licenses(tx.db).exists({ regulatorCode: code }).session(tx)) !== null;

/** Lists licences by regulator and broker, in the order of their keys. */
export const listLicenses = (
  db: Db,
  filter: { readonly regulatorCode?: string; readonly broker?: string },
  limit: number,
) => Licenses(db).find(filter).sort({ _id: 1 }).limit(limit).lean<LicenseDocument[]>().exec();

/** The names and entities of a licence holder, for a comparison with a register. */
export type HolderProfile = Pick<
  ProfileDocument,
  '_id' | 'name' | 'legalName' | 'tradingNames' | 'entities' | 'licensesCheckedAt'
>;

/** Returns every licence of a regulator with its holder's profile. */
export const findHolders = async (
  regulatorCodes: readonly string[],
  tx: Tx,
): Promise<{ licenses: LicenseDocument[]; profiles: HolderProfile[] }> => {
  const licenses = await Licenses(tx.db)
    .find({ regulatorCode: { $in: regulatorCodes } })
    .sort({ _id: 1 })
    .session(tx)
    .lean<LicenseDocument[]>()
    .exec();
  const slugs = [...new Set(licenses.map((license) => license.broker))];
  const fields = { name: 1, legalName: 1, tradingNames: 1, entities: 1, licensesCheckedAt: 1 };
  const profiles = await Profiles(tx.db)
    .find({ _id: { $in: slugs } }, fields)
    .session(tx)
    .lean<HolderProfile[]>()
    .exec();
  return { licenses, profiles };
};
