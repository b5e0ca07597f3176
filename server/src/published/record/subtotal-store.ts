import type { RatingMonth } from '@broker-transparency/contract';
import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';
import { addSums, type Period, type Subtotal } from './subtotals.rule.ts';

/** A stored subtotal. The last one of a broker is found by the broker, and replaced as entries come. */
interface StoredSubtotal extends Omit<Subtotal, 'sums'> {
  readonly _id: string;
  /** Set on the last one of a broker, whose number is that of the last entry about the broker. */
  readonly isLast?: true;
  /** As JSON: documents would need four times the space. */
  readonly sums: string;
}

/** The number up to which entries are in subtotals. */
interface SubtotalEnd {
  readonly _id: string;
  readonly number: number;
}

const Subtotals = defineModel(
  'RecordSubtotal',
  new Schema<StoredSubtotal>(
    {
      _id: String,
      number: { type: Number, required: true },
      subject: String,
      time: String,
      entries: Number,
      ends: { type: [String], default: undefined },
      dated: Number,
      isLast: Boolean,
      sums: String,
    },
    STRICT,
  )
    .index({ subject: 1, number: 1 })
    .index({ subject: 1, ends: 1, number: 1 })
    .index({ number: 1 }, { partialFilterExpression: { isLast: true } }),
  'recordSubtotals',
);

const END = 'end';

type SumRow = [
  month: string,
  count: number,
  sum: number,
  sumOfSquares: number,
  ...stars: [number, number, number, number, number],
];

const toRow = ({ month, count, sum, sumOfSquares, distribution: stars }: RatingMonth): SumRow => [
  month,
  count,
  sum,
  sumOfSquares,
  stars[1],
  stars[2],
  stars[3],
  stars[4],
  stars[5],
];

const toStored = (_id: string, { sums, ...subtotal }: Subtotal): StoredSubtotal => ({
  _id,
  ...subtotal,
  sums: JSON.stringify(addSums([sums]).map(toRow)),
});

const toMonth = ([month, count, sum, sumOfSquares, ...stars]: SumRow): RatingMonth => ({
  month,
  count,
  sum,
  sumOfSquares,
  distribution: { 1: stars[0], 2: stars[1], 3: stars[2], 4: stars[3], 5: stars[4] },
});

const fromStored = ({ _id, isLast: _, sums, ...subtotal }: StoredSubtotal): Subtotal => ({
  ...subtotal,
  sums: new Map((JSON.parse(sums) as SumRow[]).map((row) => [row[0], toMonth(row)])),
});

const findStored = (db: Db, filter: object, options: object = MAJORITY_READ) =>
  Subtotals(db).collection.find<StoredSubtotal>(filter, options);

/** Returns the number below which all entries are in subtotals. */
export const readEnd = async (db: Db, options: object = MAJORITY_READ): Promise<number> =>
  (await Subtotals(db).collection.findOne<SubtotalEnd>({ _id: END as never }, options))?.number ?? 0;

/** Moves the end, unless another process has. Returns whether it did. */
export const moveEnd = async (from: number, to: number, tx: Tx): Promise<boolean> => {
  if ((await readEnd(tx.db, { session: tx })) !== from) return false;
  await Subtotals(tx.db)
    .collection.updateOne({ _id: END as never }, { $set: { number: to } }, { upsert: true, session: tx })
    .catch(rethrowAsConflict);
  return true;
};

/** Returns the last subtotals of these brokers. */
export const findLast = async (db: Db, subjects: readonly string[], options?: object): Promise<Subtotal[]> =>
  (await findStored(db, { _id: { $in: subjects } }, options).toArray()).map(fromStored);

/** The number of the last entry about a broker. */
export interface LastChange {
  readonly subject: string;
  readonly number: number;
}

/** A filter for the last changes of brokers. */
export interface LastChangesFilter {
  /** The first number. */
  readonly from: number;
  readonly subjects?: readonly string[] | undefined;
}

/** Returns the last changes of brokers by number, up to `limit`. Each broker has one. */
export const findLastChanges = async (
  { from, subjects }: LastChangesFilter,
  limit: number,
  tx: Tx,
): Promise<LastChange[]> => {
  const options = { session: tx, projection: { _id: 0, subject: 1, number: 1 } };
  const number = { $gte: from };
  if (!subjects) {
    const rows = findStored(tx.db, { isLast: true, number }, options);
    return rows.sort({ number: 1 }).limit(limit).toArray();
  }
  const some = await findStored(tx.db, { _id: { $in: subjects }, number }, options).toArray();
  return some.sort((a, b) => a.number - b.number).slice(0, limit);
};

/** Returns the last changes of brokers with a number from `from` on. */
export const findChangesFrom = (db: Db, from: number): Promise<LastChange[]> =>
  findStored(
    db,
    { isLast: true, number: { $gte: from } },
    { projection: { _id: 0, subject: 1, number: 1 }, ...MAJORITY_READ },
  ).toArray() as Promise<LastChange[]>;

/** Returns the last subtotal of a broker below a number. */
export const findBelow = async (db: Db, subject: string, below: number): Promise<Subtotal | undefined> => {
  const [found] = await findStored(db, { subject, number: { $lt: below } })
    .sort({ number: -1 })
    .limit(1)
    .toArray();
  return found && fromStored(found);
};

/** A filter for subtotals at the ends of periods. */
export interface EndsFilter {
  readonly subjects: readonly string[];
  readonly period: Period;
  readonly number: { readonly $gte?: number; readonly $lt?: number };
}

/** Returns up to `limit` subtotals at the ends of periods: the first ones, or the last ones, which come first. */
export const findEnds = async (
  db: Db,
  { subjects, period, number }: EndsFilter,
  limit: number,
  order: 1 | -1,
): Promise<Subtotal[]> => {
  const rows = findStored(db, { subject: { $in: subjects }, ends: period, number });
  return (await rows.sort({ number: order }).limit(limit).toArray()).map(fromStored);
};

/** Returns all stored subtotals of a broker, by number. */
export const findAll = (subject: string, tx: Tx): Promise<StoredSubtotal[]> =>
  findStored(tx.db, { subject }, { session: tx }).sort({ number: 1 }).toArray();

/** Walks through all brokers that have subtotals. */
export async function* eachSubject(db: Db): AsyncIterable<string> {
  const ids = findStored(
    db,
    { _id: { $gte: 'broker/', $lt: 'broker0' } },
    { projection: { _id: 1 }, ...MAJORITY_READ },
  );
  for await (const { _id } of ids) if (!_id.includes(' ')) yield _id;
}

/** Returns consecutive subtotals of a broker in their stored form. */
export const toStoredRows = (own: readonly Subtotal[]): StoredSubtotal[] =>
  own.map((one, at) =>
    at === own.length - 1
      ? { ...toStored(one.subject, one), isLast: true }
      : toStored(`${one.subject} ${one.number}`, one),
  );

/** Stores further subtotals of brokers. The last one of each broker replaces the former last one. */
export const storeNext = async (brokers: readonly (readonly Subtotal[])[], tx: Tx): Promise<void> => {
  const writes = brokers.flatMap(toStoredRows).map((replacement) => ({
    replaceOne: { filter: { _id: replacement._id as never }, replacement: replacement as never, upsert: true },
  }));
  if (writes.length > 0) await Subtotals(tx.db).collection.bulkWrite(writes, { session: tx });
};

/** Deletes all subtotals of a broker. */
export const deleteSubtotals = async (subject: string, tx: Tx): Promise<void> => {
  await Subtotals(tx.db).collection.deleteMany({ subject }, { session: tx });
};

/** Deletes all subtotals and their end. */
export const deleteAll = async (db: Db): Promise<void> => {
  await Subtotals(db).collection.deleteMany({ subject: { $exists: true } });
  await Subtotals(db).collection.deleteOne({ _id: END as never });
};
