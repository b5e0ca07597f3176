/** What must not reach a terminal from answers: controls, line ends, marks that turn the reading direction. */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

export type Cell = string | number | boolean | null | undefined;

/** A value on one line; what is unknown is a dash. */
export const plain = (cell: Cell): string => String(cell ?? '–').replace(UNPRINTABLE, ' ');

/** JSON of the same value that shows in a terminal as what it is. Line ends are those of the indentation. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(UNPRINTABLE, (sign) =>
    sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Rows below their names. Columns of numbers stand right, and the last one is not filled up. */
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

/** A title with its table; nothing where there is nothing in it. */
export const section = (title: string, names: readonly string[], rows: readonly (readonly Cell[])[]): string[] =>
  rows.length === 0 ? [] : [`\n${title}\n${table(names, rows)}`];
