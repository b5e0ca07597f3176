import type { EntryKind } from '@broker-transparency/contract/record';
import type { Db, Tx } from '../../platform/mongo.ts';
import { entryText, findChangeStart, isTooLong } from './entry.rule.ts';
import { findWholeEnd, hashText } from './read.ts';
import * as store from './store.ts';

/** What part of the record is asked for. */
export interface RangeQuery {
  /** The first number. */
  readonly from: number;
  /** The first number that is not wanted any more. */
  readonly below: number;
  readonly subjects?: readonly string[] | undefined;
  readonly kind?: EntryKind | undefined;
  /** Most entries, except that one change is always given. */
  readonly limit: number;
  /** Most bytes, except that one change is always given. */
  readonly bytes: number;
}

/** An entry as it is published. */
interface PageEntry {
  readonly number: number;
  readonly key: string;
  /** Its canonical JSON, which is the leaf of the log. */
  readonly text: string;
  /** The canonical JSON of its value, if that is too long for the log. */
  readonly value: string | undefined;
}

/** Entries, and how far they reach. */
export interface EntryRange {
  readonly entries: readonly PageEntry[];
  /** The last number that was looked at. */
  readonly through: number;
}

const toPageEntry = (entry: store.NumberedEntry): PageEntry => ({
  number: entry.number,
  key: entry.key,
  text: entryText(entry, entry, hashText),
  value: isTooLong(entry, entry) ? entry.value : undefined,
});

const countBytes = ({ text, value = '' }: PageEntry): number => Buffer.byteLength(text) + Buffer.byteLength(value);

/** Most entries that are read to answer what is asked of a kind: the others have to be skipped. */
const MOST_READ = 5000;

/** Returns where to stop: the index knows subjects and numbers, and entries of other kinds are read for nothing. */
const findBelow = async ({ from, below, subjects, kind }: RangeQuery, session: Tx): Promise<number> => {
  if (kind === undefined) return below;
  const most =
    subjects === undefined
      ? from + MOST_READ
      : await store.findNumberAfter({ from, below, subjects }, MOST_READ, session);
  return most === undefined || most >= below ? below : findWholeEnd(from, most, session);
};

/**
 * Returns entries of a range by number, and how far this reaches: whole changes, and the first one even if it is longer
 * than what is asked for. `below` must have been read in the same session.
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

/** Returns the texts of these keys that are public now, with the random bytes of their commitments. */
export const readPublicTexts = async (keys: readonly string[], session: Tx): Promise<store.StoredTexts[]> => {
  const found = await store.findTexts([...new Set(keys)], session);
  return [...found.values()];
};

/** Returns the last number that was given; -1 before the first one. */
export const readLastNumber = async (session: Tx): Promise<number> =>
  ((await store.readHead(session.db, { session }))?.next ?? 0) - 1;

/** Returns whether the record has anything that is found under a subject. */
export const hasEntriesAbout = async (db: Db, subject: string): Promise<boolean> =>
  (await store.findEntries(db, { subjects: [subject] }, 1)).length > 0;
