import { parseEntryKey } from '@broker-transparency/contract/record';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, type Tx, transaction } from '../../platform/mongo.ts';
import { makeChange } from './append.ts';
import {
  deriveSubject,
  type EntryContent,
  entryText,
  findChangePlaces,
  groupChanges,
  parseEntry,
  type RecordPlace,
} from './entry.rule.ts';
import { hashText } from './read.ts';
import * as store from './store.ts';

/** An entry that has its number and is no longer stored. */
export interface LostEntry {
  /** Its canonical JSON. */
  readonly text: string;
  /** Canonical JSON of its value, if the entry has only the hash of it. */
  readonly value?: string | undefined;
}

/** An entry with its place in the record. */
type PlacedEntry = EntryContent & RecordPlace;

/**
 * Returns lost entries with their places.
 * @throws DomainError invalid_input if an entry is damaged, its value is missing, or the last change is incomplete
 */
const parseLost = (lost: readonly LostEntry[]): PlacedEntry[] => {
  const parsed = lost.map(({ text, value }) => parseEntry(text, value));
  const places = findChangePlaces(parsed.map(({ isLast }) => isLast));
  if (!places)
    throw new DomainError('invalid_input', `The entries end at ${parsed.at(-1)?.number}, in the middle of a change.`);
  return parsed.map(({ isLast: _, ...rest }, at) => {
    const entry = { ...rest, ...(places[at] as (typeof places)[number]) };
    const text = lost[at]?.text;
    if (entryText(entry, entry, hashText) === text) return entry;
    throw new DomainError('invalid_input', `Entry ${entry.number} is damaged, or its value is missing: ${text}`);
  });
};

/** Returns entries in their stored form: each continues the earlier entries of its key. */
const toStored = async (entries: readonly PlacedEntry[], tx: Tx): Promise<store.NumberedEntry[]> => {
  const keys = [...new Set(entries.map(({ key }) => key))];
  const last = new Map<string, Pick<store.StoredEntry, 'sequence' | 'subject'>>(await store.findLast(keys, tx));
  const continued = entries.map((entry) => {
    const before = last.get(entry.key);
    const place = { sequence: (before?.sequence ?? -1) + 1, subject: deriveSubject(entry, before?.subject) };
    last.set(entry.key, place);
    return { ...entry, ...place };
  });
  return groupChanges(continued).flatMap(makeChange);
};

/** Deletes the data beside deleted entries: texts of keys without another entry, and scores of days. */
const forgetBeside = async (cut: readonly string[], tx: Tx): Promise<void> => {
  if (cut.length === 0) return;
  const last = await store.findLast(cut, tx);
  await store.writeTexts({ fresh: [], changed: [], gone: cut.filter((key) => !last.has(key)) }, tx);
  await store.deleteDays(
    cut.map(parseEntryKey).flatMap(([kind, date]) => (kind === 'day' && date !== undefined ? [date] : [])),
    tx,
  );
};

/**
 * Stores entries again that a restore took back, with their former numbers. Entries without a number are deleted: their
 * values are compared with the published ones afterwards.
 * @param lost complete changes
 * @throws DomainError state_conflict if the first one does not follow the last stored entry
 */
export const restoreEntries = (db: Db, lost: readonly LostEntry[]): Promise<void> =>
  transaction(db, async (tx) => {
    const entries = parseLost(lost);
    const [first, last] = [entries[0], entries.at(-1)];
    if (!first || !last) return;
    const head = await store.readNumbering(tx);
    if ((head?.next ?? 0) !== first.number)
      throw new DomainError(
        'state_conflict',
        `The record goes on at ${head?.next ?? 0}, not at ${first.number}: somebody else writes to it. End servers and other commands first.`,
      );
    const cut = await store.deleteBeyond(first.number, tx);
    await store.insertEntries(await toStored(entries, tx), tx);
    await forgetBeside(cut, tx);
    await store.moveEnd(head, { next: last.number + 1, time: last.time }, tx);
  });
