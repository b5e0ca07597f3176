import { Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { decodeMixed, toUtf8 } from './encoding.ts';
import { prependHead } from './file-chunks.ts';
import { UnreadableFileError } from './unreadable-file.ts';

/** Maximum row length in bytes. A longer row means a broken file. */
export const MAX_ROW = 1_000_000;

/** A row of a text table. Lines count from 1. If cells contain line feeds, `line` is the last line of the row. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The format of a text table. */
export interface CsvOptions {
  /** Name of an encoding; `mixed`: each cell is UTF-8 or else Windows-1252. UTF-8 if omitted. */
  readonly encoding?: string;
  /** Possible delimiters of cells. The most frequent one in the first line counts. */
  readonly delimiters?: readonly string[];
  /**
   * False if no cell is quoted, so that quotes are ordinary characters. `loosely`: quotes within cells are ordinary
   * characters.
   */
  readonly quotes?: boolean | 'loosely';
}

/** Spreadsheets of countries with decimal commas write semicolons. */
const DELIMITERS = [',', ';', '\t'];

/** Maximum bytes from the start of a file in which its first line must end. */
const HEAD = 65_536;

/** Counts CRLFs in cells, because the parser counts each one inside quotes as two lines. */
const countCrlfs = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);

/** Returns the first line that is not empty; undefined if it does not end in this start of a file. */
const findFirstLine = (start: Buffer): string | undefined => {
  const [, line, end] = /^[\uFEFF\r\n]*([^\r\n]*)([\r\n]?)/.exec(start.toString()) ?? [];
  return end === '' && start.length < HEAD ? undefined : line;
};

const BOM = Buffer.from('\uFEFF');

/** Reads the start of a file, up to the end of its first line, without a byte order mark. */
const readStart = async (chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; line: string }> => {
  let head: Buffer = Buffer.alloc(0);
  let line: string | undefined;
  while (line === undefined) {
    const part = await chunks.next();
    if (!part.done) head = Buffer.concat([head, part.value]);
    line = part.done ? head.toString().trim() : findFirstLine(head);
  }
  return { head: head.indexOf(BOM) === 0 ? head.subarray(BOM.length) : head, line: line.replace(/^\uFEFF/, '') };
};

/** Returns the delimiter of a first line: the most frequent one outside quotes. */
const detectDelimiter = (line: string, delimiters: readonly string[]): string => {
  const plain = line.replace(/"[^"]*"/g, '');
  return delimiters.toSorted((a, b) => plain.split(b).length - plain.split(a).length)[0] ?? ',';
};

/** Returns the parser's options for a file that begins with this line. */
const toParserOptions = (line: string, { encoding, delimiters = DELIMITERS, quotes = true }: CsvOptions): Options => {
  const named = /^"?sep=(.)"?$/i.exec(line)?.[1]; // Excel reads this line, and some programs write it
  return {
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
    encoding: encoding === 'mixed' ? 'latin1' : 'utf8',
    delimiter: named ?? detectDelimiter(line, delimiters),
    ...(named === undefined ? {} : { from_line: 2 }),
    ...(quotes === false ? { quote: null } : {}),
    ...(quotes === 'loosely' ? { relax_quotes: true } : {}),
  };
};

/** Returns the parser's fault of a file, with the last readable line and the remedy. */
const describeFault = (error: CsvError, lastLine: number, { delimiter = ',', quote }: Options) => {
  const reason = error.message.replace(/ (at|on) line \d+/, '').replace(/\s+/g, ' ');
  const isSplit = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' && quote !== null;
  const cure = isSplit ? `: a cell with ${JSON.stringify(delimiter)} needs quotes` : '';
  return new UnreadableFileError(`after line ${lastLine}, where the last whole row ends: ${reason}${cure}`);
};

/** Reads the rows of a text table, the first one too, in constant memory. @throws UnreadableFileError */
export const readCsv = async function* (
  chunks: AsyncIterable<Buffer>,
  options: CsvOptions = {},
): AsyncGenerator<CsvRow> {
  const isMixed = options.encoding === 'mixed';
  const decoded = toUtf8(chunks, isMixed ? 'utf-8' : (options.encoding ?? 'utf-8'));
  const { head, line } = await readStart(decoded);
  const parsing = toParserOptions(line, options);
  let surplus = 0;
  let lastLine = 0;
  const ends: number[] = []; // last lines of rows that are parsed but not yet yielded
  const source = Readable.from(prependHead(head, decoded));
  const parser = source.pipe(
    parse({
      ...parsing,
      on_record: (cells: string[], { lines }) => {
        surplus += countCrlfs(cells);
        lastLine = lines - surplus;
        ends.push(lastLine);
        return isMixed ? cells.map(decodeMixed) : cells;
      },
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield { line: ends.shift() ?? 0, cells };
  } catch (error) {
    throw error instanceof CsvError ? describeFault(error, lastLine, parsing) : error;
  } finally {
    source.destroy();
  }
};
