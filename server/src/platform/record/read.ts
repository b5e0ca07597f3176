import { hash } from 'node:crypto';
import { type Db, inReadOrder, snapshot, type Tx } from '../mongo.ts';
import { entryText, isTooLong } from './entry.rule.ts';
import * as store from './store.ts';

export {
  END,
  type EntryPlace,
  eachBegun,
  eachBySubject,
  eachKeyOf,
  eachLast,
  eachNumbered,
  findCorrecting,
  findEntries,
  findEntriesOf,
  findFirstKey,
  findFormer,
  findLastKey,
  findLatest,
  findNewest,
  findNumbers,
  findPlaces,
  keepDay,
  type LastEntry,
  type NumberedEntry,
  nextKeys,
  readDay,
} from './store.ts';

/** Returns the number that the next entry gets. */
export const nextNumber = async (db: Db): Promise<number> => (await store.readHead(db))?.next ?? 0;

/** Returns whether a key has an entry, numbered or not. */
export const hasEntry = async (key: string, tx: Tx): Promise<boolean> => (await store.findLast([key], tx)).has(key);

/**
 * Returns the first number that is missing, or whose time is before that of the one before; undefined if there is none.
 */
export const findGap = async (db: Db): Promise<number | undefined> => {
  const end = await nextNumber(db);
  let [next, time] = [0, ''];
  for await (const entry of store.eachByNumber(db, end)) {
    if (entry.number !== next || entry.time < time) return next;
    [next, time] = [next + 1, entry.time];
  }
  return next === end ? undefined : next;
};

/** Returns the SHA-256 of a text in base64. */
export const hashOf = (text: string): string => hash('sha256', text, 'base64');

/** An entry as it is hashed and published. */
export interface EntryBytes extends Pick<store.NumberedEntry, 'number' | 'kind'> {
  /** Its canonical JSON. */
  readonly bytes: Uint8Array;
  /** Whether it is too long for the log, and has the hash of its value in place of it. */
  readonly hasOnlyHash: boolean;
}

/** Returns the bytes of up to `limit` entries from a number on. */
export const readBytes = async (db: Db, from: number, limit: number): Promise<EntryBytes[]> =>
  (await store.findEntries(db, { from }, limit)).map((entry) => ({
    number: entry.number,
    kind: entry.kind,
    bytes: Buffer.from(entryText(entry, entry, hashOf)),
    hasOnlyHash: isTooLong(entry, entry),
  }));

/** Returns the canonical JSON of a value whose entry has only its hash. */
export const readValue = async (db: Db, number: number): Promise<string | undefined> => {
  const [entry] = await store.findEntries(db, { from: number, below: number + 1 }, 1);
  return entry && isTooLong(entry, entry) ? entry.value : undefined;
};

/** Times of entries that are looked at together: of a million entries, four times as many. */
const TIMES_AT_ONCE = 32;

/** Returns the last number that was given at a time or before; -1 if none was. */
export const numberAt = async (db: Db, time: Date): Promise<number> => {
  const at = time.toISOString();
  const head = await store.readHead(db);
  if (!head || head.time <= at) return (head?.next ?? 0) - 1;
  let [low, high] = [-1, head.next]; // given at that time or before, and after it
  while (high - low > 1) {
    const step = Math.ceil((high - low) / TIMES_AT_ONCE);
    const looked = Array.from({ length: Math.ceil((high - low) / step) - 1 }, (_, n) => low + (n + 1) * step);
    const places = await store.findTimes(db, looked);
    const given = places.filter((place) => place.time <= at).map(({ number }) => number);
    [low, high] = [Math.max(low, ...given), Math.min(high, ...looked.filter((number) => !given.includes(number)))];
  }
  return low;
};

/** Returns the texts that are public now, by the keys of their entries. */
export const readTexts = (db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, store.StoredTexts>> =>
  snapshot(db, (tx) => store.findTexts(keys, tx));

/** The random bytes that open the commitments of an entry. */
interface Opening {
  readonly key: string;
  readonly salts: Readonly<Record<string, string>>;
}

/** Returns the random bytes of the texts that are public now, by the keys of their entries and by field. */
export const readOpenings = async (db: Db, keys: readonly string[]): Promise<Opening[]> =>
  [...(await readTexts(db, [...new Set(keys)])).values()].map(({ _id: key, texts }) => ({
    key,
    salts: Object.fromEntries(Object.entries(texts).map(([field, { salt }]) => [field, salt])),
  }));

/** Returns the entries with these numbers, in any order. */
export const findNumbered = (db: Db, numbers: readonly number[]): Promise<store.NumberedEntry[]> =>
  inReadOrder(db, (session) => store.findNumbers(numbers, session));
