import Table from 'cli-table3';

export type Cell = string | number | boolean | null | undefined;

const plain = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** What must not reach a terminal from stored text: controls, line and paragraph ends, marks that turn the reading direction. */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

export const shown = (cell: Cell): string => String(cell ?? '–').replace(UNPRINTABLE, ' ');

/** Of JSON, every one within a text; line ends are those of the indentation. */
const escaped = (sign: string): string =>
  sign === '\n' ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON of the same value, safe to be shown in a terminal. */
export const toJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(UNPRINTABLE, escaped);

export const printJson = (value: unknown, indent?: number): void => print(toJson(value, indent));

/** A line on standard error. */
export const printError = (line: string): void => {
  process.stderr.write(`${shown(line)}\n`);
};

/** A row as a field and its value a line, for a terminal that a table does not fit into. */
const asBlock = (names: readonly string[], cells: readonly string[]): string => {
  const width = Math.max(...names.map((name) => name.length));
  return names.map((name, at) => `${name.padEnd(width)}  ${cells[at]}`).join('\n');
};

/** Prints rows as a table, where a terminal is too narrow as blocks, or, with `json`, as one JSON array of the rows as they are. */
export const printRows = <T extends object>(
  rows: readonly T[],
  columns: Record<string, (row: T) => Cell>,
  json: boolean,
): void => {
  if (json) {
    printJson(rows, 2);
    return;
  }
  const names = Object.keys(columns);
  const lines = rows.map((row) => Object.values(columns).map((cell) => shown(cell(row))));
  const table = new Table({
    head: names,
    chars: plain,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...lines);
  const text = table.toString().replace(/ +$/gm, '');
  const widest = Math.max(...text.split('\n').map((line) => line.length));
  const fits = !process.stdout.isTTY || widest <= process.stdout.columns || names.length < 3;
  print(fits ? text : lines.map((cells) => asBlock(names, cells)).join('\n\n'));
};

/** A list of codes and what they mean, to be put after the help of a command. */
export const codesHelp = (title: string, codes: Readonly<Record<string, string>>): string => {
  const width = Math.max(...Object.keys(codes).map((code) => code.length)) + 2;
  const lines = Object.entries(codes).map(([code, what]) => `  ${code.padEnd(width)}${what}`);
  return `\n${title}:\n${lines.join('\n')}`;
};

const asCell = (value: unknown): Cell => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
};

/** Prints one record as a field and its value a line, or, with `json`, as one JSON object. What is absent is left out. */
export const printRecord = (record: object, json: boolean): void => {
  if (json) {
    printJson(record, 2);
    return;
  }
  const fields = Object.entries(record).filter(([, value]) => value !== undefined && value !== null);
  printRows(
    fields.map(([field, value]) => ({ field, value })),
    { field: (row) => row.field, value: (row) => asCell(row.value) },
    false,
  );
};
