import { Schema } from 'mongoose';
import { type Db, defineModel, type Tx } from '../../platform/mongo.ts';
import { rethrowAsConflict } from '../../platform/mongo-errors.ts';
import { MAJORITY_READ, STRICT } from '../../platform/schema.ts';

/** A prober, which measures the service from outside. */
export interface ProberDocument {
  /** Name, which is never used again for another key. */
  readonly _id: string;
  /** Verifier key: `name+id+base64`. */
  readonly key: string;
  /** First minute of its vote: `2026-11-23T10:05Z`. */
  readonly since: string;
  /** End of its vote, excluded. */
  readonly until?: string;
  /** Minimum minutes between its marks; absent if it may not write marks. */
  readonly canaryMinutes?: number;
  /** The minute of its last mark. */
  readonly mark?: string;
}

/** The state of a prober's deliveries about a day. */
export interface ProberDay {
  /** Number of lines. */
  readonly lines: number;
  /** Hash of the last line. */
  readonly head: string | null;
  /** True once the root of the day is in the record. */
  readonly isSealed?: boolean;
}
interface ProberDayDocument extends ProberDay {
  /** `<date>/<prober>` */
  readonly _id: string;
}

/** A part of the lines of a prober's day, so that appending a line does not rewrite the whole day. */
interface LinesDocument {
  /** `<date>/<prober>/<its place>` */
  readonly _id: string;
  /** The lines, each with its line feed. */
  readonly text: string;
  /** The figures of the lines. */
  readonly figures: string;
}

/** Lines of a part. */
const PART = 60;

const Probers = defineModel(
  'Prober',
  new Schema<ProberDocument>(
    {
      _id: String,
      key: { type: String, required: true },
      since: { type: String, required: true },
      until: String,
      canaryMinutes: Number,
      mark: String,
    },
    STRICT,
  ),
  'probers',
);

const Days = defineModel(
  'ProberDay',
  new Schema<ProberDayDocument>(
    { _id: String, lines: { type: Number, required: true }, head: { type: String, default: null }, isSealed: Boolean },
    STRICT,
  ),
  'proberDays',
);

const Lines = defineModel(
  'ProberLines',
  new Schema<LinesDocument>(
    { _id: String, text: { type: String, required: true }, figures: { type: String, required: true } },
    STRICT,
  ),
  'proberLines',
);

const toDayId = (date: string, prober: string): string => `${date}/${prober}`;
const toPartId = (day: string, part: number): string => `${day}/${String(part).padStart(3, '0')}`;
/** `0` is the character after `/`. */
const toPartsFilter = (day: string) => ({ $gte: `${day}/`, $lt: `${day}0` });

export const listProbers = (db: Db, tx?: Tx) =>
  Probers(db)
    .find({})
    .sort({ _id: 1 })
    .session(tx ?? null)
    .lean<ProberDocument[]>()
    .exec();

export const findProber = (db: Db, name: string, tx?: Tx) =>
  Probers(db)
    .findById(name)
    .session(tx ?? null)
    .lean<ProberDocument>()
    .exec();

export const insertProber = async (prober: ProberDocument, tx: Tx): Promise<void> => {
  await Probers(tx.db)
    .collection.insertOne(prober as never, { session: tx })
    .catch(rethrowAsConflict);
};

export const endProber = async (name: string, until: string, tx: Tx): Promise<void> => {
  await Probers(tx.db).updateOne({ _id: name }, { $set: { until } }).session(tx);
};

export const setMark = async (name: string, mark: string, tx: Tx): Promise<void> => {
  await Probers(tx.db).updateOne({ _id: name }, { $set: { mark } }).session(tx);
};

const NOTHING: ProberDay = { lines: 0, head: null };

export const findDay = async (db: Db, date: string, prober: string, tx?: Tx): Promise<ProberDay> =>
  (await Days(db)
    .findById(toDayId(date, prober))
    .session(tx ?? null)
    .lean<ProberDay>()
    .exec()) ?? NOTHING;

/** Marks a day so that it takes no more lines, and returns its state. Concurrent deliveries conflict. */
export const sealDay = async (date: string, prober: string, tx: Tx): Promise<ProberDay> => {
  const { lines, head } = await findDay(tx.db, date, prober, tx);
  const seal = { $set: { isSealed: true }, $setOnInsert: { lines, head } };
  await Days(tx.db)
    .collection.updateOne({ _id: toDayId(date, prober) as never }, seal, { upsert: true, session: tx })
    .catch(rethrowAsConflict);
  return { lines, head };
};

/** A line with its figures. */
export interface NewLine {
  readonly text: string;
  readonly figures: string;
}

/** Appends lines to the stored ones. Of two concurrent calls, one runs again. */
export const appendLines = async (
  { date, prober }: { readonly date: string; readonly prober: string },
  { added, from, head }: { readonly added: readonly NewLine[]; readonly from: number; readonly head: string },
  tx: Tx,
): Promise<void> => {
  const day = toDayId(date, prober);
  await Days(tx.db)
    .collection.updateOne(
      { _id: day as never, lines: from },
      { $set: { lines: from + added.length, head } },
      { upsert: true, session: tx },
    )
    .catch(rethrowAsConflict);
  const parts = Map.groupBy(added.entries(), ([at]) => Math.floor((from + at) / PART));
  for (const [part, rows] of parts) {
    const _id = toPartId(day, part) as never;
    const known = await Lines(tx.db).collection.findOne<LinesDocument>({ _id }, { session: tx });
    const text = rows.map(([, line]) => `${line.text}\n`).join('');
    const figures = rows.map(([, line]) => line.figures).join();
    const whole = known ? { text: known.text + text, figures: `${known.figures},${figures}` } : { text, figures };
    await Lines(tx.db)
      .collection.replaceOne({ _id }, whole as never, { upsert: true, session: tx })
      .catch(rethrowAsConflict);
  }
};

/** Returns the lines of a prober's day, each with its line feed. */
export const readText = async (db: Db, date: string, prober: string, tx?: Tx): Promise<string> => {
  const parts = await Lines(db)
    .collection.find<Pick<LinesDocument, 'text'>>(
      { _id: toPartsFilter(toDayId(date, prober)) as never },
      { projection: { text: 1 }, ...(tx ? { session: tx } : MAJORITY_READ) },
    )
    .sort({ _id: 1 })
    .toArray();
  return parts.map(({ text }) => text).join('');
};

/** Returns the figures of the days from one to another, both included, by `<date>/<prober>`. */
export const readFigures = async (
  db: Db,
  first: string,
  last: string,
  tx?: Tx,
): Promise<ReadonlyMap<string, string>> => {
  const parts = await Lines(db)
    .collection.find<Pick<LinesDocument, '_id' | 'figures'>>(
      { _id: { $gte: `${first}/`, $lt: `${last}0` } as never },
      { projection: { figures: 1 }, ...(tx ? { session: tx } : MAJORITY_READ) },
    )
    .sort({ _id: 1 })
    .batchSize(1000)
    .toArray();
  const byDay = Map.groupBy(parts, ({ _id }) => _id.slice(0, _id.lastIndexOf('/')));
  return new Map([...byDay].map(([day, own]) => [day, own.map(({ figures }) => figures).join()]));
};

/** Deletes the lines of all days before a date. Returns the number of deleted parts. */
export const deleteLinesBefore = async (db: Db, date: string): Promise<number> =>
  (await Lines(db).collection.deleteMany({ _id: { $lt: date } as never })).deletedCount;
