import type { EntryCause, EntryKind } from '@broker-transparency/contract/record';
import mongoose, { Schema, type Types } from 'mongoose';
import type { Tx } from '../mongo.ts';
import { asConflict } from '../mongo-errors.ts';
import { MAJORITY_READ, STRICT } from '../schema.ts';

/** An entry as it is stored. It never changes, except that it gets its number. */
export interface StoredEntry {
  readonly _id: Types.ObjectId;
  readonly key: string;
  /** Its place among the entries of its key. */
  readonly sequence: number;
  readonly subject: string;
  readonly kind: EntryKind;
  readonly cause: EntryCause;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Canonical JSON. */
  readonly value: string;
  /** Set while it has no number: 0, or 1 for what gets its number after all others. */
  readonly pending?: 0 | 1;
  readonly number?: number;
  readonly time?: string;
}

/** An entry that has its number. */
export type NumberedEntry = StoredEntry & Required<Pick<StoredEntry, 'number' | 'time'>>;

/** A text that is public, with the random bytes by which its commitment can be checked. */
export interface SaltedText {
  /** 32 bytes in base64. */
  readonly salt: string;
  readonly text: string;
}

/** The public texts of one key, by field. */
export interface StoredTexts {
  /** The key of the entry. */
  readonly _id: string;
  readonly texts: Readonly<Record<string, SaltedText>>;
}

/** The end of the record. */
export interface Head {
  /** The number that the next entry gets. */
  readonly next: number;
  /** Time of the last entry. */
  readonly time: string;
}

const text = { type: String, required: true } as const;

const Entries = mongoose.model(
  'RecordEntry',
  new Schema<StoredEntry>(
    {
      key: text,
      sequence: { type: Number, required: true },
      subject: text,
      kind: text,
      cause: text,
      validFrom: String,
      validTo: String,
      value: text,
      pending: Number,
      number: Number,
      time: String,
    },
    STRICT,
  )
    .index({ key: 1, sequence: -1 }, { unique: true })
    .index({ number: 1 }, { unique: true, partialFilterExpression: { number: { $exists: true } } })
    .index({ pending: 1, _id: 1 }, { partialFilterExpression: { pending: { $exists: true } } })
    .index({ subject: 1, number: 1 }),
  'recordEntries',
);

const Texts = mongoose.model(
  'RecordText',
  new Schema<StoredTexts>({ _id: String, texts: { type: Schema.Types.Mixed, required: true } }, STRICT),
  'recordTexts',
);

const Heads = mongoose.model(
  'RecordHead',
  new Schema<Head & { _id: string }>({ _id: String, next: Number, time: String }, STRICT),
  'recordHeads',
);

const HEAD = { _id: 'record' } as const;

/** Selects what begins with this and a `/`; `0` is the character after `/`. */
const within = (prefix: string) => ({ $gte: `${prefix}/`, $lt: `${prefix}0` });

/** The last entry of a key. */
export type LastEntry = Pick<StoredEntry, 'key' | 'sequence' | 'subject' | 'kind' | 'value'>;

const LAST_FIELDS = ['key', 'sequence', 'subject', 'kind', 'value'] as const satisfies (keyof LastEntry)[];

/** Returns the last entry of each key that has one. */
export const findLast = async (keys: readonly string[], tx: Tx): Promise<ReadonlyMap<string, LastEntry>> => {
  const rows = await Entries.collection
    .aggregate<{ _id: string; last: LastEntry }>(
      [
        { $match: { key: { $in: keys } } },
        { $sort: { key: 1, sequence: -1 } },
        {
          $group: { _id: '$key', last: { $first: Object.fromEntries(LAST_FIELDS.map((name) => [name, `$${name}`])) } },
        },
      ],
      { session: tx },
    )
    .toArray();
  return new Map(rows.map(({ _id, last }) => [_id, last]));
};

/** Walks through the last entry of each key of a kind, by key. */
export async function* eachLast(kind: EntryKind): AsyncIterable<LastEntry> {
  const rows = Entries.collection
    .find<LastEntry>(
      { key: within(kind) },
      { projection: Object.fromEntries(LAST_FIELDS.map((name) => [name, 1])), ...MAJORITY_READ },
    )
    .sort({ key: 1, sequence: -1 })
    .batchSize(1000);
  let key: string | undefined;
  for await (const row of rows) {
    if (row.key !== key) yield row;
    ({ key } = row);
  }
}

export const insertEntries = async (entries: readonly StoredEntry[], tx: Tx): Promise<void> => {
  await Entries.collection.insertMany([...entries], { session: tx });
};

/** Deletes the entries that wait for a number. */
export const deletePending = async (tx: Tx): Promise<void> => {
  await Entries.collection.deleteMany({ pending: { $exists: true } }, { session: tx });
};

/** Returns the texts of these keys, by key. */
export const findTexts = async (keys: readonly string[], tx: Tx): Promise<ReadonlyMap<string, StoredTexts>> => {
  const rows = await Texts.collection.find<StoredTexts>({ _id: { $in: keys as never[] } }, { session: tx }).toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** What one transaction writes about texts. */
interface TextWrites {
  readonly fresh: readonly StoredTexts[];
  readonly changed: readonly StoredTexts[];
  /** Keys whose texts are deleted. */
  readonly gone: readonly string[];
}

export const writeTexts = async ({ fresh, changed, gone }: TextWrites, tx: Tx): Promise<void> => {
  const { collection } = Texts;
  const options = { session: tx };
  if (fresh.length > 0) await collection.insertMany(fresh as never[], options).catch(asConflict);
  if (gone.length > 0) await collection.deleteMany({ _id: { $in: gone as never[] } }, options);
  for (const one of changed) await collection.replaceOne({ _id: one._id as never }, one as never, options);
};

/** Returns whether an entry waits for its number. */
export const hasPending = async (): Promise<boolean> =>
  (await Entries.findOne({ pending: { $exists: true } }, { _id: 1 })
    .lean()
    .exec()) !== null;

/** What has to be known of an entry to give it its number. */
export type WaitingEntry = Pick<StoredEntry, '_id' | 'key' | 'sequence'>;

const WAITING_FIELDS = { key: 1, sequence: 1 } as const;

/** Returns up to `limit` entries without a number: those of no import first, then the oldest. */
export const findPending = (limit: number, tx: Tx): Promise<WaitingEntry[]> =>
  Entries.collection
    .find<WaitingEntry>({ pending: { $exists: true } }, { session: tx, projection: WAITING_FIELDS })
    .sort({ pending: 1, _id: 1 })
    .limit(limit)
    .toArray();

/** Returns the entries of these keys without a number. */
export const findPendingOf = (keys: readonly string[], tx: Tx): Promise<WaitingEntry[]> =>
  Entries.collection
    .find<WaitingEntry>({ key: { $in: keys }, pending: { $exists: true } }, { session: tx, projection: WAITING_FIELDS })
    .toArray();

/** Returns how many entries wait for a number. */
export const countPending = (): Promise<number> => Entries.countDocuments({ pending: { $exists: true } }).exec();

/** Returns since when the oldest entry waits that no import wrote; null if none does. */
export const pendingSince = async (): Promise<Date | null> => {
  const oldest = await Entries.findOne({ pending: 0 }, { _id: 1 })
    .sort({ _id: 1 })
    .lean<Pick<StoredEntry, '_id'>>()
    .exec();
  return oldest?._id.getTimestamp() ?? null;
};

/** Returns the end of the record; undefined before the first entry. */
export const readHead = async (tx: Tx | null): Promise<Head | undefined> =>
  (await Heads.findOne(HEAD).session(tx).lean<Head>().exec()) ?? undefined;

/** Moves the end of the record, unless somebody else moved it. Returns whether it did. */
export const moveHead = async (from: Head | undefined, to: Head, tx: Tx): Promise<boolean> => {
  if (from === undefined) {
    await Heads.collection.insertOne({ ...HEAD, ...to } as never, { session: tx }).catch(asConflict);
    return true;
  }
  const { matchedCount } = await Heads.updateOne({ ...HEAD, next: from.next }, { $set: to }).session(tx);
  return matchedCount === 1;
};

/** Gives entries their numbers. */
export const setNumbers = async (
  entries: readonly Pick<NumberedEntry, '_id' | 'number' | 'time'>[],
  tx: Tx,
): Promise<void> => {
  await Entries.collection.bulkWrite(
    entries.map(({ _id, number, time }) => ({
      updateOne: {
        filter: { _id, pending: { $exists: true } },
        update: { $set: { number, time }, $unset: { pending: 1 } },
      },
    })),
    { session: tx },
  );
};

/** Selects numbered entries. */
export interface EntryFilter {
  readonly subjects?: readonly string[];
  /** The part before the first `/` of subjects. */
  readonly about?: EntryKind;
  /** The first number. */
  readonly from?: number;
  /** The first number that is not wanted any more. */
  readonly below?: number;
}

const queryOf = ({ subjects, about, from = 0, below = Number.MAX_SAFE_INTEGER }: EntryFilter) => ({
  ...(about ? { subject: within(about) } : {}),
  ...(subjects ? { subject: { $in: [...subjects] } } : {}),
  number: { $gte: from, $lt: below },
});

/** Returns numbered entries by number, up to `limit` (0: all). */
export const findEntries = (filter: EntryFilter, limit = 0, tx: Tx | null = null): Promise<NumberedEntry[]> =>
  Entries.find(queryOf(filter)).sort({ number: 1 }).limit(limit).session(tx).lean<NumberedEntry[]>().exec();

/** Walks through numbered entries by subject, and by number within each. */
export const eachBySubject = (filter: EntryFilter): AsyncIterable<NumberedEntry> =>
  Entries.collection
    .find<NumberedEntry>(queryOf(filter), MAJORITY_READ)
    .sort({ subject: 1, number: 1 })
    .hint({ subject: 1, number: 1 })
    .batchSize(1000);

/** Walks through the numbers and times of all entries, by number. */
export const eachByNumber = (): AsyncIterable<Pick<NumberedEntry, 'number' | 'time'>> =>
  Entries.collection
    .find<NumberedEntry>({ number: { $gte: 0 } }, { projection: { _id: 0, number: 1, time: 1 }, ...MAJORITY_READ })
    .sort({ number: 1 })
    .batchSize(5000);

const Days = mongoose.model(
  'RecordDay',
  new Schema<{ _id: string; rows: Buffer }>({ _id: String, rows: { type: Buffer, required: true } }, STRICT),
  'recordDays',
);

/** Returns what the root of a day was made from, compressed. */
export const readDay = async (date: string): Promise<Uint8Array | undefined> => {
  const day = await Days.collection.findOne<{ rows: mongoose.mongo.Binary }>({ _id: date as never }, MAJORITY_READ);
  return day?.rows.buffer;
};

/** Keeps what the root of a day was made from, compressed. */
export const keepDay = async (date: string, rows: Buffer, tx: Tx): Promise<void> => {
  await Days.updateOne({ _id: date }, { $setOnInsert: { rows } }, { upsert: true }).session(tx);
};
