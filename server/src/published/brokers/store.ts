import { type LicenseFilteredBroker, listLicenseChoices } from '@broker-transparency/contract';
import { isWarned } from '@broker-transparency/contract/score';
import { Schema } from 'mongoose';
import { listNextProfiles } from '../../features/brokers/facts.ts';
import { type Db, defineModel, nextIds, type Tx } from '../../platform/mongo.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';
import type { BrokerDocument } from './build.rule.ts';
import { type RankedBroker, toSortName } from './ranking.rule.ts';

const { Mixed } = Schema.Types;

/**
 * The broker documents. The refresh replaces a document as a whole, in the bytes that were built; documents are never
 * cast and never changed in place.
 */
const Brokers = defineModel(
  'Broker',
  new Schema(
    { _id: String, color: String, score: Mixed, regulatedBy: [String] },
    { ...STRICT, strict: false, strictQuery: false },
  ).index({ regulatedBy: 1, 'score.value': -1, _id: 1 }),
  'brokers',
);

const READ_MS = 500;
const BEST_FIRST = { 'score.value': -1, _id: 1 } as const;

export const findBroker = (db: Db, slug: string) =>
  Brokers(db).findById(slug).maxTimeMS(READ_MS).lean<BrokerDocument>().exec();

/** The fields of a broker that a regulator's list shows. */
export type RegulatedRow = Pick<BrokerDocument, '_id' | 'name' | 'status' | 'color' | 'licenses'> & {
  readonly score: { readonly value: number | null };
};

export const findRegulated = (db: Db, code: string) =>
  Brokers(db)
    .find(
      { regulatedBy: code },
      {
        name: 1,
        status: 1,
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
  Brokers(tx.db).countDocuments({ regulatedBy: code }).session(tx).exec();

/** Options for reading all documents. Other work can run between batches; MongoDB's default is 16 MB per batch. */
const ALL_READ = { batchSize: 200, ...MAJORITY_READ } as const;

/** Fields for the ranking. */
const RANKING = {
  keys: 1,
  name: 1,
  status: 1,
  color: 1,
  'score.value': 1,
  country: 1,
  regulatedBy: 1,
  serves: 1,
  bestTier: 1,
  licensesCheckedAt: 1,
  updatedAt: 1,
  'entities.legalName': 1,
  'licenses.status': 1,
  'licenses.type': 1,
  'licenses.tier': 1,
  'licenses.entity.legalName': 1,
  'licenses.lastVerifiedAt': 1,
  'licenses.expiresAt': 1,
  'licenses.stale': 1,
  'warnings.about': 1,
  'warnings.withdrawnAt': 1,
  'warnings.correctedAt': 1,
} as const;
type RankedRow = Pick<
  BrokerDocument,
  '_id' | 'keys' | 'name' | 'color' | 'country' | 'regulatedBy' | 'serves' | 'updatedAt'
> &
  LicenseFilteredBroker & {
    readonly status: BrokerDocument['status'];
    readonly score: Pick<BrokerDocument['score'], 'value'>;
    readonly warnings: readonly Pick<BrokerDocument['warnings'][number], 'about' | 'withdrawnAt' | 'correctedAt'>[];
  };

/** Returns the ranking fields of a broker. */
export const toRankedBroker = ({
  _id: slug,
  keys,
  name,
  color,
  score: { value },
  country,
  regulatedBy,
  serves,
  warnings,
  status,
  updatedAt,
  ...licensed
}: RankedRow): RankedBroker => ({
  slug,
  keys,
  name: toSortName(name),
  color,
  value,
  country,
  regulatedBy,
  licenses: listLicenseChoices({ status, ...licensed }, new Date(updatedAt)),
  status,
  isWarned: isWarned(warnings),
  residences: serves.map(({ residence }) => residence),
  ending: serves.filter(({ until }) => until !== null),
});

/** Yields the ranking fields of every broker. */
export const walkRankedBrokers = async function* (db: Db): AsyncGenerator<RankedBroker> {
  const all = Brokers(db).collection.find<BrokerDocument>({}, { projection: RANKING, ...ALL_READ });
  for await (const found of all) yield toRankedBroker(found);
};

/** Returns the ranking fields of these brokers. */
export const findRankedBrokers = async (slugs: readonly string[], tx: Tx): Promise<RankedBroker[]> => {
  const found = Brokers(tx.db).collection.find<BrokerDocument>(
    { _id: { $in: slugs as never[] } },
    { projection: RANKING, session: tx },
  );
  return (await found.toArray()).map(toRankedBroker);
};

/** Yields every broker document for the search index, without the fields that search does not use. */
export const walkBrokers = (db: Db): AsyncIterable<BrokerDocument> =>
  Brokers(db).collection.find<BrokerDocument>(
    {},
    { projection: { ratingsByMonth: 0, complaintsByMonth: 0, recentReviews: 0, provenance: 0 }, ...ALL_READ },
  );

/** Fields that identify a broker. */
const IDENTIFYING = {
  slug: 1,
  name: 1,
  legalName: 1,
  status: 1,
  tradingNames: 1,
  lei: 1,
  website: 1,
  domains: 1,
  entities: 1,
  predecessors: 1,
  licenses: 1,
  warnings: 1,
} as const;
export type IdentifyingDocument = Pick<BrokerDocument, '_id' | Exclude<keyof typeof IDENTIFYING, '_id'>>;

/** Yields the identifying fields of every broker. */
export const walkIdentifying = (db: Db): AsyncIterable<IdentifyingDocument> =>
  Brokers(db).collection.find<BrokerDocument>({}, { projection: IDENTIFYING, ...ALL_READ });

export const findIdentifying = (db: Db, slugs: readonly string[]): Promise<IdentifyingDocument[]> =>
  Brokers(db)
    .find({ _id: { $in: slugs } }, IDENTIFYING)
    .maxTimeMS(READ_MS)
    .lean<IdentifyingDocument[]>()
    .exec();

export const findDocuments = (slugs: readonly string[], tx: Tx) =>
  Brokers(tx.db)
    .collection.find<BrokerDocument>({ _id: { $in: slugs as never[] } }, { session: tx })
    .toArray();

/** Returns the regulators of these brokers from their documents. */
export const findRegulators = (slugs: readonly string[], tx: Tx) =>
  Brokers(tx.db)
    .collection.find<Pick<BrokerDocument, '_id' | 'regulatedBy'>>(
      { _id: { $in: slugs as never[] } },
      { projection: { regulatedBy: 1 }, session: tx },
    )
    .toArray();

/** Writes the documents, and deletes documents of brokers that no longer exist. */
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
  if (operations.length > 0) await Brokers(tx.db).collection.bulkWrite(operations, { session: tx });
};

/**
 * Returns up to `limit` slugs after `slug` from profiles and documents, in order. Used to walk over all brokers in
 * parts.
 */
export const nextSlugs = async (db: Db, slug: string, limit: number): Promise<string[]> => {
  const slugs = [...(await listNextProfiles(db, slug, limit)), ...(await nextIds(Brokers(db), slug, limit))];
  return [...new Set(slugs)].sort().slice(0, limit);
};
