import type { TableMapping } from './mapping.rule.ts';
import { type OpenTable, openBytes, openTable } from './open.ts';
import { meetsConditions, type Row, requireValue } from './row.rule.ts';
import { readJsonRows } from './rows-json.ts';
import { readCsvRows, readXlsxRows } from './rows-table.ts';
import { readXmlRows } from './rows-xml.ts';
import { UnreadableFileError } from './unreadable-file.ts';

const readRows = ({ chunks, format }: OpenTable, mapping: TableMapping): AsyncIterable<Row> => {
  switch (format.type) {
    case 'csv':
      return readCsvRows(chunks, mapping, format);
    case 'json':
      return readJsonRows(chunks, format);
    case 'xml':
      return readXmlRows(chunks, format.rows);
    case 'xlsx':
      return readXlsxRows(chunks, mapping, format);
  }
};

/** @throws UnreadableFileError if the row cannot belong to a file of the mapping */
const requireMarks = (row: Row, { marks, title }: TableMapping): void => {
  const missed = marks.find((mark) => !meetsConditions(row, [mark]));
  if (missed === undefined) return;
  const { column, contains } = missed;
  const value = (row.get(column)[0] ?? '').slice(0, 80);
  throw new UnreadableFileError(
    `${row.at}, column ${column}: is not ${title}: "${value}" has no ${contains.join(' or ')}`,
  );
};

const selectRows = async function* (opened: OpenTable, mapping: TableMapping): AsyncGenerator<Row> {
  const { title, required, filled, where } = mapping;
  const missing = new Set(required);
  let rows = 0;
  for await (const row of readRows(opened, mapping)) {
    rows++;
    for (const column of missing) if (row.get(column).length > 0) missing.delete(column);
    if (!meetsConditions(row, where)) continue;
    if (missing.size === required.length)
      throw new UnreadableFileError(`${row.at}: is not ${title}: it has no ${required.join(', ')}`);
    for (const column of filled) requireValue(row, column);
    requireMarks(row, mapping);
    yield row;
  }
  if (rows === 0) throw new UnreadableFileError(`line 1: is not ${title}: it has no rows`);
  // a renamed field is missing in every row; without this error its data would be lost silently
  if (missing.size > 0) throw new UnreadableFileError(`is not ${title}: no row has ${[...missing].join(', ')}`);
};

/**
 * Reads the rows of a file that count, one by one and in constant memory (a workbook: in bounded memory).
 * @throws UnreadableFileError with line and column
 */
export const readTable = async function* (file: string, mapping: TableMapping): AsyncGenerator<Row> {
  yield* selectRows(await openTable(file, mapping), mapping);
};

/** Reads the rows of unpacked bytes, as `readTable` does. */
export const readTableBytes = async function* (
  bytes: AsyncIterable<Buffer>,
  mapping: TableMapping,
): AsyncGenerator<Row> {
  yield* selectRows(await openBytes(bytes, mapping), mapping);
};
