import { DomainError } from '../../platform/domain-error.ts';
import { dayFormName, dayOf } from './days.rule.ts';
import type { Condition, Place, Source } from './source.rule.ts';

/** A row of any format. */
export interface SourceRow {
  /** Where it stands, such as `line 5`. */
  readonly at: string;
  /** Returns the values of a column, trimmed and without the empty ones. Several only where the format nests. */
  readonly get: (column: string) => readonly string[];
  /** Returns every value of the row. */
  readonly all: () => readonly string[];
}

export const unreadable = (message: string): DomainError => new DomainError('unreadable_file', message);

const valuesAt = (row: SourceRow, place: Exclude<Place, string>): readonly string[] => {
  if (place.all) return place.columns.flatMap((column) => row.get(column));
  for (const column of place.columns) {
    const values = row.get(column);
    if (values.length > 0) return values;
  }
  return [];
};

const PATTERNS = new Map<string, RegExp>();
const patternOf = (text: string): RegExp => {
  const known = PATTERNS.get(text) ?? new RegExp(text, 'iu');
  PATTERNS.set(text, known);
  return known;
};

/** Returns the values at a place. */
export const valuesOf = (row: SourceRow, place: Place | undefined): readonly string[] => {
  if (place === undefined) return [];
  if (typeof place === 'string') return row.get(place);
  const { split, match } = place;
  let values = valuesAt(row, place);
  for (const sign of split) values = values.flatMap((value) => value.split(sign));
  if (match !== undefined) values = values.map((value) => patternOf(match).exec(value)?.[1] ?? '');
  return values.map((value) => value.trim()).filter((value) => value !== '');
};

export const firstOf = (row: SourceRow, place: Place | undefined): string => valuesOf(row, place)[0] ?? '';

const nameOf = (place: Place): string => (typeof place === 'string' ? place : place.columns.join(', '));

/** @throws DomainError unreadable_file if there is none */
export const filledOf = (row: SourceRow, place: Place): string => {
  const value = firstOf(row, place);
  if (value === '') throw unreadable(`${row.at}, column ${nameOf(place)}: is empty`);
  return value;
};

/** @throws DomainError unreadable_file if the text is no day in the form of the source */
export const dayAt = (row: SourceRow, place: Place | undefined, { dates }: Source): string | undefined => {
  const text = firstOf(row, place);
  if (place === undefined || text === '') return undefined;
  const day = dayOf(text, dates);
  if (day === undefined)
    throw unreadable(
      `${row.at}, column ${nameOf(place)}: "${text.slice(0, 40)}" is not a day as ${dayFormName(dates)}`,
    );
  return day;
};

/** Words as they are compared: without case, accents and spaces beside others. */
export const plainWord = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase();

/** Returns true if a row counts. */
export const holds = (row: SourceRow, conditions: readonly Condition[]): boolean =>
  conditions.every(({ column, in: some, notIn: none, filled, contains, lacks }) => {
    const values = row.get(column).map(plainWord);
    const has = (part: string): boolean => values.some((value) => value.includes(plainWord(part)));
    if ((contains && !contains.some(has)) || lacks?.some(has)) return false;
    if (filled !== undefined && filled !== values.length > 0) return false;
    if (some && !some.some((word) => values.includes(plainWord(word)))) return false;
    return !none?.some((word) => values.includes(plainWord(word)));
  });

/** Returns the host of each address, lower case, without `www.`; addresses that are none are left out. */
export const hostsOf = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,;|]+/)).flatMap((text) => hostOf(text) ?? [])),
];

const hostOf = (text: string): string | undefined => {
  const bare = text.trim().replace(/[)\].,]+$/, '');
  if (bare.includes('@') || !/^[^\s/]+\.[^\s]{2,}/.test(bare.replace(/^[a-z]+:\/\//i, ''))) return undefined;
  try {
    const { hostname } = new URL(/^[a-z]+:\/\//i.test(bare) ? bare : `http://${bare}`);
    return /^[a-z0-9.-]+\.[a-z0-9-]{2,}$/.test(hostname) ? hostname.replace(/^www\./, '') : undefined;
  } catch {
    return undefined;
  }
};
