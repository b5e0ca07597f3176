import { hash } from 'node:crypto';
import { type Db, inReadOrder, snapshot, type Tx } from '../../platform/mongo.ts';
import { canFollow, entryText, findChangeEnd, findChangeStart, isTooLong, type RecordPlace } from './entry.rule.ts';
import * as store from './store.ts';

export {
  END,
  type EntryPlace,
  findCorrecting,
  findEntries,
  findEntriesByKey,
  findFirstKey,
  findFormer,
  findLastKey,
  findLatest,
  findNewest,
  findNumbers,
  findPlaces,
  findWithin,
  keepDay,
  type LastEntry,
  type NumberedEntry,
  nextKeys,
  readDay,
  walkBegunEntries,
  walkBySubject,
  walkKeys,
  walkLastEntries,
  walkNumberedEntries,
} from './store.ts';

/** Returns the number of the next entry. */
export const nextNumber = async (db: Db): Promise<number> => (await store.readHead(db))?.next ?? 0;

/** Returns whether a key has an entry, numbered or not. */
export const hasEntry = async (key: string, tx: Tx): Promise<boolean> => (await store.findLast([key], tx)).has(key);

/** Returns the first number that is missing or whose entry cannot follow the one before; undefined if there is none. */
export const findGap = async (db: Db): Promise<number | undefined> => {
  const end = await nextNumber(db);
  let before: RecordPlace | undefined;
  for await (const entry of store.walkByNumber(db, end)) {
    const next = (before?.number ?? -1) + 1;
    if (entry.number !== next || !canFollow(entry, before)) return next;
    before = entry;
  }
  const reached = before ? before.number + 1 : 0;
  const isWhole = !before || findChangeEnd(before) === reached;
  return reached === end && isWhole ? undefined : reached;
};

/** Returns the error for a number without an entry. */
export const createMissingError = (number: number): Error =>
  new Error(`entry ${number} of the record is missing: run broker-rating admin rebuild --check`);

/** Numbers of the entries of a change. */
interface ChangeBounds {
  /** The number of its first entry. */
  readonly first: number;
  /** The number after its last entry. */
  readonly end: number;
}

const toChangeBounds = (entry: RecordPlace): ChangeBounds => ({
  first: findChangeStart(entry),
  end: findChangeEnd(entry),
});

/** Returns the bounds of the change that has a number. @throws Error if no entry has it */
export const readChangeBounds = async (db: Db, number: number): Promise<ChangeBounds> => {
  const [entry] = await findNumbered(db, [number]);
  if (!entry) throw createMissingError(number);
  return toChangeBounds(entry);
};

/**
 * Returns the end of a part of the record with complete changes: at most `below`, or the end of the first change if
 * that is longer.
 * @throws Error if the entry before `below` is missing
 */
export const findWholeEnd = async (from: number, below: number, session: Tx): Promise<number> => {
  if (from >= below) return below;
  const [last] = await store.findNumbers([below - 1], session);
  if (!last) throw createMissingError(below - 1);
  const { first, end } = toChangeBounds(last);
  return end === below || first <= from ? end : first;
};

/** A filter for changes. */
interface ChangeFilter extends store.EntryFilter {
  /** 1: by number; -1: newest first. */
  readonly order: 1 | -1;
}

/**
 * Returns the entries of `count` changes in order, and the first entry of the next change if there is one. `from` or
 * `below` can cut the first change.
 */
export const findChanges = (
  db: Db,
  { order, ...filter }: ChangeFilter,
  count: number,
): Promise<store.NumberedEntry[]> =>
  inReadOrder(db, async (session) => {
    const end = (await store.readHead(db, { session }))?.next ?? 0;
    const below = Math.min(filter.below ?? end, end);
    const found: store.NumberedEntry[] = [];
    const changes = new Set<number>();
    for await (const entry of store.walkInOrder({ ...filter, below }, { order, atOnce: 2 * (count + 1) }, session)) {
      found.push(entry);
      if (changes.add(findChangeStart(entry)).size > count) break;
    }
    return found;
  });

/** Returns the SHA-256 of a text in base64. */
export const hashText = (text: string): string => hash('sha256', text, 'base64');

/** An entry as it is hashed and published. */
export interface EntryBytes extends Pick<store.NumberedEntry, 'number' | 'kind'> {
  /** Its canonical JSON. */
  readonly bytes: Uint8Array;
  /** True if the entry is too long for the log, and contains the hash of its value in place of the value. */
  readonly hasOnlyHash: boolean;
}

/** Returns the bytes of the entries with the `count` numbers from this one on. */
export const readBytes = async (db: Db, from: number, count: number): Promise<EntryBytes[]> =>
  (await store.findEntries(db, { from, below: from + count }, count)).map((entry) => ({
    number: entry.number,
    kind: entry.kind,
    bytes: Buffer.from(entryText(entry, entry, hashText)),
    hasOnlyHash: isTooLong(entry, entry),
  }));

/** Returns the canonical JSON of a value whose entry has only its hash. */
export const readValue = async (db: Db, number: number): Promise<string | undefined> => {
  const [entry] = await store.findEntries(db, { from: number, below: number + 1 }, 1);
  return entry && isTooLong(entry, entry) ? entry.value : undefined;
};

/** Number of times read in each step of the search; a million entries take four steps. */
const TIMES_AT_ONCE = 32;

/** Returns the last number that was assigned at or before a time; -1 if none was. */
export const numberAt = async (db: Db, time: Date): Promise<number> => {
  const at = time.toISOString();
  const head = await store.readHead(db);
  if (!head || head.time <= at) return (head?.next ?? 0) - 1;
  let [low, high] = [-1, head.next]; // the first was assigned at or before that time, the second after it
  while (high - low > 1) {
    const step = Math.ceil((high - low) / TIMES_AT_ONCE);
    const looked = Array.from({ length: Math.ceil((high - low) / step) - 1 }, (_, n) => low + (n + 1) * step);
    const places = await store.findTimes(db, looked);
    const given = places.filter((place) => place.time <= at).map(({ number }) => number);
    [low, high] = [Math.max(low, ...given), Math.min(high, ...looked.filter((number) => !given.includes(number)))];
  }
  return low;
};

/** Returns the public texts, by the keys of their entries. */
export const readTexts = (db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, store.StoredTexts>> =>
  snapshot(db, (tx) => store.findTexts(keys, tx));

/** The random bytes that open the commitments of an entry. */
interface Opening {
  readonly key: string;
  readonly salts: Readonly<Record<string, string>>;
}

/** Returns the random bytes of the public texts, by the keys of their entries and by field. */
export const readOpenings = async (db: Db, keys: readonly string[]): Promise<Opening[]> =>
  [...(await readTexts(db, [...new Set(keys)])).values()].map(({ _id: key, texts }) => ({
    key,
    salts: Object.fromEntries(Object.entries(texts).map(([field, { salt }]) => [field, salt])),
  }));

/** Returns the entries with these numbers, in any order. */
export const findNumbered = (db: Db, numbers: readonly number[]): Promise<store.NumberedEntry[]> =>
  inReadOrder(db, (session) => store.findNumbers(numbers, session));
