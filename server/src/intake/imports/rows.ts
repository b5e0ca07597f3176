import { isUtf8 } from 'node:buffer';
import {
  type CellNotation,
  MAX_ROW,
  readChunks,
  readSheet,
  type SheetCell,
  type SheetFormat,
  type SheetOptions,
  type SheetRow,
  toCellText,
} from '@broker-transparency/tables';
import { reportUnreadable, toUnreadableError } from '../unreadable.ts';
import { type CellFault, createColumnReader } from './columns.ts';

/** A row as it is in the file: its text, or its cells and the header. */
type RawRow = string | { readonly header: readonly string[]; readonly cells: readonly SheetCell[] };

/**
 * A row of a file: its value, with the faults of its cells, or the reason why it cannot be read. Lines count from 1.
 */
export type FileRow = { readonly line: number; readonly source: RawRow } & (
  | { readonly value: unknown; readonly faults?: readonly CellFault[]; readonly error?: undefined }
  | { readonly error: string }
);

/** Notation of a file, if it is ambiguous. */
export type FileNotation = Pick<SheetOptions, 'encoding' | 'sheet'> & CellNotation;

interface ReadRowsOptions extends Omit<SheetOptions, 'onChunk'>, CellNotation {
  /** JSON Schema of a row, which gives the types of cells. */
  readonly schema: unknown;
  readonly onChunk: (chunk: Buffer) => void;
}

/** Returns whether the value of a row is an object, as for every kind of record. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes the notes of `--bad-rows` from a row. */
const omitNotes = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('#'))) : value;

const parseJson = (line: number, bytes: Buffer): FileRow => {
  const source = bytes.toString();
  if (!isUtf8(bytes)) return { line, source, error: 'is not UTF-8: save the file as UTF-8' };
  try {
    return { line, source, value: omitNotes(JSON.parse(source)) };
  } catch (error) {
    const column = /position (\d+)/.exec((error as Error).message)?.[1];
    return { line, source, error: `is not JSON${column === undefined ? '' : ` from column ${Number(column) + 1} on`}` };
  }
};

/** Yields the lines of a file with their numbers. @throws DomainError unreadable_file if one is too long */
export const splitLines = async function* (file: string, onChunk: (chunk: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of readChunks(file, onChunk)) {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield { line: ++line, bytes: bytes.subarray(0, end) };
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > MAX_ROW)
      throw toUnreadableError(`line ${line + 1} is longer than 1 MB: is it NDJSON, one object per line?`);
    rest = bytes;
  }
  if (rest.length > 0) yield { line: ++line, bytes: rest };
};

const readNdjson = async function* (file: string, { onChunk }: ReadRowsOptions): AsyncGenerator<FileRow> {
  for await (const { line, bytes } of splitLines(file, onChunk)) {
    const text = line === 1 && bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? bytes.subarray(3) : bytes;
    if (text.toString('latin1').trim() !== '') yield parseJson(line, text);
  }
};

/** Returns false if a cell could not be decoded: invalid bytes became U+FFFD. */
const isDecoded = (cells: readonly SheetCell[]): boolean =>
  !cells.some((cell) => typeof cell === 'string' && cell.includes('\uFFFD'));

const NOT_DECODED =
  'is not UTF-8, or has the replacement character U+FFFD: save the file as "CSV UTF-8", or state its --encoding';

/** Returns the reason why a row cannot be read by column names; undefined if there is none. */
const findCellsFault = (header: readonly string[], cells: readonly SheetCell[]): string | undefined => {
  if (!isDecoded(cells)) return NOT_DECODED;
  const unnamed = cells.findIndex((cell, index) => (header[index] ?? '').trim() === '' && toCellText(cell) !== '');
  return unnamed < 0 ? undefined : `has a value in column ${unnamed + 1}, which has no name`;
};

/** Reads the rows of a table by the names in its first row. Rows without a value are left out. */
const readTable = async function* (rows: AsyncIterable<SheetRow>, options: ReadRowsOptions): AsyncGenerator<FileRow> {
  let header: readonly string[] = [];
  let read: ReturnType<typeof createColumnReader> | undefined;
  for await (const { line, cells } of rows) {
    const source = { header, cells };
    if (!read) {
      if (!isDecoded(cells)) throw toUnreadableError(`line ${line}: ${NOT_DECODED}`);
      header = cells.map(toCellText);
      read = createColumnReader(header, options.schema, options);
      continue;
    }
    if (cells.every((cell) => toCellText(cell) === '')) continue;
    const error = findCellsFault(header, cells);
    yield error === undefined ? { line, source, ...read(cells) } : { line, source, error };
  }
};

const createTableReader =
  (format: SheetFormat) =>
  (file: string, options: ReadRowsOptions): AsyncGenerator<FileRow> =>
    readTable(reportUnreadable(readSheet(file, format, options)), options);

const READERS = {
  ndjson: readNdjson,
  jsonl: readNdjson,
  csv: createTableReader('csv'),
  xlsx: createTableReader('xlsx'),
};
export type ImportFormat = keyof typeof READERS;
export const FORMATS = Object.keys(READERS) as ImportFormat[];

/** File endings for text tables in office programs. */
const ENDINGS: Readonly<Record<string, ImportFormat>> = { tsv: 'csv', tab: 'csv' };

/** Returns the format that the file name implies. */
export const findFormat = (file: string): ImportFormat | undefined => {
  const ending = /\.(\w+)$/.exec(file.toLowerCase())?.[1] ?? '';
  return FORMATS.find((format) => format === ending) ?? ENDINGS[ending];
};

/** Reads a file row by row, in constant memory except for a workbook. @throws DomainError unreadable_file */
export const readRows = (file: string, format: ImportFormat, options: ReadRowsOptions): AsyncGenerator<FileRow> =>
  READERS[format](file, options);
