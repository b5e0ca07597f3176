import { describeDateForm, parseDay } from './day.rule.ts';
import type { ColumnSelector, RowCondition, TableMapping } from './mapping.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';

/** A row of any format. */
export interface Row {
  /** Place in the file, such as `line 5`. */
  readonly at: string;
  /** Returns the values of a column, trimmed and without empty ones. Only nested formats have several. */
  readonly get: (column: string) => readonly string[];
  /** Returns every value of the row. */
  readonly all: () => readonly string[];
}

const readRawValues = (row: Row, place: Exclude<ColumnSelector, string>): readonly string[] => {
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
export const readValues = (row: Row, place: ColumnSelector | undefined): readonly string[] => {
  if (place === undefined) return [];
  if (typeof place === 'string') return row.get(place);
  const { split, match } = place;
  let values = readRawValues(row, place);
  for (const sign of split) values = values.flatMap((value) => value.split(sign));
  if (match !== undefined) values = values.map((value) => compilePattern(match).exec(value)?.[1] ?? '');
  return values.map((value) => value.trim()).filter((value) => value !== '');
};

export const readFirst = (row: Row, place: ColumnSelector | undefined): string => readValues(row, place)[0] ?? '';

const formatSelector = (place: ColumnSelector): string =>
  typeof place === 'string' ? place : place.columns.join(', ');

/** @throws UnreadableFileError if there is no value */
export const requireValue = (row: Row, place: ColumnSelector): string => {
  const value = readFirst(row, place);
  if (value === '') throw new UnreadableFileError(`${row.at}, column ${formatSelector(place)}: is empty`);
  return value;
};

/** @throws UnreadableFileError if the text is no day in the form of the mapping */
export const readDay = (
  row: Row,
  place: ColumnSelector | undefined,
  { dates }: Pick<TableMapping, 'dates'>,
): string | undefined => {
  const text = readFirst(row, place);
  if (place === undefined || text === '') return undefined;
  const day = parseDay(text, dates);
  if (day === undefined)
    throw new UnreadableFileError(
      `${row.at}, column ${formatSelector(place)}: "${text.slice(0, 40)}" is not a day as ${describeDateForm(dates)}`,
    );
  return day;
};

/** Returns a text for comparison: without case, accents and surplus spaces. */
export const normaliseWord = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/g, ' ').trim().toUpperCase();

/** Returns whether a row counts. */
export const meetsConditions = (row: Row, conditions: readonly RowCondition[]): boolean =>
  conditions.every(({ column, in: some, notIn: none, filled, contains, lacks }) => {
    const values = row.get(column).map(normaliseWord);
    const has = (part: string): boolean => values.some((value) => value.includes(normaliseWord(part)));
    if ((contains && !contains.some(has)) || lacks?.some(has)) return false;
    if (filled !== undefined && filled !== values.length > 0) return false;
    if (some && !some.some((word) => values.includes(normaliseWord(word)))) return false;
    return !none?.some((word) => values.includes(normaliseWord(word)));
  });
