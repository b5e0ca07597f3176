import type { IdentityEntry, LicenceEntry, SourceEntry, WarningEntry } from './entry.rule.ts';
import { identityEntry } from './identity.rule.ts';
import { licenceEntry } from './licence.rule.ts';
import { type OpenSource, openBytes, openSource } from './open.ts';
import { filledOf, holds, type SourceRow, unreadable } from './row.rule.ts';
import { jsonRows } from './rows-json.ts';
import { csvRows, xlsxRows } from './rows-table.ts';
import { xmlRows } from './rows-xml.ts';
import type { IdentitySource, LicenceSource, Source, WarningSource } from './source.rule.ts';
import { warningEntry } from './warning.rule.ts';

const rowsOf = ({ chunks, format }: OpenSource, source: Source): AsyncIterable<SourceRow> => {
  switch (format.type) {
    case 'csv':
      return csvRows(chunks, source, format);
    case 'json':
      return jsonRows(chunks, format);
    case 'xml':
      return xmlRows(chunks, format.rows);
    case 'xlsx':
      return xlsxRows(chunks, source, format);
  }
};

const entryOf = (row: SourceRow, source: Source, asOf: string): SourceEntry => {
  switch (source.kind) {
    case 'licences':
      return licenceEntry(row, source, asOf);
    case 'warnings':
      return warningEntry(row, source);
    case 'identities':
      return identityEntry(row, source);
  }
};

/** @throws DomainError unreadable_file if a row cannot stand in the file of the source */
const requireMarks = (row: SourceRow, { marks, title }: Source): void => {
  const missed = marks.find((mark) => !holds(row, [mark]));
  if (missed === undefined) return;
  const { column, contains } = missed;
  const value = (row.get(column)[0] ?? '').slice(0, 80);
  throw unreadable(`${row.at}, column ${column}: is not ${title}: "${value}" has no ${contains.join(' or ')}`);
};

const entriesOf = async function* (opened: OpenSource, source: Source, asOf: string): AsyncGenerator<SourceEntry> {
  const missing = new Set(source.required);
  let rows = 0;
  for await (const row of rowsOf(opened, source)) {
    rows++;
    for (const column of missing) if (row.get(column).length > 0) missing.delete(column);
    if (!holds(row, source.where)) continue;
    if (missing.size === source.required.length)
      throw unreadable(`${row.at}: is not ${source.title}: it has no ${source.required.join(', ')}`);
    for (const column of source.filled) filledOf(row, column);
    requireMarks(row, source);
    yield entryOf(row, source, asOf);
  }
  if (rows === 0) throw unreadable(`line 1: is not ${source.title}: it has no rows`);
  // a field that was renamed is missing everywhere, and without an error anybody would read nothing of it
  if (missing.size > 0) throw unreadable(`is not ${source.title}: no row has ${[...missing].join(', ')}`);
};

type EntryOf<S extends Source> = S extends LicenceSource
  ? LicenceEntry
  : S extends WarningSource
    ? WarningEntry
    : S extends IdentitySource
      ? IdentityEntry
      : SourceEntry;

/**
 * Reads the entries of a source's file row by row, in constant memory.
 * @param asOf day that the file tells of, YYYY-MM-DD
 * @throws DomainError unreadable_file naming line and column
 */
export const readSource = async function* <S extends Source>(
  file: string,
  source: S,
  asOf: string,
): AsyncGenerator<EntryOf<S>> {
  yield* entriesOf(await openSource(file, source), source, asOf) as AsyncGenerator<EntryOf<S>>;
};

/** As `readSource`, of bytes that are unpacked already. */
export const readBytes = async function* <S extends Source>(
  bytes: AsyncIterable<Buffer>,
  source: S,
  asOf: string,
): AsyncGenerator<EntryOf<S>> {
  yield* entriesOf(await openBytes(bytes, source), source, asOf) as AsyncGenerator<EntryOf<S>>;
};
