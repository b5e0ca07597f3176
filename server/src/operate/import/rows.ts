import { isUtf8 } from 'node:buffer';
import { columnReader } from './columns.ts';
import { MAX_ROW, readCsvRows } from './csv.ts';
import { fileChunks, withHead } from './file-chunks.ts';
import { unreadable } from './unreadable.ts';

/** A row as it is in the file: its text, or its cells and the header. */
type Source = string | { readonly header: readonly string[]; readonly cells: readonly string[] };

/** A row of a file: its value, or the reason why it cannot be read. Lines count from 1. */
export type Row = { readonly line: number; readonly source: Source } & (
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: string }
);

interface FileOptions {
  /** JSON Schema of a row, from which the type of a CSV cell follows. */
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

/** Yields the lines of a file with their numbers. */
const splitLines = async function* (file: string, onChunk: (chunk: Buffer) => void) {
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

/** Returns false if a cell was not UTF-8. The parser replaces invalid bytes with U+FFFD instead of throwing. */
const isDecoded = (cells: readonly string[]): boolean => !cells.some((cell) => cell.includes('\uFFFD'));

const NOT_DECODED = 'is not UTF-8, or has the replacement character U+FFFD: save the file as "CSV UTF-8"';

/** Longest start of a file in which its header is looked for. */
const HEAD = 65_536;

/** Returns the header at the start of a file; undefined if it does not end there. */
const headerIn = (start: Buffer): string | undefined => {
  const text = start.toString(start[0] === 0xff && start[1] === 0xfe ? 'utf16le' : 'utf8');
  const [, header, end] = /^[\uFEFF\r\n]*([^\r\n]*)([\r\n]?)/.exec(text) ?? [];
  return end === '' && start.length < HEAD ? undefined : header;
};

/** Spreadsheets of countries with decimal commas write semicolons. No name of a column has one of these. */
const delimiterOf = (header: string): string => [',', ';', '\t'].find((sign) => header.includes(sign)) ?? ',';

/** Reads the start of a file, up to the end of its header, and finds its delimiter. */
const begin = async (chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; delimiter: string }> => {
  let head: Buffer = Buffer.alloc(0);
  let header: string | undefined;
  while (header === undefined) {
    const part = await chunks.next();
    if (part.done) return { head, delimiter: delimiterOf(head.toString()) };
    head = Buffer.concat([head, part.value]);
    header = headerIn(head);
  }
  return { head, delimiter: delimiterOf(header) };
};

/** Returns why a row cannot be read by the names of its columns, if there is a reason. */
const cellsFault = (header: readonly string[], cells: readonly string[]): string | undefined => {
  if (!isDecoded(cells)) return NOT_DECODED;
  const unnamed = cells.findIndex((cell, index) => header[index]?.trim() === '' && cell.trim() !== '');
  return unnamed < 0 ? undefined : `has a value in column ${unnamed + 1}, which has no name`;
};

const readCsv = async function* (file: string, { schema, onChunk }: FileOptions): AsyncGenerator<Row> {
  let header: readonly string[] = [];
  let read: ReturnType<typeof columnReader> | undefined;
  const chunks = fileChunks(file, onChunk);
  const { head, delimiter } = await begin(chunks);
  const options = { bom: true, encoding: 'utf8', delimiter } as const;
  for await (const { line, cells } of readCsvRows(withHead(head, chunks), options)) {
    const source = { header, cells };
    if (!read) {
      if (!isDecoded(cells)) throw unreadable(`line ${line}: ${NOT_DECODED}`);
      header = cells;
      read = columnReader(cells, schema);
      continue;
    }
    const error = cellsFault(header, cells);
    yield error === undefined ? { line, source, value: read(cells) } : { line, source, error };
  }
};

const READERS = { ndjson: readNdjson, jsonl: readNdjson, csv: readCsv };
export type Format = keyof typeof READERS;
export const FORMATS = Object.keys(READERS) as Format[];

/** Returns the format that the file name implies. */
export const formatOf = (file: string): Format | undefined =>
  FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`));

/** Reads a file row by row, in constant memory. @throws DomainError unreadable_file */
export const readRows = (file: string, format: Format, options: FileOptions): AsyncGenerator<Row> =>
  READERS[format](file, options);
