import { randomUUID } from 'node:crypto';
import mongoose, { Schema } from 'mongoose';
import { GATHERED_READ } from '../platform/gather.ts';
import type { Tx } from '../platform/mongo.ts';
import { MAJORITY_READ, STRICT } from '../platform/schema.ts';
import type { BrokerDocument } from './fold.ts';
import type { Ranked } from './ranking.ts';
import { type BrokerRecord, type LicenseRecord, licenseKey } from './record.ts';

const { Mixed } = Schema.Types;

/** The imported facts of a broker, its licences apart. */
export type ProfileDocument = Omit<BrokerRecord, 'licenses' | 'slug'> & { readonly _id: string; readonly id: string };
export type LicenseDocument = LicenseRecord & { readonly _id: string; readonly broker: string };

const Profiles = mongoose.model(
  'BrokerProfile',
  new Schema(
    {
      _id: String,
      id: { type: String, required: true },
      ...Object.fromEntries(
        [
          ...[
            'name',
            'legalName',
            'tradingNames',
            'lei',
            'website',
            'domains',
            'country',
            'foundedYear',
            'description',
          ],
          ...['status', 'licensesCheckedAt', 'entities', 'checklist', 'warnings', 'provenance'],
        ].map((field) => [field, Mixed]),
      ),
    },
    STRICT,
  ),
  'brokerProfiles',
);

const Licenses = mongoose.model(
  'License',
  new Schema(
    {
      _id: String,
      broker: { type: String, required: true },
      regulatorCode: { type: String, required: true },
      referenceNumber: { type: String, required: true },
      ...Object.fromEntries(
        [
          ...['entity', 'type', 'status', 'statusEffectiveAt', 'activeSince', 'permissions'],
          ...['issuedAt', 'expiresAt', 'sourceUrl', 'lastVerifiedAt'],
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

/** The read documents. Written whole by the refresh, in the bytes the fold made: never cast, never changed in place. */
const Brokers = mongoose.model(
  'Broker',
  new Schema(
    { _id: String, color: String, score: Mixed, regulatedBy: [String] },
    { ...STRICT, strict: false, strictQuery: false },
  ).index({ regulatedBy: 1, 'score.value': -1, _id: 1 }),
  'brokers',
);

const READ_MS = 500;
const BEST_FIRST = { 'score.value': -1, _id: 1 } as const;

export const findBroker = (slug: string) => Brokers.findById(slug).maxTimeMS(READ_MS).lean<BrokerDocument>().exec();

/** What a regulator's list shows of its brokers. */
export type RegulatedRow = Pick<BrokerDocument, '_id' | 'name' | 'color' | 'licenses'> & {
  readonly score: { readonly value: number | null };
};

export const findRegulated = (code: string) =>
  Brokers.find(
    { regulatedBy: code },
    {
      name: 1,
      color: 1,
      'score.value': 1,
      'licenses.regulatorCode': 1,
      'licenses.entity': 1,
      'licenses.referenceNumber': 1,
      'licenses.status': 1,
    },
  )
    .sort(BEST_FIRST)
    .maxTimeMS(READ_MS * 4)
    .lean<RegulatedRow[]>()
    .exec();

export const countRegulated = (code: string, tx: Tx): Promise<number> =>
  Brokers.countDocuments({ regulatedBy: code }).session(tx).exec();

/** Where all are read: between batches the process does something else. By default a batch has 16 MB. */
const ALL_READ = { batchSize: 200, ...MAJORITY_READ } as const;

/** What places every broker in the list. */
export const eachRanked = async function* (): AsyncGenerator<Ranked> {
  const found = Brokers.collection.find<BrokerDocument>(
    {},
    { projection: { color: 1, 'score.value': 1 }, ...ALL_READ },
  );
  for await (const { _id, color, score } of found) yield { slug: _id, color, value: score.value };
};

/** Every read document, in slug order, for the search index. */
export const eachBroker = (): AsyncIterable<BrokerDocument> =>
  Brokers.collection.find<BrokerDocument>(
    {},
    { projection: { ratingsByMonth: 0, recentReviews: 0, provenance: 0 }, ...ALL_READ },
  );

export const findDocuments = (slugs: readonly string[], tx: Tx) =>
  Brokers.collection.find<BrokerDocument>({ _id: { $in: slugs as never[] } }, { session: tx }).toArray();

/** Who regulates these brokers by their documents, without the rest of these. */
export const findRegulators = (slugs: readonly string[], tx: Tx) =>
  Brokers.collection
    .find<Pick<BrokerDocument, '_id' | 'regulatedBy'>>(
      { _id: { $in: slugs as never[] } },
      { projection: { regulatedBy: 1 }, session: tx },
    )
    .toArray();

/** Writes the documents, and takes away those of brokers that are gone. */
export const replaceDocuments = async (
  documents: readonly BrokerDocument[],
  gone: readonly string[],
  tx: Tx,
): Promise<void> => {
  const operations = [
    ...documents.map((document) => ({
      replaceOne: {
        filter: { _id: document._id as never },
        replacement: { ...document, _id: document._id as never },
        upsert: true,
      },
    })),
    ...gone.map((slug) => ({ deleteOne: { filter: { _id: slug as never } } })),
  ];
  if (operations.length > 0) await Brokers.collection.bulkWrite(operations, { session: tx });
};

export const findProfiles = (slugs: readonly string[], tx: Tx) =>
  Profiles.find({ _id: { $in: slugs } })
    .session(tx)
    .lean<ProfileDocument[]>()
    .exec();

export const findLicenses = (slugs: readonly string[], tx: Tx) =>
  Licenses.find({ broker: { $in: slugs } })
    .session(tx)
    .lean<LicenseDocument[]>()
    .exec();

/**
 * Licences in these states whose time is over, up to `limit`. Times compare as text: one without seconds sorts up to a
 * minute late, none early.
 */
export const findLapsedLicenses = (statuses: readonly string[], at: Date, limit: number, tx: Tx) =>
  Licenses.find({ status: { $in: statuses }, expiresAt: { $lte: at.toISOString() } })
    .limit(limit)
    .session(tx)
    .lean<LicenseDocument[]>()
    .exec();

/** Licences that end when their time is over. */
export const expireLicenses = async (licenses: readonly LicenseDocument[], tx: Tx): Promise<void> => {
  await Licenses.bulkWrite(
    licenses.map(({ _id, status, expiresAt }) => ({
      updateOne: { filter: { _id, status }, update: { $set: { status: 'expired', statusEffectiveAt: expiresAt } } },
    })),
    { session: tx },
  );
};

/** Every broker that has, or had, a licence of this regulator. */
export const slugsLicensedBy = (code: string, tx: Tx): Promise<string[]> =>
  Licenses.distinct('broker', { regulatorCode: code }).session(tx).exec();

/** Up to `limit` slugs after `slug`, in order, of profiles and of documents: to walk over all brokers in parts. */
export const nextSlugs = async (slug: string, limit: number): Promise<string[]> => {
  const next = (model: typeof Profiles | typeof Brokers) =>
    (model as typeof Profiles)
      .find({ _id: { $gt: slug } }, { _id: 1 })
      .sort({ _id: 1 })
      .limit(limit)
      .lean<{ _id: string }[]>()
      .exec();
  const rows = [...(await next(Profiles)), ...(await next(Brokers))];
  return [...new Set(rows.map((row) => row._id))].sort().slice(0, limit);
};

const keptIn = (collection: string) => ({
  $lookup: {
    from: collection,
    localField: '_id',
    foreignField: '_id',
    as: collection,
    pipeline: [{ $project: { _id: 1 } }],
  },
});
/** Documents as earlier releases wrote them: with their answers in them, or without any. */
const FORMER = [
  { $sort: { _id: 1 } },
  keptIn('brokerDetails'),
  keptIn('brokerSummaries'),
  { $match: { $or: [{ answers: { $exists: true } }, { brokerDetails: [] }, { brokerSummaries: [] }] } },
  { $project: { _id: 1 } },
] as const;

export const countFormer = async (): Promise<number> => {
  const [found] = await Brokers.collection.aggregate<{ count: number }>([...FORMER, { $count: 'count' }]).toArray();
  return found?.count ?? 0;
};

/** Up to `limit` slugs of such documents after `slug`, in order. */
export const nextFormer = async (slug: string, limit: number): Promise<string[]> => {
  const rows = await Brokers.collection
    .aggregate<{ _id: string }>([{ $match: { _id: { $gt: slug as never } } }, ...FORMER, { $limit: limit }])
    .toArray();
  return rows.map((row) => row._id);
};

/** The slugs among these that are known. */
export const knownSlugs = async (slugs: readonly string[]): Promise<Set<string>> => {
  const rows = await Profiles.collection
    .find<{ _id: string }>({ _id: { $in: slugs as never[] } }, { projection: { _id: 1 }, ...GATHERED_READ })
    .toArray();
  return new Set(rows.map((row) => row._id));
};

/** What every broker is called. */
export const listNames = () =>
  Profiles.find({}, { name: 1, legalName: 1, tradingNames: 1, domains: 1, 'entities.legalName': 1 })
    .lean<Pick<ProfileDocument, '_id' | 'name' | 'legalName' | 'tradingNames' | 'domains' | 'entities'>[]>()
    .exec();

export const countProfiles = (): Promise<number> => Profiles.estimatedDocumentCount().exec();

/** The slug of a broker that is not among these, or does not describe itself as `description` does. */
export const findOtherProfile = async (slugs: readonly string[], description: RegExp): Promise<string | undefined> => {
  const other = await Profiles.collection.findOne<{ _id: string }>(
    { $or: [{ _id: { $nin: slugs as never[] } }, { description: { $not: description } }] },
    { projection: { _id: 1 } },
  );
  return other?._id;
};

export const hasProfiles = async (): Promise<boolean> => (await Profiles.exists({})) !== null;

/** Inserts or replaces the facts of brokers by slug. Their id stays. */
export const upsertBrokers = async (records: readonly BrokerRecord[], tx: Tx): Promise<void> => {
  await Profiles.collection.bulkWrite(
    records.map(({ slug, licenses: _, ...fields }) => ({
      updateOne: {
        filter: { _id: slug as never },
        update: { $set: fields, $setOnInsert: { id: randomUUID() }, ...unsetAbsent(fields) },
        upsert: true,
      },
    })),
    { session: tx },
  );
  const withLicenses = records.filter((record) => record.licenses !== undefined);
  await Licenses.deleteMany({ broker: { $in: withLicenses.map((record) => record.slug) } }).session(tx);
  const documents = withLicenses.flatMap(({ slug, licenses = [] }) =>
    licenses.map((license) => ({ _id: licenseKey(slug, license) as never, broker: slug, ...license })),
  );
  if (documents.length > 0) await Licenses.collection.insertMany(documents, { session: tx });
};

const unsetAbsent = (fields: { lei?: string | undefined }) => (fields.lei === undefined ? { $unset: { lei: 1 } } : {});

/** Everything that is imported about a broker, as it is stored. */
export interface BrokerState {
  readonly profile: ProfileDocument;
  readonly licenses: readonly LicenseDocument[];
}

/** What is stored under these slugs, byte for byte; licences in the order of their keys. */
export const readStates = async (slugs: readonly string[], tx: Tx): Promise<Map<string, BrokerState>> => {
  const profiles = await Profiles.collection
    .find<ProfileDocument>({ _id: { $in: slugs as never[] } }, { session: tx })
    .toArray();
  const licenses = await Licenses.collection
    .find<LicenseDocument>({ broker: { $in: slugs } }, { session: tx })
    .sort({ _id: 1 })
    .toArray();
  const byBroker = Map.groupBy(licenses, (license) => license.broker);
  return new Map(profiles.map((profile) => [profile._id, { profile, licenses: byBroker.get(profile._id) ?? [] }]));
};

/** Puts profiles and licences in the place of those that are there; null takes them away. */
export const replaceStates = async (states: ReadonlyMap<string, BrokerState | null>, tx: Tx): Promise<void> => {
  await Profiles.collection.bulkWrite(
    [...states].map(([slug, state]) =>
      state === null
        ? { deleteOne: { filter: { _id: slug as never } } }
        : { replaceOne: { filter: { _id: slug as never }, replacement: state.profile as never, upsert: true } },
    ),
    { session: tx },
  );
  await Licenses.deleteMany({ broker: { $in: [...states.keys()] } }).session(tx);
  const licenses = [...states.values()].flatMap((state) => state?.licenses ?? []);
  if (licenses.length > 0) await Licenses.collection.insertMany(licenses as never[], { session: tx });
};

/** Whether any broker has, or had, a licence of this regulator. */
export const hasLicensesOf = async (code: string, tx: Tx): Promise<boolean> =>
  (await Licenses.exists({ regulatorCode: code }).session(tx)) !== null;

/** Licences by regulator and broker, in the order of their keys. */
export const listLicenses = (filter: { readonly regulatorCode?: string; readonly broker?: string }, limit: number) =>
  Licenses.find(filter).sort({ _id: 1 }).limit(limit).lean<LicenseDocument[]>().exec();

/** What is needed to compare licences with a register: names and entities of their holders. */
export type HolderProfile = Pick<
  ProfileDocument,
  '_id' | 'name' | 'legalName' | 'tradingNames' | 'entities' | 'licensesCheckedAt'
>;

/** Every licence of a regulator, and who holds it, at one moment. */
export const findHolders = async (
  regulatorCode: string,
  tx: Tx,
): Promise<{ licenses: LicenseDocument[]; profiles: HolderProfile[] }> => {
  const licenses = await Licenses.find({ regulatorCode }).sort({ _id: 1 }).session(tx).lean<LicenseDocument[]>().exec();
  const slugs = [...new Set(licenses.map((license) => license.broker))];
  const fields = { name: 1, legalName: 1, tradingNames: 1, entities: 1, licensesCheckedAt: 1 };
  const profiles = await Profiles.find({ _id: { $in: slugs } }, fields)
    .session(tx)
    .lean<HolderProfile[]>()
    .exec();
  return { licenses, profiles };
};
