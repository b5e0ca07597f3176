import type { EntryKind } from '@broker-transparency/contract/record';
import type { Db, Tx } from '../../platform/mongo.ts';
import { entryText, findChangeStart, isTooLong } from './entry.rule.ts';
import { findWholeEnd, hashText } from './read.ts';
import * as store from './store.ts';

/** Query for a part of the record. */
export interface RangeQuery {
  /** The first number. */
  readonly from: number;
  /** End of the range: the first number after it. */
  readonly below: number;
  readonly subjects?: readonly string[] | undefined;
  readonly kind?: EntryKind | undefined;
  /** Maximum number of entries; one change is always returned. */
  readonly limit: number;
  /** Maximum number of bytes; one change is always returned. */
  readonly bytes: number;
}

/** An entry as it is published. */
interface PageEntry {
  readonly number: number;
  readonly key: string;
  /** Its canonical JSON, which is the leaf of the log. */
  readonly text: string;
  /** Canonical JSON of its value, if the entry is too long for the log. */
  readonly value: string | undefined;
}

/** Entries, and the end of the range that they cover. */
export interface EntryRange {
  readonly entries: readonly PageEntry[];
  /** Last number that was examined. */
  readonly through: number;
}

const toPageEntry = (entry: store.NumberedEntry): PageEntry => ({
  number: entry.number,
  key: entry.key,
  text: entryText(entry, entry, hashText),
  value: isTooLong(entry, entry) ? entry.value : undefined,
});

const countBytes = ({ text, value = '' }: PageEntry): number => Buffer.byteLength(text) + Buffer.byteLength(value);

/** Maximum number of entries read for a query by kind, because entries of other kinds are read and skipped. */
const MOST_READ = 5000;

/**
 * Returns the end of the range to read. The index has subjects and numbers, so entries of other kinds are read in vain.
 */
const findBelow = async ({ from, below, subjects, kind }: RangeQuery, session: Tx): Promise<number> => {
  if (kind === undefined) return below;
  const most =
    subjects === undefined
      ? from + MOST_READ
      : await store.findNumberAfter({ from, below, subjects }, MOST_READ, session);
  return most === undefined || most >= below ? below : findWholeEnd(from, most, session);
};

/**
 * Returns the entries of a range by number, and the end of the examined range. It returns complete changes, and the
 * first one even if it exceeds the limits. `below` must come from the same session.
 */
export const readRange = async (asked: RangeQuery, session: Tx): Promise<EntryRange> => {
  const { from, subjects, kind, limit, bytes } = asked;
  const below = await findBelow(asked, session);
  const filter = { from, below, ...(subjects ? { subjects } : {}), ...(kind ? { kind } : {}) };
  const entries: PageEntry[] = [];
  let [size, first, whole] = [0, from, 0];
  for await (const row of store.walkInOrder(filter, { atOnce: limit + 1 }, session)) {
    const begin = findChangeStart(row);
    const isNext = entries.length > 0 && begin !== first;
    if (isNext && (entries.length >= limit || size >= bytes)) return { entries, through: begin - 1 };
    if (isNext) whole = entries.length;
    first = begin;
    const entry = toPageEntry(row);
    size += countBytes(entry);
    if (whole > 0 && (entries.length >= limit || size > bytes))
      return { entries: entries.slice(0, whole), through: first - 1 };
    entries.push(entry);
  }
  return { entries, through: below - 1 };
};

/** Returns the public texts of these keys, with the random bytes of their commitments. */
export const readPublicTexts = async (keys: readonly string[], session: Tx): Promise<store.StoredTexts[]> => {
  const found = await store.findTexts([...new Set(keys)], session);
  return [...found.values()];
};

/** Returns the last assigned number; -1 before the first one. */
export const readLastNumber = async (session: Tx): Promise<number> =>
  ((await store.readHead(session.db, { session }))?.next ?? 0) - 1;

/** Returns whether the record has entries under a subject. */
export const hasEntriesAbout = async (db: Db, subject: string): Promise<boolean> =>
  (await store.findEntries(db, { subjects: [subject] }, 1)).length > 0;
