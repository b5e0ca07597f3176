import { Readable } from 'node:stream';
import { CsvError, type Options, parse } from 'csv-parse';
import { unreadable } from './unreadable.ts';

/** Maximum row length in bytes. A longer row means a broken file. */
export const MAX_ROW = 1_000_000;

/** A row of a CSV file. Lines count from 1. If cells contain line feeds, `line` is the last line of the row. */
export interface CsvRow {
  readonly line: number;
  readonly cells: string[];
}

/** Counts CRLFs in cells, because the parser counts each one inside quotes as two lines. */
const crlfCount = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\r\n') ? cell.split('\r\n').length - 1 : 0), 0);

/** Reads the rows of a CSV file, including its header, in constant memory. @throws DomainError unreadable_file */
export const readCsvRows = async function* (chunks: AsyncIterable<Buffer>, options: Options): AsyncGenerator<CsvRow> {
  let surplus = 0;
  let lastLine = 0;
  const ends: number[] = []; // last lines of rows that are parsed but not yet yielded
  const source = Readable.from(chunks);
  const parser = source.pipe(
    parse({
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
      ...options,
      on_record: (cells, { lines }) => {
        surplus += crlfCount(cells);
        lastLine = lines - surplus;
        ends.push(lastLine);
        return cells;
      },
    }),
  );
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const cells of parser as AsyncIterable<string[]>) yield { line: ends.shift() ?? 0, cells };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const reason = error.message.replace(/ (at|on) line \d+/, '').replace(/\s+/g, ' ');
    const { delimiter = ',', quote } = options;
    const isSplit = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' && quote !== null;
    const cure = isSplit ? `: a cell with ${JSON.stringify(delimiter)} needs quotes` : '';
    throw unreadable(`after line ${lastLine}, where the last whole row ends: ${reason}${cure}`);
  } finally {
    source.destroy();
  }
};
