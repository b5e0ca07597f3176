import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { columnReader } from './columns.ts';
import { UnreadableFile } from './unreadable.ts';

/** Longest row in bytes: a longer one is a broken file. */
const MAX_ROW = 1_000_000;

/** A row of a file: what it holds, or why it cannot be read. Lines count from 1. */
export type Row =
  | { readonly line: number; readonly value: unknown; readonly error?: undefined }
  | { readonly line: number; readonly error: string };

interface FileOptions {
  /** JSON Schema of a row: says what a CSV cell is. */
  readonly schema: unknown;
  readonly onBytes: (count: number) => void;
}

const parseJson = (line: number, bytes: Buffer): Row => {
  if (!isUtf8(bytes)) return { line, error: 'is not UTF-8' };
  try {
    return { line, value: JSON.parse(bytes.toString()) };
  } catch (error) {
    const column = /position (\d+)/.exec((error as Error).message)?.[1];
    return { line, error: `is not JSON${column === undefined ? '' : ` from column ${Number(column) + 1} on`}` };
  }
};

/** Lines of a file with their numbers, one at a time. */
const splitLines = async function* (file: string, onBytes: (count: number) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10)) {
      yield { line: ++line, bytes: bytes.subarray(0, end) };
      bytes = bytes.subarray(end + 1);
    }
    if (bytes.length > MAX_ROW)
      throw new UnreadableFile(`line ${line + 1} is longer than 1 MB: is it NDJSON, one object per line?`);
    rest = bytes;
  }
  if (rest.length > 0) yield { line: ++line, bytes: rest };
};

const readNdjson = async function* (file: string, { onBytes }: FileOptions): AsyncGenerator<Row> {
  for await (const { line, bytes } of splitLines(file, onBytes)) {
    const text = line === 1 && bytes.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? bytes.subarray(3) : bytes;
    if (text.toString('latin1').trim() !== '') yield parseJson(line, text);
  }
};

/** Inside quotes the parser takes a CRLF for two lines. */
const crlfCount = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);

/** A cell that is not UTF-8 has a replacement character, since the parser decodes without complaint. */
const isDecoded = (cells: readonly string[]): boolean => !cells.some((cell) => cell.includes('\uFFFD'));

const readCsv = async function* (file: string, { schema, onBytes }: FileOptions): AsyncGenerator<Row> {
  const source = createReadStream(file);
  source.on('data', (chunk) => onBytes(chunk.length));
  let surplus = 0;
  let lastLine = 0;
  const ends: number[] = []; // last lines of the rows that are parsed and not yet read
  const parser = source.pipe(
    parse({
      bom: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
      encoding: 'utf8',
      on_record: (cells, { lines }) => {
        surplus += crlfCount(cells);
        lastLine = lines - surplus;
        ends.push(lastLine);
        return cells;
      },
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  let read: ReturnType<typeof columnReader> | undefined;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const line = ends.shift() ?? 0;
      if (!read) read = columnReader(cells, schema);
      else if (isDecoded(cells)) yield { line, value: read(cells) };
      else yield { line, error: 'is not UTF-8, or has the replacement character U+FFFD' };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = error.message.replace(/ (at|on) line \d+/, '').replace(/\s+/g, ' ');
    throw new UnreadableFile(`after line ${lastLine}, where the last whole row ends: ${reason}`);
  } finally {
    source.destroy();
  }
};

const READERS = { ndjson: readNdjson, jsonl: readNdjson, csv: readCsv };
export type Format = keyof typeof READERS;
export const FORMATS = Object.keys(READERS) as Format[];

/** The format a file's name says. */
export const formatOf = (file: string): Format | undefined =>
  FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`));

/** Reads a file row by row, in constant memory. @throws UnreadableFile */
export const readRows = (file: string, format: Format, options: FileOptions): AsyncGenerator<Row> =>
  READERS[format](file, options);
