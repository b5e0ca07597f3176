import { stringify } from 'csv-stringify/sync';
import { KINDS } from '../../intake/imports/kinds.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { sortColumns, toCells } from './cells.ts';
import { type ExportKind, type ExportShare, readExportRows } from './rows.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface ExportSelection {
  readonly what: ExportKind;
  readonly share: ExportShare;
  /** The fields to export; all, if omitted. */
  readonly fields?: readonly string[] | undefined;
}

interface ExportRequest extends ExportSelection {
  readonly format: ExportFormat;
}

/** Returns the requested fields of a record in the order of the schema, always with the key. */
const selectFields = ({ what, fields }: ExportSelection): readonly string[] => {
  const { schema, keyColumn } = KINDS[what];
  const all = Object.keys(schema.shape);
  const unknown = fields?.find((field) => !all.includes(field));
  if (unknown !== undefined)
    throw new DomainError('invalid_input', `"${unknown}" is no field. There are ${all.join(', ')}.`);
  return fields === undefined ? all : all.filter((name) => name === keyColumn || fields.includes(name));
};

const readRows = async function* (
  db: Db,
  wanted: ExportSelection,
): AsyncGenerator<{ left: number; row?: Record<string, unknown> }> {
  const fields = selectFields(wanted);
  for await (const page of readExportRows(db, wanted.what, wanted.share))
    for (const row of page) {
      const kept = row && fields.flatMap((field) => (row[field] === undefined ? [] : [[field, row[field]] as const]));
      if (kept === undefined || kept.length < 2) yield { left: 1 };
      else yield { left: 0, row: Object.fromEntries(kept) };
    }
};

/** Numbers of written records, and of records about which the source states nothing. */
export interface ExportCounts {
  readonly written: number;
  readonly left: number;
}

/** Returns the columns that the rows need. */
const collectColumns = async (db: Db, wanted: ExportSelection): Promise<string[]> => {
  const paths = new Set<string>();
  for await (const { row } of readRows(db, wanted)) if (row) for (const path of toCells(row).keys()) paths.add(path);
  return sortColumns(paths, Object.keys(KINDS[wanted.what].schema.shape));
};

/** Returns the records in the form of an import, and how many have nothing that the source states. */
export const listExportRecords = async (db: Db, wanted: ExportSelection) => {
  const records: Record<string, unknown>[] = [];
  let left = 0;
  for await (const found of readRows(db, wanted)) {
    left += found.left;
    if (found.row) records.push(found.row);
  }
  return { records, counts: { written: records.length, left } };
};

/**
 * Writes records line by line in the form of an import. For CSV, reads the records twice: first for the columns.
 * @throws DomainError invalid_input, or state_conflict if a record got another column meanwhile
 */
export const exportRecords = async (
  db: Db,
  wanted: ExportRequest,
  write: (text: string) => Promise<void>,
): Promise<ExportCounts> => {
  const counts = { written: 0, left: 0 };
  const columns = wanted.format === 'csv' ? await collectColumns(db, wanted) : [];
  const known = new Set(columns);
  if (columns.length > 0) await write(stringify([columns]));
  for await (const { left, row } of readRows(db, wanted)) {
    counts.left += left;
    if (!row) continue;
    counts.written++;
    if (wanted.format === 'ndjson') await write(`${JSON.stringify(row)}\n`);
    else {
      const cells = toCells(row);
      if ([...cells.keys()].some((path) => !known.has(path)))
        throw new DomainError('state_conflict', 'The records changed meanwhile: export again.');
      await write(stringify([columns.map((column) => cells.get(column) ?? '')]));
    }
  }
  return counts;
};
