import { canonicalJson, MOST_ENTRY } from '@broker-transparency/contract/log';
import {
  type EntryCause,
  type EntryKind,
  type EntryValues,
  entryKey,
  partsOfKey,
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

/** The part of an entry that its number does not change. */
export interface Unnumbered {
  readonly key: string;
  readonly kind: EntryKind;
  readonly cause: EntryCause;
  readonly validFrom?: string;
  readonly validTo?: string;
  /** Canonical JSON. */
  readonly value: string;
}

/** The place of an entry in the record. */
export interface Numbered {
  readonly number: number;
  /** RFC 3339 in UTC with milliseconds. */
  readonly time: string;
}

const field = (name: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`];

const textWith = (
  { key, kind, cause, validFrom, validTo }: Unnumbered,
  { number, time }: Numbered,
  value: string,
): string =>
  `{${[
    ...field('cause', cause),
    ...field('key', key),
    ...field('kind', kind),
    `"number":${number}`,
    ...field('time', time),
    ...field('validFrom', validFrom),
    ...field('validTo', validTo),
    value,
  ].join(',')}}`;

const wholeText = (entry: Unnumbered, place: Numbered): string => textWith(entry, place, `"value":${entry.value}`);

const isLong = (text: string): boolean => Buffer.byteLength(text) > MOST_ENTRY;

/** Returns whether an entry has the hash of its value in place of the value. */
export const isTooLong = (entry: Unnumbered, place: Numbered): boolean => isLong(wholeText(entry, place));

/**
 * Returns the canonical JSON of an entry. If it would be too long, it has the hash of the value in place of it.
 * @param hashOf returns the SHA-256 of a text in base64
 */
export const entryText = (entry: Unnumbered, place: Numbered, hashOf: (text: string) => string): string => {
  const whole = wholeText(entry, place);
  return isLong(whole) ? textWith(entry, place, `"valueHash":"${hashOf(entry.value)}"`) : whole;
};

/**
 * Parses the canonical JSON of an entry.
 * @param kept the canonical JSON of its value, if the entry may have only its hash
 */
export const parseEntry = (text: string, kept?: string): Unnumbered & Numbered => {
  const { value, valueHash, ...entry } = JSON.parse(text);
  return { ...entry, value: valueHash === undefined ? canonicalJson(value) : (kept ?? 'null') };
};

/** Returns the part of a key or subject after its kind, by which facts are found. */
export const nameIn = (key: string): string => partsOfKey(key)[1] as string;

/**
 * Returns what an entry is found under, by what it says.
 * @param before what the entry of its key before it is found under; undefined for the first one
 */
export const subjectOf = ({ key, value }: Pick<Unnumbered, 'key' | 'value'>, before: string | undefined): string => {
  const { broker } = (JSON.parse(value) ?? {}) as { readonly broker?: string };
  if (broker !== undefined) return entryKey('broker', broker);
  return value === 'null' ? (before ?? key) : key;
};

/** Returns the canonical JSON of the value of a draft, with commitments to its texts. */
export const valueText = ({ value, texts }: EntryDraft, commitments: Readonly<Record<string, string>>): string =>
  canonicalJson(value !== null && texts && Object.keys(texts).length > 0 ? { ...value, texts: commitments } : value);

/** An entry without a number. */
interface Waiting {
  readonly key: string;
  /** Its place among the entries of its key. */
  readonly sequence: number;
}

/**
 * Returns entries as given, except that those of one key stand in the order in which they were written: they take each
 * other's places.
 */
export const inKeyOrder = <T extends Waiting>(entries: readonly T[]): T[] => {
  const byKey = Map.groupBy(entries, ({ key }) => key);
  const next = new Map([...byKey].map(([key, own]) => [key, own.toSorted((a, b) => a.sequence - b.sequence)]));
  return entries.map(({ key }) => next.get(key)?.shift() as T);
};
