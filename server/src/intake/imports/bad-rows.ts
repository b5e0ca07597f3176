import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { type SheetCell, toCellText } from '@broker-transparency/tables';
import { stringify } from 'csv-stringify/sync';
import { DomainError } from '../../platform/domain-error.ts';
import { createTemporaryName } from '../../platform/replace-file.ts';
import type { ImportFault } from './record.ts';
import { type FileRow, isObject } from './rows.ts';

const formatReasons = (faults: readonly ImportFault[]): string =>
  faults.map(({ column, detail }) => (column === undefined ? detail : `${column}: ${detail}`)).join(' ');

/** Returns the cells of a row without the notes of an earlier run. */
const selectData = (header: readonly string[], cells: readonly SheetCell[]): string[] =>
  cells.map(toCellText).filter((_, index) => !header[index]?.trim().startsWith('#'));

/** Formats a row of a file with its line and the reasons why it was not imported. */
const formatRow = (row: FileRow, reasons: string): string => {
  const { line, source } = row;
  if (typeof source !== 'string') return stringify([[line, reasons, ...selectData(source.header, source.cells)]]);
  const given = row.error === undefined && isObject(row.value) ? row.value : { '#text': source };
  return `${JSON.stringify({ '#line': line, '#reasons': reasons, ...given })}\n`;
};

/**
 * Writes rows with faults into a file of the same kind (rows of a workbook as CSV). The corrected file can be imported:
 * an import ignores columns whose name begins with `#`. The file appears when it is complete, and only if there are
 * such rows. A resumed import replaces it.
 * @throws DomainError invalid_input if the file exists already
 */
export const createBadRowsFile = (path: string, { resume }: { readonly resume: boolean }) => {
  if (!resume && existsSync(path))
    throw new DomainError('invalid_input', `There is a file "${path}" already: name a new one.`);
  const partial = createTemporaryName(path);
  let file: FileHandle | undefined;
  const start = async ({ source }: FileRow): Promise<FileHandle> => {
    const opened = await open(partial, 'wx').catch((error: Error) => {
      throw new DomainError('invalid_input', `"${path}" cannot be written: ${error.message}`, { cause: error });
    });
    if (typeof source !== 'string')
      await opened.appendFile(stringify([['#line', '#reasons', ...selectData(source.header, source.header)]]));
    return opened;
  };
  return {
    add: async (rows: readonly FileRow[], faults: readonly ImportFault[]): Promise<void> => {
      const byLine = Map.groupBy(faults, ({ line }) => line);
      for (const row of rows) {
        const found = byLine.get(row.line);
        if (!found) continue;
        file ??= await start(row);
        await file.appendFile(formatRow(row, formatReasons(found)));
      }
    },
    /** @param isWhole true if all rows were added; otherwise there is no file */
    close: async (isWhole: boolean): Promise<void> => {
      if (!file) return;
      await file.close();
      await (isWhole ? rename(partial, path) : rm(partial, { force: true }));
    },
  };
};
