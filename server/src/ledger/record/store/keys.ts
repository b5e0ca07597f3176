import type { EntryKind } from '@broker-transparency/contract/record';
import type { Db, Tx } from '../../../platform/mongo.ts';
import { rethrowAsConflict } from '../../../platform/mongo-errors.ts';
import { MAJORITY_READ } from '../../../platform/schema.ts';
import {
  Entries,
  insertRows,
  matchPrefix,
  type NumberedEntry,
  type StoredEntry,
  type StoredTexts,
  Texts,
} from './collections.ts';

/** The last entry of a key. */
export type LastEntry = Pick<StoredEntry, 'key' | 'sequence' | 'subject' | 'kind' | 'value'>;

const LAST_FIELDS = ['key', 'sequence', 'subject', 'kind', 'value'] as const satisfies (keyof LastEntry)[];

const LAST_PROJECTION = { _id: 0, ...Object.fromEntries(LAST_FIELDS.map((name) => [name, 1])) };

/** Returns the last entry of a key. Most changes have one key, and an aggregation costs the database more. */
const findLastByKey = (key: string, tx: Tx): Promise<LastEntry | null> =>
  Entries(tx.db).collection.findOne<LastEntry>(
    { key },
    { session: tx, projection: LAST_PROJECTION, sort: { key: 1, sequence: -1 } },
  );

/** Returns the last entry of each key that has one. */
export const findLast = async (keys: readonly string[], tx: Tx): Promise<ReadonlyMap<string, LastEntry>> => {
  const [key] = keys;
  if (key !== undefined && keys.length === 1) {
    const last = await findLastByKey(key, tx);
    return new Map(last ? [[key, last]] : []);
  }
  const rows = await Entries(tx.db)
    .collection.aggregate<{ _id: string; last: LastEntry }>(
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
export async function* walkLastEntries(db: Db, kind: EntryKind): AsyncIterable<LastEntry> {
  const rows = Entries(db)
    .collection.find<LastEntry>({ key: matchPrefix(kind) }, { projection: LAST_PROJECTION, ...MAJORITY_READ })
    .sort({ key: 1, sequence: -1 })
    .batchSize(1000);
  let key: string | undefined;
  for await (const row of rows) {
    if (row.key !== key) yield row;
    ({ key } = row);
  }
}

/** Walks, by key, through the last entry of each key of a kind, among entries below a number. */
export async function* walkNumberedEntries(db: Db, kind: EntryKind, below: number): AsyncIterable<NumberedEntry> {
  const rows = Entries(db)
    .collection.find<NumberedEntry>({ key: matchPrefix(kind), number: { $gte: 0, $lt: below } }, MAJORITY_READ)
    .sort({ key: 1, sequence: -1 })
    .hint({ key: 1, sequence: -1 })
    .batchSize(500);
  let key: string | undefined;
  for await (const row of rows) {
    if (row.key !== key) yield row;
    ({ key } = row);
  }
}

export const insertEntries = (entries: readonly StoredEntry[], tx: Tx): Promise<void> =>
  insertRows(Entries(tx.db), entries, tx);

/** Returns the texts of these keys, by key. */
export const findTexts = async (keys: readonly string[], tx: Tx): Promise<ReadonlyMap<string, StoredTexts>> => {
  const rows = await Texts(tx.db)
    .collection.find<StoredTexts>({ _id: { $in: keys as never[] } }, { session: tx })
    .toArray();
  return new Map(rows.map((row) => [row._id, row]));
};

/** Texts that one transaction writes and deletes. */
interface TextWrites {
  readonly fresh: readonly StoredTexts[];
  readonly changed: readonly StoredTexts[];
  /** Keys whose texts are deleted. */
  readonly gone: readonly string[];
}

export const writeTexts = async ({ fresh, changed, gone }: TextWrites, tx: Tx): Promise<void> => {
  const { collection } = Texts(tx.db);
  const options = { session: tx };
  if (fresh.length > 0) await insertRows(Texts(tx.db), fresh, tx).catch(rethrowAsConflict);
  if (gone.length > 0) await collection.deleteMany({ _id: { $in: gone as never[] } }, options);
  if (changed.length > 0)
    await collection.bulkWrite(
      changed.map((one) => ({ replaceOne: { filter: { _id: one._id as never }, replacement: one as never } })),
      options,
    );
};

/** Returns up to `limit` keys of a kind after this one, in order. */
export const nextKeys = async (db: Db, kind: EntryKind, after: string, limit: number): Promise<string[]> => {
  const { $gte, $lt } = matchPrefix(kind);
  const key = { $gt: after < $gte ? $gte : after, $lt };
  const rows = await Entries(db)
    .collection.find<Pick<StoredEntry, 'key'>>(
      { key, sequence: 0 },
      { projection: { _id: 0, key: 1 }, ...MAJORITY_READ },
    )
    .sort({ key: 1 })
    .hint({ key: 1, sequence: -1 })
    .limit(limit)
    .toArray();
  return rows.map((row) => row.key);
};

/** Walks through every key of a kind, in order. It reads no entry. */
export async function* walkKeys(db: Db, kind: EntryKind): AsyncIterable<string> {
  const rows = Entries(db)
    .collection.find<Pick<StoredEntry, 'key'>>(
      { key: matchPrefix(kind), sequence: 0 },
      { projection: { _id: 0, key: 1 }, ...MAJORITY_READ },
    )
    .hint({ key: 1, sequence: -1 })
    .batchSize(10_000);
  for await (const { key } of rows) yield key;
}
