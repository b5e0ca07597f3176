import { readCsv } from '../sheets/csv.ts';
import { withHead } from '../sheets/file-chunks.ts';
import { unreadable } from '../sheets/unreadable.ts';
import type { RegisterEntry } from './adapter.rule.ts';

/** A row whose cells are addressed by column name. A column that this edition lacks has empty cells. */
interface Cells {
  readonly line: number;
  readonly get: (column: string) => string;
  /** @throws DomainError unreadable_file if the cell is empty */
  readonly filled: (column: string) => string;
  /**
   * Returns a day written as dd/mm/yyyy or YYYY-MM-DD in the form YYYY-MM-DD, or undefined if the cell is empty.
   * @throws DomainError unreadable_file if the text is not a day
   */
  readonly day: (column: string) => string | undefined;
}

interface Table {
  /** Name of the file in the message "is not …". */
  readonly title: string;
  /** Columns that every edition has. */
  readonly required: readonly string[];
  readonly delimiters: readonly string[];
  /** True if cells can be quoted. */
  readonly quoted: boolean;
  readonly entry: (cells: Cells) => RegisterEntry;
}

const FOREIGN: readonly [start: string, what: string][] = [
  ['PK\x03\x04', 'a ZIP or Excel file: unpack it, or download the CSV'],
  ['\xff\xfe', 'UTF-16: save it as CSV in UTF-8'],
  ['\xfe\xff', 'UTF-16: save it as CSV in UTF-8'],
  ['%PDF', 'a PDF file: download the CSV'],
  ['<', 'a web page or XML: download the CSV'],
  ['{', 'JSON: download the CSV'],
];

const tidy = (text: string): string => text.normalize('NFC').trim();

/** Reads the start of a file, and refuses anything but a text table. */
const begin = async (chunks: AsyncIterator<Buffer>, { title }: Table): Promise<Buffer> => {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 4) {
    const part = await chunks.next();
    if (part.done) break;
    head = Buffer.concat([head, part.value]);
  }
  const start = head.subarray(0, 4).toString('latin1');
  const foreign = FOREIGN.find(([magic]) => start.startsWith(magic));
  if (foreign) throw unreadable(`line 1: is not ${title} but ${foreign[1]}`);
  return head;
};

const columnsOf = (header: readonly string[], { title, required }: Table): ReadonlyMap<string, number> => {
  const names = header.map((name) => tidy(name).toUpperCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw unreadable(
      `line 1: is not ${title}: it has no column ${missing.join(', ')} (but ${names.slice(0, 5).join(', ')}, …)`,
    );
  const twice = required.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice) throw unreadable(`line 1, column ${names.lastIndexOf(twice) + 1}: "${twice}" is there twice`);
  return new Map(names.map((name, index) => [name, index]));
};

const isDay = (iso: string): boolean => {
  const day = new Date(`${iso}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso);
};

/** Returns the cells of one row. */
const cellsOf = (columns: ReadonlyMap<string, number>, line: number, row: readonly string[]): Cells => {
  const get = (column: string): string => tidy(row[columns.get(column) ?? -1] ?? '');
  return {
    line,
    get,
    filled: (column) => {
      const text = get(column);
      if (text === '') throw unreadable(`line ${line}, column ${column}: is empty`);
      return text;
    },
    day: (column) => {
      const text = get(column);
      if (text === '') return undefined;
      const iso = text.replace(/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, (_, d: string, m: string, y: string) =>
        [y, m.padStart(2, '0'), d.padStart(2, '0')].join('-'),
      );
      if (!/^\d{4}-\d{2}-\d{2}$/.test(iso) || !isDay(iso))
        throw unreadable(`line ${line}, column ${column}: "${text.slice(0, 40)}" is not a day as dd/mm/yyyy`);
      return iso;
    },
  };
};

/** Reads the rows of a register that is a text table. @throws DomainError unreadable_file */
export const readTable = async function* (chunks: AsyncIterable<Buffer>, table: Table): AsyncGenerator<RegisterEntry> {
  const source = chunks[Symbol.asyncIterator]();
  const head = await begin(source, table);
  // register files are UTF-8 or Windows-1252, and some editions mix both
  const { delimiters, quoted } = table;
  const options = { encoding: 'mixed', delimiters, quotes: quoted ? 'loosely' : false } as const;
  let columns: ReadonlyMap<string, number> | undefined;
  let rows = 0;
  for await (const { line, cells } of readCsv(withHead(head, source), options)) {
    if (!columns) columns = columnsOf(cells, table);
    else {
      rows++;
      yield table.entry(cellsOf(columns, line, cells));
    }
  }
  if (rows === 0) throw unreadable(`line 1: is not ${table.title}: it has no rows`);
};
