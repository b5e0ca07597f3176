import { canonicalJson, MOST_ENTRY } from '@broker-transparency/contract/log';
import {
  type EntryCause,
  type EntryKind,
  type EntryValues,
  entryKey,
  parseEntryKey,
} from '@broker-transparency/contract/record';

/** An entry that is to be written. Its value has no texts: commitments to them are added. */
export type EntryDraft<K extends EntryKind = EntryKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    readonly key: string;
    /** What entries are found together: `broker/<broker>`, `regulator/<code>`, or the key itself. */
    readonly subject: string;
    /** What is published, without `texts`; null: nothing any more. Fields beyond those of the type are kept. */
    readonly value: (Omit<EntryValues[Kind], 'texts'> & Readonly<Record<string, unknown>>) | null;
    /** The texts that people wrote, by field. Absent for kinds without any. */
    readonly texts?: Readonly<Record<string, string>>;
    /** A review holds from its own time on: sums of reviews depend on it. */
    readonly validFrom?: Kind extends 'review' ? never : string;
    readonly validTo?: Kind extends 'review' ? never : string;
  };
}[K];

/** An entry that is to be written, and why. */
export type CausedDraft = EntryDraft & {
  readonly cause: EntryCause;
  /** Set for entries of imports and of the start, which get their numbers after all others. */
  readonly isBulk?: boolean;
};

/** The place of an entry in its change. One transaction writes the entries of a change. */
export interface ChangePlace {
  /** Its place among them: 0, 1, 2 …. */
  readonly changeIndex: number;
  /** How many entries the change has. */
  readonly changeSize: number;
}

/** Returns the first number of the change that an entry belongs to. */
export const findChangeStart = ({ number, changeIndex }: EntryNumber & ChangePlace): number => number - changeIndex;

/** Returns the first number after the change that an entry belongs to. */
export const findChangeEnd = (entry: EntryNumber & ChangePlace): number => findChangeStart(entry) + entry.changeSize;

/** Puts numbered entries together by change, in the order of the numbers. */
export const groupChanges = <T extends EntryNumber & ChangePlace>(entries: readonly T[]): T[][] => [
  ...Map.groupBy(
    entries.toSorted((a, b) => a.number - b.number),
    findChangeStart,
  ).values(),
];

const isLastOfChange = ({ changeIndex, changeSize }: ChangePlace): boolean => changeIndex === changeSize - 1;

/**
 * Returns the place in its change of each entry of a part of the record; undefined if the last change is not whole.
 * @param lasts whether each entry is the last one of its change
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

/** The part of an entry that its place in the record does not change. */
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
 * Returns whether an entry can come after another one, or be the first one: its time is not earlier, and it goes on with the
 * change of that entry, or begins one after the whole of it.
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

/** Returns whether an entry has the hash of its value in place of the value. */
export const isTooLong = (entry: EntryContent, place: RecordPlace): boolean => isLong(formatWholeEntry(entry, place));

/**
 * Returns the canonical JSON of an entry. If it would be too long, it has the hash of the value in place of it.
 * @param hashOf returns the SHA-256 of a text in base64
 */
export const entryText = (entry: EntryContent, place: RecordPlace, hashOf: (text: string) => string): string => {
  const whole = formatWholeEntry(entry, place);
  return isLong(whole) ? formatEntry(entry, place, `"valueHash":"${hashOf(entry.value)}"`) : whole;
};

/** An entry as its canonical JSON has it. */
type ParsedEntry = EntryContent & Pick<RecordPlace, 'number' | 'time'> & { readonly isLast: boolean };

/**
 * Parses the canonical JSON of an entry.
 * @param kept the canonical JSON of its value, if the entry may have only its hash
 */
export const parseEntry = (text: string, kept?: string): ParsedEntry => {
  const { value, valueHash, last, ...entry } = JSON.parse(text);
  return { ...entry, value: valueHash === undefined ? canonicalJson(value) : (kept ?? 'null'), isLast: last === true };
};

/** Returns the part of a key or subject after its kind, by which facts are found. */
export const nameIn = (key: string): string => parseEntryKey(key)[1] as string;

/**
 * Returns what an entry is found under, by what it says.
 * @param before what the entry of its key before it is found under; undefined for the first one
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
  /** Its place among the entries of its key. */
  readonly sequence: number;
}

const toSequenceKey = ({ key, sequence }: Pick<SequencedEntry, 'key' | 'sequence'>): string => `${sequence} ${key}`;

/**
 * Returns changes as given, except that each comes after those that wrote to one of its keys before it.
 * No two changes wait for each other: a transaction sees another one whole, or not at all.
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
