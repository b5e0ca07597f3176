import type { EntryKind } from '@broker-transparency/contract/record';
import type { Tx } from '../../platform/mongo.ts';
import { computeCommitments } from './append.ts';
import { entryText } from './entry.rule.ts';
import { createMissingError, hashText } from './read.ts';
import * as store from './store.ts';

/** The current value of a key. */
export interface KeyText {
  readonly key: string;
  /** The canonical JSON of its last entry. */
  readonly text: string;
  /** True if nothing is published any more. */
  readonly isGone: boolean;
}

const toKeyText = (entry: store.NumberedEntry): KeyText => ({
  key: entry.key,
  text: entryText(entry, entry, hashText),
  isGone: entry.value === 'null',
});

/** Walks through the last entry below a number of each key of a kind, by key. */
export async function* walkLatest(kind: EntryKind, below: number, session: Tx): AsyncIterable<KeyText> {
  let before: string | undefined;
  for await (const entry of store.walkByKey(kind, below, session)) {
    if (entry.key !== before) yield toKeyText(entry);
    before = entry.key;
  }
}

/** Numbers of the last entries of keys. */
export type LastNumbers = ReadonlyMap<string, number>;

/** Returns the keys with entries from one number up to another; undefined if there are more than `most`. */
export const findChangedKeys = async (
  from: number,
  below: number,
  most: number,
  session: Tx,
): Promise<LastNumbers | undefined> => {
  const keys = new Map<string, number>();
  for await (const { key, number } of store.walkKeyNumbers({ from, below }, session)) {
    keys.set(key, number);
    if (keys.size > most) return undefined;
  }
  return keys;
};

/** Entries that are read at once. */
const AT_ONCE = 200;

/** Walks through entries in the order of these numbers. */
export async function* walkEntriesAt(numbers: readonly number[], session: Tx): AsyncIterable<KeyText> {
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const some = numbers.slice(at, at + AT_ONCE);
    const found = new Map((await store.findNumbers(some, session)).map((entry) => [entry.number, entry]));
    for (const number of some) {
      const entry = found.get(number);
      if (!entry) throw createMissingError(number);
      yield toKeyText(entry);
    }
  }
}

/** Returns the value of an entry, as its canonical JSON, and its time. */
export const readEntryAt = async (number: number, session: Tx): Promise<{ value: string; time: string }> => {
  const [entry] = await store.findNumbers([number], session);
  if (!entry) throw createMissingError(number);
  return entry;
};

/** Public texts of a key, by field. */
export type PublicTexts = store.StoredTexts['texts'];

/** Returns the public texts of these keys. */
export const readCurrentTexts = async (
  keys: readonly string[],
  session: Tx,
): Promise<ReadonlyMap<string, PublicTexts>> =>
  new Map([...(await store.findTexts(keys, session))].map(([key, { texts }]) => [key, texts]));

/** Returns the commitments of an entry, by field. */
export const readCommitments = ({ value }: Pick<store.NumberedEntry, 'value'>): Readonly<Record<string, string>> =>
  (JSON.parse(value) as { readonly texts?: Readonly<Record<string, string>> } | null)?.texts ?? {};

/** Returns the texts to which an entry has commitments. */
export const selectCommittedTexts = (
  texts: PublicTexts,
  commitments: Readonly<Record<string, string>>,
): PublicTexts => {
  const own = computeCommitments(texts);
  return Object.fromEntries(
    Object.entries(texts).filter(([field]) => own[field] === commitments[field] && own[field] !== undefined),
  );
};
