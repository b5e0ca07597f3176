/**
 * Characters that must not reach a terminal: control characters, line ends, and marks that change the text direction.
 */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

export type Cell = string | number | boolean | null | undefined;

/** Formats a value on one line. An unknown value is a dash. */
export const plain = (cell: Cell): string => String(cell ?? '–').replace(UNPRINTABLE, ' ');

/** Formats a value as JSON. Escapes unprintable characters, except the line ends of the indentation. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNPRINTABLE, (sign) =>
    sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * Formats rows under their headings. Columns of numbers are right-aligned, and the last column has no trailing spaces.
 */
export const table = (names: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const cells = [names, ...rows.map((row) => row.map(plain))];
  const columns = names.map((_, at) => ({
    width: Math.max(...cells.map((line) => line[at]?.length ?? 0)),
    isNumber: rows.length > 0 && rows.every((row) => typeof (row[at] ?? 0) === 'number'),
  }));
  return cells
    .map((line) => {
      const padded = columns.map(({ width, isNumber }, at) => {
        const cell = line[at] ?? '';
        return isNumber ? cell.padStart(width) : cell.padEnd(width);
      });
      return padded.join('  ').trimEnd();
    })
    .join('\n');
};

/** Returns a title with its table, or nothing if there are no rows. */
export const section = (title: string, names: readonly string[], rows: readonly (readonly Cell[])[]): string[] =>
  rows.length === 0 ? [] : [`\n${title}\n${table(names, rows)}`];
