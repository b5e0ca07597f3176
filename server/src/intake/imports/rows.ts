import { isUtf8 } from 'node:buffer';
import { type Cell, cellText, type Forms, type SheetRow } from '../../operate/sheets/cell.rule.ts';
import { MAX_ROW } from '../../operate/sheets/csv.ts';
import { fileChunks } from '../../operate/sheets/file-chunks.ts';
import { readSheet, type SheetFormat, type SheetOptions } from '../../operate/sheets/read.ts';
import { unreadable } from '../../operate/sheets/unreadable.ts';
import { type CellFault, columnReader } from './columns.ts';

/** A row as it is in the file: its text, or its cells and the header. */
type Source = string | { readonly header: readonly string[]; readonly cells: readonly Cell[] };

/** A row of a file: its value, with the faults of its cells, or the reason why it cannot be read. Lines count from 1. */
export type Row = { readonly line: number; readonly source: Source } & (
  | { readonly value: unknown; readonly faults?: readonly CellFault[]; readonly error?: undefined }
  | { readonly error: string }
);

/** How a file is written, where that is not certain. */
export type Manner = Pick<SheetOptions, 'encoding' | 'sheet'> & Forms;

interface FileOptions extends Omit<SheetOptions, 'onChunk'>, Forms {
  /** JSON Schema of a row, from which the type of a cell follows. */
  readonly schema: unknown;
  readonly onChunk: (chunk: Buffer) => void;
}

/** Whether the value of a row is an object, as every kind of record is. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out what `--bad-rows` noted beside the fields of a row. */
const withoutNotes = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('#'))) : value;

const parseJson = (line: number, bytes: Buffer): Row => {
  const source = bytes.toString();
  if (!isUtf8(bytes)) return { line, source, error: 'is not UTF-8: save the file as UTF-8' };
  try {
    return { line, source, value: withoutNotes(JSON.parse(source)) };
  } catch (error) {
    const column = /position (\d+)/.exec((error as Error).message)?.[1];
    return { line, source, error: `is not JSON${column === undefined ? '' : ` from column ${Number(column) + 1} on`}` };
  }
};

/** Yields the lines of a file with their numbers. @throws DomainError unreadable_file if one is too long */
export const splitLines = async function* (file: string, onChunk: (chunk: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of fileChunks(file, onChunk)) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield { line: ++line, bytes: bytes.subarray(0, end) };
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > MAX_ROW)
      throw unreadable(`line ${line + 1} is longer than 1 MB: is it NDJSON, one object per line?`);
    rest = bytes;
  }
  if (rest.length > 0) yield { line: ++line, bytes: rest };
};

const readNdjson = async function* (file: string, { onChunk }: FileOptions): AsyncGenerator<Row> {
  for await (const { line, bytes } of splitLines(file, onChunk)) {
    const text = line === 1 && bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? bytes.subarray(3) : bytes;
    if (text.toString('latin1').trim() !== '') yield parseJson(line, text);
  }
};

/** Returns false if a cell could not be decoded: invalid bytes became U+FFFD. */
const isDecoded = (cells: readonly Cell[]): boolean =>
  !cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'));

const NOT_DECODED =
  'is not UTF-8, or has the replacement character U+FFFD: save the file as "CSV UTF-8", or state its --encoding';

/** Returns why a row cannot be read by the names of its columns, if there is a reason. */
const cellsFault = (header: readonly string[], cells: readonly Cell[]): string | undefined => {
  if (!isDecoded(cells)) return NOT_DECODED;
  const unnamed = cells.findIndex((cell, index) => (header[index] ?? '').trim() === '' && cellText(cell) !== '');
  return unnamed < 0 ? undefined : `has a value in column ${unnamed + 1}, which has no name`;
};

/** Reads the rows of a table by the names in its first row. Rows without a value are left out. */
const readTable = async function* (rows: AsyncIterable<SheetRow>, options: FileOptions): AsyncGenerator<Row> {
  let header: readonly string[] = [];
  let read: ReturnType<typeof columnReader> | undefined;
  for await (const { line, cells } of rows) {
    const source = { header, cells };
    if (!read) {
      if (!isDecoded(cells)) throw unreadable(`line ${line}: ${NOT_DECODED}`);
      header = cells.map(cellText);
      read = columnReader(header, options.schema, options);
      continue;
    }
    if (cells.every((cell) => cellText(cell) === '')) continue;
    const error = cellsFault(header, cells);
    yield error === undefined ? { line, source, ...read(cells) } : { line, source, error };
  }
};

const tableReader =
  (format: SheetFormat) =>
  (file: string, options: FileOptions): AsyncGenerator<Row> =>
    readTable(readSheet(file, format, options), options);

const READERS = { ndjson: readNdjson, jsonl: readNdjson, csv: tableReader('csv'), xlsx: tableReader('xlsx') };
export type Format = keyof typeof READERS;
export const FORMATS = Object.keys(READERS) as Format[];

/** Endings that offices give to text tables. */
const ENDINGS: Readonly<Record<string, Format>> = { tsv: 'csv', tab: 'csv' };

/** Returns the format that the file name implies. */
export const formatOf = (file: string): Format | undefined => {
  const ending = /\.(\w+)$/.exec(file.toLowerCase())?.[1] ?? '';
  return FORMATS.find((format) => format === ending) ?? ENDINGS[ending];
};

/** Reads a file row by row, in constant memory but for a workbook. @throws DomainError unreadable_file */
export const readRows = (file: string, format: Format, options: FileOptions): AsyncGenerator<Row> =>
  READERS[format](file, options);
