import type { EntryCause, EntryKind } from '@broker-transparency/contract/record';
import mongoose, { Schema, type Types } from 'mongoose';
import type { Sought } from '../look.ts';
import { inReadOrder, type Tx } from '../mongo.ts';
import { asConflict, isDuplicateKey } from '../mongo-errors.ts';
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
  /** The number that the next entry gets. Entries from here on do not count yet, even if they have a number already. */
  readonly next: number;
  /** Time of the last entry. */
  readonly time: string;
}

/** Entries that are getting their numbers: from the end of the record on, in this order. */
export interface Batch {
  readonly time: string;
  readonly ids: readonly Types.ObjectId[];
}

/** The end of the record, with the batch that somebody has begun there. It stays the same until it has ended. */
export type Numbering = Head & { readonly batch?: Batch };

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
    .index({ subject: 1, number: 1 }, { partialFilterExpression: { number: { $exists: true } } }),
  'recordEntries',
);

const Texts = mongoose.model(
  'RecordText',
  new Schema<StoredTexts>({ _id: String, texts: { type: Schema.Types.Mixed, required: true } }, STRICT),
  'recordTexts',
);

const Heads = mongoose.model(
  'RecordHead',
  new Schema<Numbering & { _id: string }>(
    { _id: String, next: Number, time: String, batch: Schema.Types.Mixed },
    STRICT,
  ),
  'recordHeads',
);

const HEAD = { _id: 'record' } as const;

/** Selects what begins with this and a `/`; `0` is the character after `/`. */
const within = (prefix: string) => ({ $gte: `${prefix}/`, $lt: `${prefix}0` });

/** The last entry of a key. */
export type LastEntry = Pick<StoredEntry, 'key' | 'sequence' | 'subject' | 'kind' | 'value'>;

const LAST_FIELDS = ['key', 'sequence', 'subject', 'kind', 'value'] as const satisfies (keyof LastEntry)[];

const LAST_PROJECTION = { _id: 0, ...Object.fromEntries(LAST_FIELDS.map((name) => [name, 1])) };

/** Returns the last entry of a key. Most changes are of one, and an aggregation costs the database more. */
const findLastOf = (key: string, tx: Tx): Promise<LastEntry | null> =>
  Entries.collection.findOne<LastEntry>(
    { key },
    { session: tx, projection: LAST_PROJECTION, sort: { key: 1, sequence: -1 } },
  );

/** Returns the last entry of each key that has one. */
export const findLast = async (keys: readonly string[], tx: Tx): Promise<ReadonlyMap<string, LastEntry>> => {
  const [key] = keys;
  if (key !== undefined && keys.length === 1) {
    const last = await findLastOf(key, tx);
    return new Map(last ? [[key, last]] : []);
  }
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
    .find<LastEntry>({ key: within(kind) }, { projection: LAST_PROJECTION, ...MAJORITY_READ })
    .sort({ key: 1, sequence: -1 })
    .batchSize(1000);
  let key: string | undefined;
  for await (const row of rows) {
    if (row.key !== key) yield row;
    ({ key } = row);
  }
}

/** Walks through the last entry of each key of a kind that has a number below this one, by key. */
export async function* eachNumbered(kind: EntryKind, below: number): AsyncIterable<NumberedEntry> {
  const rows = Entries.collection
    .find<NumberedEntry>({ key: within(kind), number: { $gte: 0, $lt: below } }, MAJORITY_READ)
    .sort({ key: 1, sequence: -1 })
    .hint({ key: 1, sequence: -1 })
    .batchSize(500);
  let key: string | undefined;
  for await (const row of rows) {
    if (row.key !== key) yield row;
    ({ key } = row);
  }
}

/** Inserts documents: one by itself, since the driver takes several through its bulk operations. */
const insert = async ({ collection }: Pick<typeof Entries, 'collection'>, rows: readonly object[], tx: Tx) => {
  const [first] = rows;
  if (first && rows.length === 1) await collection.insertOne(first, { session: tx });
  else await collection.insertMany([...rows], { session: tx });
};

export const insertEntries = (entries: readonly StoredEntry[], tx: Tx): Promise<void> => insert(Entries, entries, tx);

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
  if (fresh.length > 0) await insert(Texts, fresh, tx).catch(asConflict);
  if (gone.length > 0) await collection.deleteMany({ _id: { $in: gone as never[] } }, options);
  if (changed.length > 0)
    await collection.bulkWrite(
      changed.map((one) => ({ replaceOne: { filter: { _id: one._id as never }, replacement: one as never } })),
      options,
    );
};

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

/** An entry that waits for a number. */
export const PENDING: Sought = { collection: 'recordEntries', match: { pending: { $exists: true } } };

/** The end of the record, and the same while a batch is begun there. */
export const [END, BEGUN]: readonly [Sought, Sought] = [
  { collection: 'recordHeads', match: HEAD },
  { collection: 'recordHeads', match: { ...HEAD, batch: { $exists: true } } },
];

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
export const readHead = (options: { readonly session?: Tx } = {}): Promise<Head | null> =>
  Heads.collection.findOne<Head>(HEAD as never, { projection: { next: 1, time: 1 }, ...MAJORITY_READ, ...options });

/** Returns the end of the record with the batch that was begun there; null before the first one. */
export const readNumbering = (tx: Tx): Promise<Numbering | null> =>
  Heads.collection.findOne<Numbering>(HEAD as never, { session: tx });

/** Begins a batch at the end of the record, unless it has moved or somebody else has begun one. Returns whether it did. */
export const beginBatch = async ({ next, time }: Head, batch: Batch): Promise<boolean> => {
  if (next === 0) {
    const none = { ...HEAD, next, time };
    await Heads.updateOne(HEAD, { $setOnInsert: none }, { upsert: true }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
  const { modifiedCount } = await Heads.updateOne({ ...HEAD, next, batch: { $exists: false } }, { $set: { batch } });
  return modifiedCount === 1;
};

/** Moves the end of the record behind a batch whose entries have their numbers, unless somebody else has. */
export const endBatch = async (next: number, { time, ids }: Batch): Promise<void> => {
  const end: Head = { next: next + ids.length, time };
  await Heads.updateOne({ ...HEAD, next, batch: { $exists: true } }, { $set: end, $unset: { batch: 1 } });
};

/** Deletes what has no number, and what is beyond the end of the record. Returns the keys that it was about. */
export const cutOff = async (next: number, tx: Tx): Promise<string[]> => {
  const cut = { $or: [{ pending: { $exists: true } }, { number: { $gte: next } }] };
  const rows = Entries.collection.find<Pick<StoredEntry, 'key'>>(cut, { session: tx, projection: { _id: 0, key: 1 } });
  const keys = new Set((await rows.toArray()).map(({ key }) => key));
  if (keys.size > 0) await Entries.collection.deleteMany(cut, { session: tx });
  return [...keys];
};

/** Moves the end of the record from where it is, and forgets a batch that was begun there. */
export const moveEnd = async (from: Head | null, to: Head, tx: Tx): Promise<void> => {
  const [at, change] = [
    { ...HEAD, next: from?.next ?? to.next },
    { $set: to, $unset: { batch: 1 } },
  ];
  await Heads.updateOne(at, change, { upsert: from === null }).session(tx);
};

/** Entries that get their numbers by one update, which looks for each of them among all. */
const AT_ONCE = 100;

/**
 * Gives the entries of a batch their numbers. Doing it again changes nothing, so it can be interrupted. Each update is
 * of many documents: the database notes an update of one in its session, too, which costs as much again.
 */
export const setNumbers = async (first: number, { time, ids }: Batch): Promise<void> => {
  const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, at) => at * AT_ONCE);
  await Entries.collection.bulkWrite(
    parts.map((from) => {
      const some = ids.slice(from, from + AT_ONCE);
      const number = { $add: [first + from, { $indexOfArray: [some, '$_id'] }] };
      return {
        updateMany: { filter: { _id: { $in: some } }, update: [{ $set: { number, time } }, { $unset: 'pending' }] },
      };
    }),
  );
};

/** Selects numbered entries. */
export interface EntryFilter {
  readonly subjects?: readonly string[];
  /** The part before the first `/` of subjects. */
  readonly about?: EntryKind;
  readonly kind?: EntryKind;
  /** Why they were written. Nothing is found by it: the database looks through the others. */
  readonly causes?: readonly EntryCause[];
  /** The first number. */
  readonly from?: number;
  /** The first number that is not wanted any more. */
  readonly below?: number;
}

const queryOf = ({ subjects, about, kind, causes, from = 0, below = Number.MAX_SAFE_INTEGER }: EntryFilter) => ({
  ...(about ? { subject: within(about) } : {}),
  ...(kind ? { kind } : {}),
  ...(subjects ? { subject: { $in: [...subjects] } } : {}),
  ...(causes ? { cause: { $in: [...causes] } } : {}),
  number: { $gte: from, $lt: below },
});

/**
 * Returns numbered entries by number, up to `limit` (0: all). None is beyond the end of the record as it was before:
 * there, a number can be missing that is below another one.
 */
export const findEntries = (filter: EntryFilter, limit = 0): Promise<NumberedEntry[]> =>
  inReadOrder(async (session) => {
    const end = (await readHead({ session }))?.next ?? 0;
    const below = Math.min(filter.below ?? end, end);
    return Entries.collection
      .find<NumberedEntry>(queryOf({ ...filter, below }), { session, ...MAJORITY_READ })
      .sort({ number: 1 })
      .limit(limit)
      .toArray();
  });

/** Returns up to `limit` numbered entries, the newest first. */
export const findNewest = (filter: EntryFilter & { readonly below: number }, limit: number): Promise<NumberedEntry[]> =>
  Entries.collection.find<NumberedEntry>(queryOf(filter), MAJORITY_READ).sort({ number: -1 }).limit(limit).toArray();

/** An {@link EntryFilter} with an end that was read in the same session: nothing below it can be missing. */
export type BoundedFilter = EntryFilter & { readonly below: number };

/** Walks through numbered entries by number, up to `limit` of them. */
export const eachInOrder = (filter: BoundedFilter, limit: number, session: Tx): AsyncIterable<NumberedEntry> =>
  Entries.collection
    .find<NumberedEntry>(queryOf(filter), { session, ...MAJORITY_READ })
    .sort({ number: 1 })
    .limit(limit)
    .batchSize(250);

/** Returns the number of the entry after so many that the filter selects; undefined if there are no more. */
export const numberAfter = async (filter: BoundedFilter, count: number, session: Tx): Promise<number | undefined> => {
  const [found] = await Entries.collection
    .find<Pick<NumberedEntry, 'number'>>(queryOf(filter), { session, projection: { number: 1 }, ...MAJORITY_READ })
    .sort({ number: 1 })
    .skip(count)
    .limit(1)
    .toArray();
  return found?.number;
};

/** Rows of a long walk that are read at once: few, so that they need little memory. */
const WALKED_AT_ONCE = 250;

/** Walks through the entries of a kind below a number by key, and the last one of each key first. */
export const eachByKey = (kind: EntryKind, below: number, session: Tx): AsyncIterable<NumberedEntry> =>
  Entries.collection
    .find<NumberedEntry>({ key: within(kind), number: { $lt: below } }, { session, ...MAJORITY_READ })
    .sort({ key: 1, sequence: -1 })
    .batchSize(WALKED_AT_ONCE);

/** Walks through the keys of numbered entries by number. */
export const eachKey = (filter: BoundedFilter, session: Tx): AsyncIterable<Pick<NumberedEntry, 'key' | 'number'>> =>
  Entries.collection
    .find<NumberedEntry>(queryOf(filter), { session, projection: { _id: 0, key: 1, number: 1 }, ...MAJORITY_READ })
    .sort({ number: 1 });

/** Returns the entries with these numbers. */
export const findNumbers = (numbers: readonly number[], session: Tx): Promise<NumberedEntry[]> =>
  Entries.collection.find<NumberedEntry>({ number: { $in: [...numbers] } }, { session, ...MAJORITY_READ }).toArray();
/** An entry without what it says. */
export type EntryPlace = Pick<NumberedEntry, 'number' | 'time' | 'kind' | 'key' | 'subject'>;

const PLACE_FIELDS = { _id: 0, number: 1, time: 1, kind: 1, key: 1, subject: 1 } as const;

/** Which entries are looked for by their keys. */
export interface KeyFilter {
  readonly keys: readonly string[];
  /** Beginnings of keys, up to a `/`. */
  readonly prefixes: readonly string[];
  /** The first number that is not wanted any more. */
  readonly below: number;
}

/** Returns numbered entries of these keys, and of those that begin so, by number. */
export const findEntriesOf = ({ keys, prefixes, below }: KeyFilter): Promise<NumberedEntry[]> =>
  inReadOrder(async (session) => {
    const end = (await readHead({ session }))?.next ?? 0;
    const of = [{ key: { $in: [...keys] } }, ...prefixes.map((prefix) => ({ key: within(prefix) }))];
    return Entries.collection
      .find<NumberedEntry>({ $or: of, number: { $gte: 0, $lt: Math.min(below, end) } }, { session, ...MAJORITY_READ })
      .sort({ number: 1 })
      .hint({ key: 1, sequence: -1 })
      .toArray();
  });

/** Returns up to `limit` keys of a kind after this one, in order. */
export const nextKeys = async (kind: EntryKind, after: string, limit: number): Promise<string[]> => {
  const { $gte, $lt } = within(kind);
  const key = { $gt: after < $gte ? $gte : after, $lt };
  const rows = await Entries.collection
    .find<Pick<StoredEntry, 'key'>>({ key, sequence: 0 }, { projection: { _id: 0, key: 1 }, ...MAJORITY_READ })
    .sort({ key: 1 })
    .hint({ key: 1, sequence: -1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => row.key);
};

/** Walks through every key of a kind, in order. It reads no entry. */
export async function* eachKeyOf(kind: EntryKind): AsyncIterable<string> {
  const rows = Entries.collection
    .find<Pick<StoredEntry, 'key'>>(
      { key: within(kind), sequence: 0 },
      { projection: { _id: 0, key: 1 }, ...MAJORITY_READ },
    )
    .hint({ key: 1, sequence: -1 })
    .batchSize(10_000);
  for await (const { key } of rows) yield key;
}

/** Entries without what they say, and the number below which none of them can be missing, but for a limit. */
export interface Places {
  readonly places: readonly EntryPlace[];
  readonly below: number;
}

/** Returns up to `limit` numbered entries without what they say, by number. */
export const findPlaces = (filter: EntryFilter, limit: number): Promise<Places> =>
  inReadOrder(async (session) => {
    const end = (await readHead({ session }))?.next ?? 0;
    const below = Math.min(filter.below ?? end, end);
    const places = await Entries.collection
      .find<EntryPlace>(queryOf({ ...filter, below }), { session, projection: PLACE_FIELDS, ...MAJORITY_READ })
      .sort({ number: 1 })
      .limit(limit)
      .toArray();
    return { places, below };
  });

/** Walks through numbered entries by subject, and by number within each. */
export const eachBySubject = (filter: EntryFilter & { readonly below: number }): AsyncIterable<NumberedEntry> =>
  Entries.collection
    .find<NumberedEntry>(queryOf(filter), MAJORITY_READ)
    .sort({ subject: 1, number: 1 })
    .hint({ subject: 1, number: 1 })
    .batchSize(1000);

/** Walks through the numbers and times of all entries below a number, by number. */
export const eachByNumber = (below: number): AsyncIterable<Pick<NumberedEntry, 'number' | 'time'>> =>
  Entries.collection
    .find<NumberedEntry>(queryOf({ below }), { projection: { _id: 0, number: 1, time: 1 }, ...MAJORITY_READ })
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

/** Forgets what the roots of days were made from. */
export const deleteDays = async (dates: readonly string[], tx: Tx): Promise<void> => {
  if (dates.length > 0) await Days.deleteMany({ _id: { $in: dates } }).session(tx);
};
