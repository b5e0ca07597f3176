import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { STRICT } from '../../platform/schema.ts';
import { type CountCells, flattenCounts, sumCells, toCounts } from './counts.rule.ts';

interface CountsDocument {
  readonly _id: string;
  readonly broker: string;
  readonly reviews?: object;
  readonly reports?: object;
  readonly appeals?: object;
}

const { Mixed } = Schema.Types;

/**
 * Splits a broker's counts into up to 256 parts by the end of the record's id, which is a counter in each process.
 * Concurrent writers about one broker then rarely conflict; with 16 parts, every fifth of 32 concurrent writers timed
 * out.
 */
const toPart = (id: string): string => id.slice(-2);

const Counts = defineModel(
  'ModerationCounts',
  new Schema(
    { _id: String, broker: { type: String, required: true }, reviews: Mixed, reports: Mixed, appeals: Mixed },
    STRICT,
  ).index({ broker: 1 }),
  'moderationCounts',
);

const toIncrement = (broker: string, part: string, cells: CountCells) => ({
  updateOne: {
    filter: { _id: `${broker} ${part}` },
    update: { $inc: cells, $setOnInsert: { broker } },
    upsert: true,
  },
});

export interface CountChange {
  readonly broker: string;
  /** Id of the counted record. */
  readonly id: string;
  readonly cells: CountCells;
}

/** Adds changes to a part. Only the sum of a broker's parts is meaningful. */
export const addCounts = async (changes: readonly CountChange[], tx: Tx): Promise<void> => {
  const writes = changes
    .filter(({ cells }) => Object.keys(cells).length > 0)
    .map(({ broker, id, cells }) => toIncrement(broker, toPart(id), cells));
  if (writes.length > 0) await Counts(tx.db).collection.bulkWrite(writes as never[], { session: tx });
};

const toCells = ({ reviews = {}, reports = {}, appeals = {} }: CountsDocument): CountCells =>
  flattenCounts({ reviews, reports, appeals });

/** Returns the counts of one broker. */
export const findCounts = async (db: Db, brokers: readonly string[], tx?: Tx): Promise<CountCells> => {
  const parts = await Counts(db)
    .find({ broker: { $in: brokers } })
    .session(tx ?? null)
    .maxTimeMS(500)
    .lean<CountsDocument[]>()
    .exec();
  return sumCells(parts.map(toCells));
};

/** Returns the counts of every broker that has any. */
export const listCounts = async (tx: Tx): Promise<Map<string, CountCells>> => {
  const parts = await Counts(tx.db).find({}).session(tx).lean<CountsDocument[]>().exec();
  const byBroker = Map.groupBy(parts, ({ broker }) => broker);
  return new Map([...byBroker].map(([broker, rows]) => [broker, sumCells(rows.map(toCells))]));
};

/** Replaces all counts of a broker. */
export const replaceCounts = async (broker: string, parts: ReadonlyMap<string, CountCells>, tx: Tx): Promise<void> => {
  await Counts(tx.db).deleteMany({ broker }).session(tx);
  const writes = [...parts].map(([part, cells]) => toIncrement(broker, part, cells));
  if (writes.length > 0) await Counts(tx.db).bulkWrite(writes, { session: tx });
};

const sumWantedCells = async (db: Db, isWanted: (cell: string) => boolean): Promise<CountCells> => {
  const cells = Object.keys(flattenCounts(toCounts({}))).filter(isWanted);
  const toName = (cell: string): string => cell.replaceAll('.', '_');
  const sums = cells.map((cell) => [toName(cell), { $sum: `$${cell}` }] as const);
  const [row = {}] = await Counts(db)
    .aggregate<Readonly<Record<string, number>>>([{ $group: { _id: null, ...Object.fromEntries(sums) } }])
    .option({ maxTimeMS: 1000 })
    .exec();
  return Object.fromEntries(cells.map((cell) => [cell, row[toName(cell)] ?? 0]));
};

/** Sums the counts of reports and appeals of all brokers. */
export const sumDisputes = (db: Db): Promise<CountCells> => sumWantedCells(db, (cell) => !cell.startsWith('reviews.'));

/** Sums every count of all brokers. */
export const sumEveryCount = (db: Db): Promise<CountCells> => sumWantedCells(db, () => true);
