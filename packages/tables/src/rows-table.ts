import { toCellText } from './cell.rule.ts';
import { type CsvRow, MAX_ROW, readCsv } from './csv.ts';
import { prependHead } from './file-chunks.ts';
import type { TableFormat, TableMapping } from './mapping.rule.ts';
import { normaliseWord, type Row } from './row.rule.ts';
import { UnreadableFileError } from './unreadable-file.ts';
import { MOST_PACKED, readXlsx } from './xlsx.ts';

type RowCells = readonly string[];

const cleanText = (text: string): string => text.normalize('NFC').trim();

/** Number of columns that are read without a header. */
const MOST_COLUMNS = 100;

/** Columns of a table by name, in any spelling, and by position: `#1`. */
class ColumnIndex {
  private readonly places = new Map<string, number>();
  readonly names: readonly string[];

  constructor(header: RowCells, { title, required }: TableMapping) {
    this.names = header;
    const names = header.map(normaliseWord);
    for (const [index, name] of names.entries()) {
      this.places.set(`#${index + 1}`, index);
      if (name !== '' && !this.places.has(name)) this.places.set(name, index);
    }
    const missing = required.filter((name) => !this.places.has(normaliseWord(name)));
    if (missing.length > 0)
      throw new UnreadableFileError(
        `line 1: is not ${title}: it has no column ${missing.join(', ')} (but ${header.slice(0, 5).join(', ')}, …)`,
      );
    const twice = required.find(
      (name) => names.indexOf(normaliseWord(name)) !== names.lastIndexOf(normaliseWord(name)),
    );
    if (twice)
      throw new UnreadableFileError(
        `line 1, column ${names.lastIndexOf(normaliseWord(twice)) + 1}: "${twice}" is there twice`,
      );
  }

  /** Returns columns with positions only. */
  static unnamed(mapping: TableMapping): ColumnIndex {
    return new ColumnIndex(
      Array.from({ length: MOST_COLUMNS }, (_, index) => `#${index + 1}`),
      mapping,
    );
  }

  place(column: string): number {
    return this.places.get(normaliseWord(column)) ?? -1;
  }
}

class TableRow implements Row {
  readonly at: string;
  private readonly columns: ColumnIndex;
  private readonly lines: RowCells[];

  constructor(at: string, columns: ColumnIndex, cells: RowCells) {
    this.at = at;
    this.columns = columns;
    this.lines = [cells];
  }

  get(column: string): string[] {
    const place = this.columns.place(column);
    return this.lines.map((cells) => cells[place] ?? '').filter((text) => text !== '');
  }

  all(): string[] {
    return this.lines.flat();
  }

  /** Adds the values of a row that continues this one. */
  add(cells: RowCells): void {
    this.lines.push(cells);
  }
}

/** A row of cells with its place in the file. */
interface PlacedCells {
  readonly at: string;
  readonly cells: RowCells;
}

/** Columns of a table, and the column whose empty cell marks a continuation of the row before. */
interface TableLayout {
  readonly columns: ColumnIndex;
  readonly continues: string | undefined;
}

/** Returns rows whose cells have column names. */
const nameRows = async function* (
  rows: AsyncIterable<PlacedCells>,
  { columns, continues }: TableLayout,
): AsyncGenerator<Row> {
  let last: TableRow | undefined;
  for await (const { at, cells } of rows) {
    if (last && continues !== undefined && (cells[columns.place(continues)] ?? '') === '') last.add(cells);
    else {
      if (last) yield last;
      last = new TableRow(at, columns, cells);
    }
  }
  if (last) yield last;
};

/** Reads the start of a text up to the end of its first line. */
const readFirstLine = async (chunks: AsyncIterator<Buffer>) => {
  let head: Buffer = Buffer.alloc(0);
  for (let part = await chunks.next(); !part.done; part = await chunks.next()) {
    head = Buffer.concat([head, part.value]);
    if (head.length > MAX_ROW || head.includes('\n')) break;
  }
  return { head, line: head.subarray(0, head.indexOf('\n') + 1 || head.length) };
};

const yieldBytes = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
};

/** Reads the rows of a text table, in constant memory. @throws UnreadableFileError */
export const readCsvRows = async function* (
  chunks: AsyncIterable<Buffer>,
  mapping: TableMapping,
  { delimiters, quoted, continues }: Extract<TableFormat, { type: 'csv' }>,
): AsyncGenerator<Row> {
  const rest = chunks[Symbol.asyncIterator]();
  const { head, line } = await readFirstLine(rest);
  const options = { encoding: 'mixed', delimiters, quotes: quoted ? ('loosely' as const) : false };
  // reads the header separately, so that another kind of table is reported before its rows fail
  const header: CsvRow | undefined = (await readCsv(yieldBytes(line), options).next()).value;
  const columns = new ColumnIndex((header?.cells ?? []).map(cleanText), mapping);
  const placeRows = async function* (): AsyncGenerator<PlacedCells> {
    let isHeader = true;
    for await (const row of readCsv(prependHead(head, rest), options)) {
      if (!isHeader) yield { at: `line ${row.line}`, cells: row.cells.map(cleanText) };
      isHeader = false;
    }
  };
  yield* nameRows(placeRows(), { columns, continues });
};

/** Reads the rows of a sheet of a workbook. @throws UnreadableFileError */
export const readXlsxRows = async function* (
  chunks: AsyncIterable<Buffer>,
  mapping: TableMapping,
  { sheet, header, first }: Extract<TableFormat, { type: 'xlsx' }>,
): AsyncGenerator<Row> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MOST_PACKED) throw new UnreadableFileError(`is larger than ${MOST_PACKED} bytes`);
    parts.push(chunk);
  }
  const rows = readXlsx(Buffer.concat(parts), { sheet });
  let columns = header === null ? ColumnIndex.unnamed(mapping) : undefined;
  for await (const { line, cells } of rows) {
    const texts = cells.map((cell) => cleanText(toCellText(cell)));
    if (columns) {
      if (header !== null || line >= first) yield new TableRow(`row ${line}`, columns, texts);
    } else if (header?.every((name) => texts.some((text) => normaliseWord(text) === normaliseWord(name))))
      columns = new ColumnIndex(texts, mapping);
  }
  if (!columns) throw new UnreadableFileError(`is not ${mapping.title}: no row has ${(header ?? []).join(', ')}`);
};
