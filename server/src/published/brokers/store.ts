import mongoose, { Schema } from 'mongoose';
import { nextProfiles } from '../../features/brokers/facts.ts';
import { nextIds, type Tx } from '../../platform/mongo.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';
import type { BrokerDocument } from './build.rule.ts';
import type { Ranked } from './ranking.rule.ts';

const { Mixed } = Schema.Types;

/** The read documents. Written whole by the refresh, in the bytes that were built: never cast, never changed in place. */
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

/** Up to `limit` slugs after `slug`, in order, of profiles and of documents: to walk over all brokers in parts. */
export const nextSlugs = async (slug: string, limit: number): Promise<string[]> => {
  const slugs = [...(await nextProfiles(slug, limit)), ...(await nextIds(Brokers, slug, limit))];
  return [...new Set(slugs)].sort().slice(0, limit);
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
