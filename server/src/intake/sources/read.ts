import type { IdentityEntry, LicenceEntry, SourceEntry, WarningEntry } from './entry.rule.ts';
import { toIdentityEntry } from './identity.rule.ts';
import { toLicenceEntry } from './licence.rule.ts';
import { type OpenSource, openBytes, openSource } from './open.ts';
import { meetsConditions, requireValue, type SourceRow, toUnreadableError } from './row.rule.ts';
import { readJsonRows } from './rows-json.ts';
import { readCsvRows, readXlsxRows } from './rows-table.ts';
import { readXmlRows } from './rows-xml.ts';
import type { IdentitySource, LicenceSource, SourceMapping, WarningSource } from './source.rule.ts';
import { toWarningEntry } from './warning.rule.ts';

const readRows = ({ chunks, format }: OpenSource, source: SourceMapping): AsyncIterable<SourceRow> => {
  switch (format.type) {
    case 'csv':
      return readCsvRows(chunks, source, format);
    case 'json':
      return readJsonRows(chunks, format);
    case 'xml':
      return readXmlRows(chunks, format.rows);
    case 'xlsx':
      return readXlsxRows(chunks, source, format);
  }
};

const toSourceEntry = (row: SourceRow, source: SourceMapping, asOf: string): SourceEntry => {
  switch (source.kind) {
    case 'licences':
      return toLicenceEntry(row, source, asOf);
    case 'warnings':
      return toWarningEntry(row, source);
    case 'identities':
      return toIdentityEntry(row, source);
  }
};

/** @throws DomainError unreadable_file if the row cannot belong to a file of the source */
const requireMarks = (row: SourceRow, { marks, title }: SourceMapping): void => {
  const missed = marks.find((mark) => !meetsConditions(row, [mark]));
  if (missed === undefined) return;
  const { column, contains } = missed;
  const value = (row.get(column)[0] ?? '').slice(0, 80);
  throw toUnreadableError(`${row.at}, column ${column}: is not ${title}: "${value}" has no ${contains.join(' or ')}`);
};

const readEntries = async function* (
  opened: OpenSource,
  source: SourceMapping,
  asOf: string,
): AsyncGenerator<SourceEntry> {
  const missing = new Set(source.required);
  let rows = 0;
  for await (const row of readRows(opened, source)) {
    rows++;
    for (const column of missing) if (row.get(column).length > 0) missing.delete(column);
    if (!meetsConditions(row, source.where)) continue;
    if (missing.size === source.required.length)
      throw toUnreadableError(`${row.at}: is not ${source.title}: it has no ${source.required.join(', ')}`);
    for (const column of source.filled) requireValue(row, column);
    requireMarks(row, source);
    yield toSourceEntry(row, source, asOf);
  }
  if (rows === 0) throw toUnreadableError(`line 1: is not ${source.title}: it has no rows`);
  // a renamed field is missing in every row; without this error its data would be lost silently
  if (missing.size > 0) throw toUnreadableError(`is not ${source.title}: no row has ${[...missing].join(', ')}`);
};

type SourceEntryFor<S extends SourceMapping> = S extends LicenceSource
  ? LicenceEntry
  : S extends WarningSource
    ? WarningEntry
    : S extends IdentitySource
      ? IdentityEntry
      : SourceEntry;

/**
 * Reads the entries of a source's file row by row, in constant memory.
 * @param asOf day that the file describes, YYYY-MM-DD
 * @throws DomainError unreadable_file with line and column
 */
export const readSource = async function* <S extends SourceMapping>(
  file: string,
  source: S,
  asOf: string,
): AsyncGenerator<SourceEntryFor<S>> {
  yield* readEntries(await openSource(file, source), source, asOf) as AsyncGenerator<SourceEntryFor<S>>;
};

/** Like `readSource`, for unpacked bytes. */
export const readBytes = async function* <S extends SourceMapping>(
  bytes: AsyncIterable<Buffer>,
  source: S,
  asOf: string,
): AsyncGenerator<SourceEntryFor<S>> {
  yield* readEntries(await openBytes(bytes, source), source, asOf) as AsyncGenerator<SourceEntryFor<S>>;
};
