import type { EntryKind } from '@broker-transparency/contract/record';
import { type Db, inReadOrder, type Tx } from '../../../platform/mongo.ts';
import { MAJORITY_READ } from '../../../platform/schema.ts';
import { findAbandonSignal } from '../../../platform/waiting.ts';
import type { RecordPlace } from '../entry.rule.ts';
import { CORRECTING, Entries, matchPrefix, type NumberedEntry, readHead } from './collections.ts';

/** Selects numbered entries. */
export interface EntryFilter {
  readonly subjects?: readonly string[];
  /** The part before the first `/` of subjects. */
  readonly about?: EntryKind;
  readonly kind?: EntryKind;
  /** The first number. */
  readonly from?: number;
  /** End of the range: the first number after it. */
  readonly below?: number;
}

const toEntryQuery = ({ subjects, about, kind, from = 0, below = Number.MAX_SAFE_INTEGER }: EntryFilter) => ({
  ...(about ? { subject: matchPrefix(about) } : {}),
  ...(kind ? { kind } : {}),
  ...(subjects ? { subject: { $in: [...subjects] } } : {}),
  number: { $gte: from, $lt: below },
});

/** Options of a read for a single caller: it ends when the caller stops waiting. Walks can serve several callers. */
const createReadOptions = () => {
  const signal = findAbandonSignal();
  return signal ? { ...MAJORITY_READ, signal } : MAJORITY_READ;
};

/**
 * Returns numbered entries by number, up to `limit` (0: all). They end before the end of the record as it was at the
 * start: beyond it, numbers can be missing.
 */
export const findEntries = (db: Db, filter: EntryFilter, limit = 0): Promise<NumberedEntry[]> =>
  inReadOrder(db, async (session) => {
    const end = (await readHead(db, { session }))?.next ?? 0;
    const below = Math.min(filter.below ?? end, end);
    return Entries(db)
      .collection.find<NumberedEntry>(toEntryQuery({ ...filter, below }), { session, ...createReadOptions() })
      .sort({ number: 1 })
      .limit(limit)
      .toArray();
  });

/** Returns up to `limit` numbered entries, the newest first. */
export const findNewest = (
  db: Db,
  filter: EntryFilter & { readonly below: number },
  limit: number,
): Promise<NumberedEntry[]> =>
  Entries(db)
    .collection.find<NumberedEntry>(toEntryQuery(filter), createReadOptions())
    .sort({ number: -1 })
    .limit(limit)
    .toArray();

/** Returns up to `limit` numbered entries that correct or take back what was published, by number. */
export const findCorrecting = (
  db: Db,
  { from, below }: { readonly from: number; readonly below: number },
  limit: number,
): Promise<NumberedEntry[]> =>
  Entries(db)
    .collection.find<NumberedEntry>({ ...CORRECTING, number: { $gte: from, $lt: below } }, createReadOptions())
    .sort({ number: 1 })
    .hint({ number: 1, cause: 1 })
    .limit(limit)
    .toArray();

/** An {@link EntryFilter} whose end was read in the same session: no number below it is missing. */
export type BoundedFilter = EntryFilter & { readonly below: number };

/** Batch size of a long walk: small, to save memory. */
const WALKED_AT_ONCE = 250;

/** Options of a walk through numbered entries. */
export interface WalkOptions {
  /** 1: by number; -1: newest first. */
  readonly order?: 1 | -1;
  /** Maximum number of entries per read. */
  readonly atOnce: number;
}

/** Walks through numbered entries. */
export const walkInOrder = (
  filter: BoundedFilter,
  { order = 1, atOnce }: WalkOptions,
  session: Tx,
): AsyncIterable<NumberedEntry> =>
  Entries(session.db)
    .collection.find<NumberedEntry>(toEntryQuery(filter), { session, ...createReadOptions() })
    .sort({ number: order })
    .batchSize(Math.min(atOnce, WALKED_AT_ONCE));

/** Returns the number of the entry after the first `count` ones that the filter selects; undefined if there is none. */
export const findNumberAfter = async (
  filter: BoundedFilter,
  count: number,
  session: Tx,
): Promise<number | undefined> => {
  const [found] = await Entries(session.db)
    .collection.find<Pick<NumberedEntry, 'number'>>(toEntryQuery(filter), {
      session,
      projection: { number: 1 },
      ...MAJORITY_READ,
    })
    .sort({ number: 1 })
    .skip(count)
    .limit(1)
    .toArray();
  return found?.number;
};

/** Walks through the entries of a kind below a number by key, the last entry of each key first. */
export const walkByKey = (kind: EntryKind, below: number, session: Tx): AsyncIterable<NumberedEntry> =>
  Entries(session.db)
    .collection.find<NumberedEntry>({ key: matchPrefix(kind), number: { $lt: below } }, { session, ...MAJORITY_READ })
    .sort(BY_KEY)
    .hint(BY_KEY)
    .batchSize(WALKED_AT_ONCE);

/** Walks through the keys of numbered entries by number. */
export const walkKeyNumbers = (
  filter: BoundedFilter,
  session: Tx,
): AsyncIterable<Pick<NumberedEntry, 'key' | 'number'>> =>
  Entries(session.db)
    .collection.find<NumberedEntry>(toEntryQuery(filter), {
      session,
      projection: { _id: 0, key: 1, number: 1 },
      ...MAJORITY_READ,
    })
    .sort({ number: 1 });

/** Returns the entries with these numbers. */
export const findNumbers = (numbers: readonly number[], session: Tx): Promise<NumberedEntry[]> =>
  Entries(session.db)
    .collection.find<NumberedEntry>({ number: { $in: [...numbers] } }, { session, ...MAJORITY_READ })
    .toArray();

/** An entry without its value. */
export type EntryPlace = Pick<NumberedEntry, 'number' | 'time' | 'kind' | 'key' | 'subject'>;

const PLACE_FIELDS = { _id: 0, number: 1, time: 1, kind: 1, key: 1, subject: 1 } as const;

/** A filter for entries by key. */
export interface KeyFilter {
  readonly keys: readonly string[];
  /** Beginnings of keys, up to a `/`. */
  readonly prefixes?: readonly string[];
  /** The first number. */
  readonly from?: number;
  /** End of the range: the first number after it. */
  readonly below?: number;
}

const BY_KEY = { key: 1, sequence: -1 } as const;

/** Returns numbered entries with these keys or beginnings of keys, by number. */
export const findEntriesByKey = (
  db: Db,
  { keys, prefixes = [], from = 0, below }: KeyFilter,
): Promise<NumberedEntry[]> =>
  inReadOrder(db, async (session) => {
    const end = (await readHead(db, { session }))?.next ?? 0;
    const of = [{ key: { $in: [...keys] } }, ...prefixes.map((prefix) => ({ key: matchPrefix(prefix) }))];
    return Entries(db)
      .collection.find<NumberedEntry>(
        { $or: of, number: { $gte: from, $lt: Math.min(below ?? end, end) } },
        { session, ...createReadOptions() },
      )
      .sort({ number: 1 })
      .hint(BY_KEY)
      .toArray();
  });

/** Keys that are looked up at once: few, since each takes a connection. */
const KEYS_AT_ONCE = 10;

/** Returns for each of these keys its last entry below a number. */
export const findLatest = async (db: Db, keys: readonly string[], below: number): Promise<NumberedEntry[]> => {
  const latest: NumberedEntry[] = [];
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const found = keys.slice(at, at + KEYS_AT_ONCE).map((key) =>
      Entries(db)
        .collection.find<NumberedEntry>({ key, number: { $gte: 0, $lt: below } }, createReadOptions())
        .sort({ key: 1, number: -1 })
        .hint({ key: 1, number: -1 })
        .limit(1)
        .toArray(),
    );
    latest.push(...(await Promise.all(found)).flat());
  }
  return latest;
};

/** A filter for entries of a key that can hold at a time. */
export interface BegunFilter {
  /** End of the range: the first number after it, at most the end of the record. */
  readonly below: number;
  readonly validAt: string;
}

/** Numbers from one up to another, without the latter. */
export type NumberRange = Required<Pick<EntryFilter, 'from' | 'below'>>;

/** Returns entries of these subjects in ranges, in any order. */
export const findWithin = async (
  db: Db,
  subjects: readonly string[],
  ranges: readonly NumberRange[],
): Promise<NumberedEntry[]> =>
  ranges.length === 0
    ? []
    : Entries(db)
        .collection.find<NumberedEntry>(
          { $or: ranges.map((range) => toEntryQuery({ ...range, subjects })) },
          createReadOptions(),
        )
        .toArray();

/** Returns the times at which entries got these numbers, in any order. */
export const findTimes = (db: Db, numbers: readonly number[]): Promise<Pick<NumberedEntry, 'number' | 'time'>[]> =>
  Entries(db)
    .collection.find<NumberedEntry>(
      { number: { $in: [...numbers] } },
      { projection: { _id: 0, number: 1, time: 1 }, ...createReadOptions() },
    )
    .hint({ number: 1 })
    .toArray();

/** Walks through the entries of a key that have begun to hold by a time, newest first. */
export const walkBegunEntries = (db: Db, key: string, { below, validAt }: BegunFilter): AsyncIterable<NumberedEntry> =>
  Entries(db)
    .collection.find<NumberedEntry>(
      {
        key,
        number: { $gte: 0, $lt: below },
        $or: [{ time: { $lte: validAt } }, { validFrom: { $lte: validAt } }, { validFrom: { $exists: false } }],
      },
      createReadOptions(),
    )
    .sort({ key: 1, sequence: -1 })
    .hint(BY_KEY)
    .batchSize(2);

/** Returns the entry with the last key of a kind among those below a number. */
export const findLastKey = async (db: Db, kind: EntryKind, below: number): Promise<NumberedEntry | undefined> => {
  const [found] = await Entries(db)
    .collection.find<NumberedEntry>({ key: matchPrefix(kind), number: { $gte: 0, $lt: below } }, createReadOptions())
    .sort({ key: -1 })
    .hint(BY_KEY)
    .limit(1)
    .toArray();
  return found;
};

/** Returns the first entry of the first key of a kind from `from` on, among entries below a number. */
export const findFirstKey = async (
  db: Db,
  kind: EntryKind,
  { from, below }: { readonly from: string; readonly below: number },
): Promise<NumberedEntry | undefined> => {
  const key = { ...matchPrefix(kind), $gte: from };
  const [found] = await Entries(db)
    .collection.find<NumberedEntry>({ key, number: { $gte: 0, $lt: below } }, createReadOptions())
    .sort({ key: 1, sequence: -1 })
    .hint(BY_KEY)
    .limit(1)
    .toArray();
  return found;
};

/** Returns for each of these entries the one before it of the same key, if there is one. */
export const findFormer = async (
  db: Db,
  entries: readonly Pick<NumberedEntry, 'key' | 'sequence'>[],
): Promise<NumberedEntry[]> => {
  const places = entries.flatMap(({ key, sequence }) => (sequence > 0 ? [{ key, sequence: sequence - 1 }] : []));
  return places.length === 0
    ? []
    : Entries(db).collection.find<NumberedEntry>({ $or: places }, createReadOptions()).toArray();
};

/** Entries without their values, and the number up to which the list is complete unless a limit cuts it. */
export interface EntryPlaces {
  readonly places: readonly EntryPlace[];
  readonly below: number;
}

/** Returns up to `limit` numbered entries without their values, by number. */
export const findPlaces = (db: Db, filter: EntryFilter, limit: number): Promise<EntryPlaces> =>
  inReadOrder(db, async (session) => {
    const end = (await readHead(db, { session }))?.next ?? 0;
    const below = Math.min(filter.below ?? end, end);
    const places = await Entries(db)
      .collection.find<EntryPlace>(toEntryQuery({ ...filter, below }), {
        session,
        projection: PLACE_FIELDS,
        ...createReadOptions(),
      })
      .sort({ number: 1 })
      .limit(limit)
      .toArray();
    return { places, below };
  });

/** Walks through numbered entries by subject, and by number within each. */
export const walkBySubject = (db: Db, filter: EntryFilter & { readonly below: number }): AsyncIterable<NumberedEntry> =>
  Entries(db)
    .collection.find<NumberedEntry>(toEntryQuery(filter), MAJORITY_READ)
    .sort({ subject: 1, number: 1 })
    .hint({ subject: 1, number: 1 })
    .batchSize(1000);

/** Walks through the places of all entries below a number, by number. */
export const walkByNumber = (db: Db, below: number): AsyncIterable<RecordPlace> =>
  Entries(db)
    .collection.find<RecordPlace>(toEntryQuery({ below }), {
      projection: { _id: 0, number: 1, time: 1, changeIndex: 1, changeSize: 1 },
      ...MAJORITY_READ,
    })
    .sort({ number: 1 })
    .batchSize(5000);
