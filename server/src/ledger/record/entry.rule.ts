import {
  type EntryCause,
  type EntryKind,
  type EntryValues,
  entryKey,
  parseEntryKey,
} from '@broker-transparency/contract/record';
import { canonicalJson, MOST_ENTRY } from '@broker-transparency/log';

/** An entry before it is written. Its value has no texts: commitments to them are added. */
export type EntryDraft<K extends EntryKind = EntryKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly key: string;
    /** Subject that groups entries: `broker/<broker>`, `regulator/<code>`, or the key itself. */
    readonly subject: string;
    /** The published value without `texts`; null if nothing is published any more. Fields beyond the type are kept. */
    readonly value: (Omit<EntryValues[Kind], 'texts'> & Readonly<Record<string, unknown>>) | null;
    /** Texts written by people, by field. Absent for kinds without texts. */
    readonly texts?: Readonly<Record<string, string>>;
    /** Random bytes in base64 for texts whose writer has seen their commitments already, by field. */
    readonly salts?: Readonly<Record<string, string>>;
    /** Absent for a review, which holds from its own time on: sums of reviews depend on that. */
    readonly validFrom?: Kind extends 'review' ? never : string;
    readonly validTo?: Kind extends 'review' ? never : string;
  };
}[K];

/** An entry before it is written, with its cause. */
export type CausedDraft = EntryDraft & {
  readonly cause: EntryCause;
  /** True for entries of imports and of the start, which get their numbers after all others. */
  readonly isBulk?: boolean;
};

/** The place of an entry in its change. One transaction writes the entries of a change. */
export interface ChangePlace {
  /** Index of the entry in its change, from 0. */
  readonly changeIndex: number;
  /** Number of entries in the change. */
  readonly changeSize: number;
}

/** Returns the first number of the change that an entry belongs to. */
export const findChangeStart = ({ number, changeIndex }: EntryNumber & ChangePlace): number => number - changeIndex;

/** Returns the first number after the change that an entry belongs to. */
export const findChangeEnd = (entry: EntryNumber & ChangePlace): number => findChangeStart(entry) + entry.changeSize;

/** Groups numbered entries by change, in the order of the numbers. */
export const groupChanges = <T extends EntryNumber & ChangePlace>(entries: readonly T[]): T[][] => [
  ...Map.groupBy(
    entries.toSorted((a, b) => a.number - b.number),
    findChangeStart,
  ).values(),
];

const isLastOfChange = ({ changeIndex, changeSize }: ChangePlace): boolean => changeIndex === changeSize - 1;

/**
 * Returns for each entry of a part of the record its place in its change; undefined if the last change is incomplete.
 * @param lasts true for each entry that is the last one of its change
 */
export const findChangePlaces = (lasts: readonly boolean[]): ChangePlace[] | undefined => {
  let first = 0;
  const places = lasts.flatMap((isLast, at) => {
    if (!isLast) return [];
    const changeSize = at + 1 - first;
    first = at + 1;
    return Array.from({ length: changeSize }, (_, changeIndex) => ({ changeIndex, changeSize }));
  });
  return first === lasts.length ? places : undefined;
};

/** The part of an entry that does not depend on its place in the record. */
export interface EntryContent {
  readonly key: string;
  readonly kind: EntryKind;
  readonly cause: EntryCause;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Canonical JSON. */
  readonly value: string;
}

/** The number of an entry. */
interface EntryNumber {
  readonly number: number;
}

/** The place of an entry in the record. */
export interface RecordPlace extends EntryNumber, ChangePlace {
  /** RFC 3339 in UTC with milliseconds. */
  readonly time: string;
}

/**
 * Returns whether an entry can follow another one, or be the first one. Its time must not be earlier. It must continue
 * the change of the other entry, or begin a change after a complete one.
 */
export const canFollow = (entry: RecordPlace, before: RecordPlace | undefined): boolean => {
  if (!before || isLastOfChange(before)) return entry.changeIndex === 0 && entry.time >= (before?.time ?? '');
  const { changeIndex, changeSize, time } = before;
  return entry.changeIndex === changeIndex + 1 && entry.changeSize === changeSize && entry.time === time;
};

const formatField = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`];

const formatEntry = (
  { key, kind, cause, validFrom, validTo }: EntryContent,
  place: RecordPlace,
  value: string,
): string =>
  `{${[
    ...formatField('cause', cause),
    ...formatField('key', key),
    ...formatField('kind', kind),
    ...(isLastOfChange(place) ? ['"last":true'] : []),
    `"number":${place.number}`,
    ...formatField('time', place.time),
    ...formatField('validFrom', validFrom),
    ...formatField('validTo', validTo),
    value,
  ].join(',')}}`;

const formatWholeEntry = (entry: EntryContent, place: RecordPlace): string =>
  formatEntry(entry, place, `"value":${entry.value}`);

const isLong = (text: string): boolean => Buffer.byteLength(text) > MOST_ENTRY;

/** Returns whether an entry contains the hash of its value in place of the value. */
export const isTooLong = (entry: EntryContent, place: RecordPlace): boolean => isLong(formatWholeEntry(entry, place));

/**
 * Returns the canonical JSON of an entry. If that is too long, it contains the hash of the value in place of the value.
 * @param hashText returns the SHA-256 of a text in base64
 */
export const entryText = (entry: EntryContent, place: RecordPlace, hashText: (text: string) => string): string => {
  const whole = formatWholeEntry(entry, place);
  return isLong(whole) ? formatEntry(entry, place, `"valueHash":"${hashText(entry.value)}"`) : whole;
};

/** An entry parsed from its canonical JSON. */
type ParsedEntry = EntryContent & Pick<RecordPlace, 'number' | 'time'> & { readonly isLast: boolean };

/**
 * Parses the canonical JSON of an entry.
 * @param kept canonical JSON of its value, if the entry may have only the hash
 */
export const parseEntry = (text: string, kept?: string): ParsedEntry => {
  const { value, valueHash, last, ...entry } = JSON.parse(text);
  return { ...entry, value: valueHash === undefined ? canonicalJson(value) : (kept ?? 'null'), isLast: last === true };
};

/** Returns the part of a key or subject after its kind, which identifies the facts. */
export const nameIn = (key: string): string => parseEntryKey(key)[1] as string;

/**
 * Returns the subject of an entry, from its value.
 * @param before subject of the key's entry before it; undefined for the first one
 */
export const deriveSubject = (
  { key, value }: Pick<EntryContent, 'key' | 'value'>,
  before: string | undefined,
): string => {
  const { broker } = (JSON.parse(value) ?? {}) as { readonly broker?: string };
  if (broker !== undefined) return entryKey('broker', broker);
  return value === 'null' ? (before ?? key) : key;
};

/** Returns the canonical JSON of the value of a draft, with commitments to its texts. */
export const valueText = ({ value, texts }: EntryDraft, commitments: Readonly<Record<string, string>>): string =>
  canonicalJson(value !== null && texts && Object.keys(texts).length > 0 ? { ...value, texts: commitments } : value);

/** An entry without a number. */
interface SequencedEntry {
  readonly key: string;
  /** Index among the entries of its key. */
  readonly sequence: number;
}

const toSequenceKey = ({ key, sequence }: Pick<SequencedEntry, 'key' | 'sequence'>): string => `${sequence} ${key}`;

/**
 * Returns the changes in the given order, except that each comes after earlier changes of the same keys. There are no
 * cycles: a transaction sees another one whole, or not at all.
 */
export const orderChanges = <T extends SequencedEntry>(changes: readonly T[][]): T[][] => {
  const byEntry = new Map(changes.flatMap((change) => change.map((entry) => [toSequenceKey(entry), change] as const)));
  const ordered = new Set<T[]>();
  for (const change of changes) {
    const waiting = [change];
    for (let next = waiting.at(-1); next; next = waiting.at(-1)) {
      const former = next
        .map(({ key, sequence }) => byEntry.get(toSequenceKey({ key, sequence: sequence - 1 })))
        .filter((one) => one !== undefined && !ordered.has(one));
      if (former.length > 0) for (const one of former) waiting.push(one as T[]);
      else ordered.add(waiting.pop() as T[]);
    }
  }
  return [...ordered];
};
