import { terminal } from '../../platform/terminal.ts';
import { UNPRINTABLE } from '../../platform/unprintable.rule.ts';
import { formatTable } from './table.ts';

export type OutputCell = string | number | boolean | null | undefined;

/** A column of a list: a field under its own name, or a title with the field or the text that it shows. */
export type OutputColumn<T> =
  | (keyof T & string)
  | readonly [title: string, cell: (keyof T & string) | ((row: T) => OutputCell)];

export const print = (line: string): void => {
  terminal().write(`${line}\n`);
};

export const formatCell = (cell: OutputCell): string => String(cell ?? '–').replace(UNPRINTABLE, ' ');

/** Escapes one character for JSON. Line feeds stay: JSON has them only as indentation, never inside a string. */
const escapeSign = (sign: string): string =>
  sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns JSON that parses to the same value and is safe to print in a terminal. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, escapeSign);

/** Prints one JSON document, in the form of every `--json`. */
export const printJson = (value: unknown): void => print(toJson(value, 2));

/** Prints a line on standard error. */
export const printError = (line: string): void => {
  terminal().writeError(`${formatCell(line)}\n`);
};

const toCell = (value: unknown): OutputCell => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as OutputCell);
};

const getTitle = <T>(column: OutputColumn<T>): string => (typeof column === 'string' ? column : column[0]);

const getCell = <T>(row: T, column: OutputColumn<T>): OutputCell => {
  const cell = typeof column === 'string' ? column : column[1];
  return typeof cell === 'function' ? cell(row) : toCell(row[cell]);
};

/**
 * Prints rows as a table that fits the terminal. With `json`, prints the rows unchanged as one JSON array.
 */
export const printRows = <T extends object>(
  rows: readonly T[],
  columns: readonly OutputColumn<T>[],
  json: boolean,
): void => {
  if (json) {
    printJson(rows);
    return;
  }
  const lines = rows.map((row) => columns.map((column) => formatCell(getCell(row, column))));
  print(formatTable(columns.map(getTitle), lines, terminal().columns));
};

/** Prints rows under a title; without rows, nothing. */
export const printSection = <T extends object>(
  title: string,
  rows: readonly T[],
  columns: readonly OutputColumn<T>[],
): void => {
  if (rows.length === 0) return;
  print(`\n${title}`);
  printRows(rows, columns, false);
};

/** Returns the first rows of a list that was read with one row more than it shows, and whether there are more. */
export const truncateRows = <T>(rows: readonly T[], limit: number): { rows: readonly T[]; total: number | 'more' } => ({
  rows: rows.slice(0, limit),
  total: rows.length > limit ? 'more' : rows.length,
});

/**
 * Says what a list leaves out. Beside JSON it goes to standard error, so that the list stays one.
 * @param total how many there are, or `more` where only that is known
 */
export const printTruncation = (count: number, total: number | 'more', json: boolean): void => {
  if (total !== 'more' && total <= count) return;
  const line =
    total === 'more'
      ? `${count} shown, and there are more: --limit shows them.`
      : `${count} of ${total} shown: --limit ${total} shows all.`;
  if (json) printError(line);
  else print(line);
};

/**
 * Returns the changes that a table shows: without whom the API names as a source, which follows from the others, and
 * without the order of lists, unless nothing else changes.
 */
export const omitDerived = <T extends { readonly field: string }>(changes: readonly T[]): T[] => {
  const own = changes.filter(({ field }) => !/^(order\.provenance$|provenance\.\S+ by )/.test(field));
  const fields = own.filter(({ field }) => !field.startsWith('order.'));
  return fields.length > 0 ? fields : own;
};

/** Formats a list of codes with their meanings, as an appendix to the help of a command. */
export const formatCodes = (title: string, codes: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(codes).map((code) => code.length)) + 2;
  const lines = Object.entries(codes).map(([code, what]) => `  ${code.padEnd(width)}${what}`);
  return `\n${title}:\n${lines.join('\n')}`;
};

/**
 * Prints one record with one line per field, in full, or, with `json`, as one JSON object. Omits null and undefined
 * fields from the lines.
 */
export const printRecord = (record: object, json: boolean): void => {
  if (json) {
    printJson(record);
    return;
  }
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  const lines = fields.map(([field, value]) => [field, formatCell(toCell(value))]);
  print(formatTable(['field', 'value'], lines, undefined));
};

interface Rows {
  readonly rows: readonly object[];
  readonly total: number | 'more';
}

/**
 * Prints the result of a command: a sentence, a record, or rows under columns. A list that was cut short says so.
 */
export const printResult = (
  result: unknown,
  columns: readonly OutputColumn<never>[] | undefined,
  json: boolean,
): void => {
  if (typeof result === 'string') print(result);
  else if (columns === undefined) printRecord(result as object, json);
  else {
    const { rows, total } = Array.isArray(result) ? { rows: result, total: result.length } : (result as Rows);
    printRows(rows, columns as readonly OutputColumn<object>[], json);
    printTruncation(rows.length, total, json);
  }
};
