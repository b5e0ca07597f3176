import { type Row, readTable, readTableBytes } from '@broker-transparency/tables';
import { reportUnreadable } from '../unreadable.ts';
import type { IdentityEntry, LicenceEntry, SourceEntry, WarningEntry } from './entry.rule.ts';
import { toIdentityEntry } from './identity.rule.ts';
import { toLicenceEntry } from './licence.rule.ts';
import type { IdentitySource, LicenceSource, SourceMapping, WarningSource } from './source.rule.ts';
import { toWarningEntry } from './warning.rule.ts';

const toSourceEntry = (row: Row, source: SourceMapping, asOf: string): SourceEntry => {
  switch (source.kind) {
    case 'licences':
      return toLicenceEntry(row, source, asOf);
    case 'warnings':
      return toWarningEntry(row, source);
    case 'identities':
      return toIdentityEntry(row, source);
  }
};

const toEntries = async function* (
  rows: AsyncIterable<Row>,
  source: SourceMapping,
  asOf: string,
): AsyncGenerator<SourceEntry> {
  for await (const row of rows) yield toSourceEntry(row, source, asOf);
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
  yield* reportUnreadable(toEntries(readTable(file, source), source, asOf)) as AsyncGenerator<SourceEntryFor<S>>;
};

/** Like `readSource`, for unpacked bytes. */
export const readBytes = async function* <S extends SourceMapping>(
  bytes: AsyncIterable<Buffer>,
  source: S,
  asOf: string,
): AsyncGenerator<SourceEntryFor<S>> {
  yield* reportUnreadable(toEntries(readTableBytes(bytes, source), source, asOf)) as AsyncGenerator<SourceEntryFor<S>>;
};
