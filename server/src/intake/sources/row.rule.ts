import { DomainError } from '../../platform/domain-error.ts';
import { describeDateForm, parseDay } from './days.rule.ts';
import type { ColumnSelector, RowCondition, SourceMapping } from './source.rule.ts';

/** A row of any format. */
export interface SourceRow {
  /** Place in the file, such as `line 5`. */
  readonly at: string;
  /** Returns the values of a column, trimmed and without empty ones. Only nested formats have several. */
  readonly get: (column: string) => readonly string[];
  /** Returns every value of the row. */
  readonly all: () => readonly string[];
}

export const toUnreadableError = (message: string): DomainError => new DomainError('unreadable_file', message);

const readRawValues = (row: SourceRow, place: Exclude<ColumnSelector, string>): readonly string[] => {
  if (place.all) return place.columns.flatMap((column) => row.get(column));
  for (const column of place.columns) {
    const values = row.get(column);
    if (values.length > 0) return values;
  }
  return [];
};

const PATTERNS = new Map<string, RegExp>();
const compilePattern = (text: string): RegExp => {
  const known = PATTERNS.get(text) ?? new RegExp(text, 'iu');
  PATTERNS.set(text, known);
  return known;
};

/** Returns the values that a selector finds. */
export const readValues = (row: SourceRow, place: ColumnSelector | undefined): readonly string[] => {
  if (place === undefined) return [];
  if (typeof place === 'string') return row.get(place);
  const { split, match } = place;
  let values = readRawValues(row, place);
  for (const sign of split) values = values.flatMap((value) => value.split(sign));
  if (match !== undefined) values = values.map((value) => compilePattern(match).exec(value)?.[1] ?? '');
  return values.map((value) => value.trim()).filter((value) => value !== '');
};

export const readFirst = (row: SourceRow, place: ColumnSelector | undefined): string => readValues(row, place)[0] ?? '';

const formatSelector = (place: ColumnSelector): string =>
  typeof place === 'string' ? place : place.columns.join(', ');

/** @throws DomainError unreadable_file if there is no value */
export const requireValue = (row: SourceRow, place: ColumnSelector): string => {
  const value = readFirst(row, place);
  if (value === '') throw toUnreadableError(`${row.at}, column ${formatSelector(place)}: is empty`);
  return value;
};

/** @throws DomainError unreadable_file if the text is no day in the form of the source */
export const readDay = (
  row: SourceRow,
  place: ColumnSelector | undefined,
  { dates }: SourceMapping,
): string | undefined => {
  const text = readFirst(row, place);
  if (place === undefined || text === '') return undefined;
  const day = parseDay(text, dates);
  if (day === undefined)
    throw toUnreadableError(
      `${row.at}, column ${formatSelector(place)}: "${text.slice(0, 40)}" is not a day as ${describeDateForm(dates)}`,
    );
  return day;
};

/** Returns a text for comparison: without case, accents and surplus spaces. */
export const normaliseWord = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase();

/** Returns whether a row counts. */
export const meetsConditions = (row: SourceRow, conditions: readonly RowCondition[]): boolean =>
  conditions.every(({ column, in: some, notIn: none, filled, contains, lacks }) => {
    const values = row.get(column).map(normaliseWord);
    const has = (part: string): boolean => values.some((value) => value.includes(normaliseWord(part)));
    if ((contains && !contains.some(has)) || lacks?.some(has)) return false;
    if (filled !== undefined && filled !== values.length > 0) return false;
    if (some && !some.some((word) => values.includes(normaliseWord(word)))) return false;
    return !none?.some((word) => values.includes(normaliseWord(word)));
  });

/** Returns the host of each address, lower case, without `www.`; invalid addresses are left out. */
export const parseHosts = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => text.split(/[\s,;|]+/)).flatMap((text) => parseHost(text) ?? [])),
];

const parseHost = (text: string): string | undefined => {
  const bare = text.trim().replace(/[)\].,]+$/, '');
  if (bare.includes('@') || !/^[^\s/]+\.[^\s]{2,}/.test(bare.replace(/^[a-z]+:\/\//i, ''))) return undefined;
  try {
    const { hostname } = new URL(/^[a-z]+:\/\//i.test(bare) ? bare : `http://${bare}`);
    return /^[a-z0-9.-]+\.[a-z0-9-]{2,}$/.test(hostname) ? hostname.replace(/^www\./, '') : undefined;
  } catch {
    return undefined;
  }
};
