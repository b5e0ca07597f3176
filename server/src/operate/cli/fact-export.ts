import { open, rm } from 'node:fs/promises';
import { EDITOR } from '../../ledger/statements/record.ts';
import { type StatementSource, sourceKey } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { terminal } from '../../platform/terminal.ts';
import {
  EXPORT_FORMATS,
  type ExportCounts,
  type ExportFormat,
  exportRecords,
  listExportRecords,
} from '../export/export.ts';
import type { ExportKind } from '../export/rows.ts';
import { type CommandDefinition, defineCommand } from './define-command.ts';
import { parseSource } from './fact.ts';
import { printError, printJson } from './output.ts';
import { UsageError } from './usage-error.ts';

const chooseFormat = (file: string | undefined, given: ExportFormat | undefined): ExportFormat => {
  if (given !== undefined) return given;
  if (file === undefined) return 'ndjson';
  const named = EXPORT_FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`));
  if (named === undefined)
    throw new UsageError(`The name of "${file}" does not tell its format: add --format csv|ndjson.`);
  return named;
};

/** Writes into a new file, which is gone again if writing fails; without a name, to standard output. */
const withOutput = async <T>(
  file: string | undefined,
  work: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> => {
  if (file === undefined) return work(async (text) => terminal().write(text));
  const handle = await open(file, 'wx').catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'the file exists; name a new one' : error.message;
    throw new DomainError('invalid_input', `"${file}" cannot be written: ${why}.`);
  });
  try {
    const result = await work((text) => handle.writeFile(text));
    await handle.close();
    return result;
  } catch (error) {
    await handle.close();
    await rm(file, { force: true });
    throw error;
  }
};

/** Says on standard error what was written, so that it can be piped. */
const printExportCounts = (
  { written, left }: ExportCounts,
  what: ExportKind,
  share: StatementSource | 'published',
): void => {
  const of =
    share === 'published'
      ? 'as published'
      : share.kind === 'editor'
        ? 'as editors state them'
        : `as ${sourceKey(share)} states them`;
  const rest =
    left === 0 ? '' : ` ${left} more have no such statement: --stated-by names another source, --published takes all.`;
  printError(`${written} ${what} written, ${of}.${rest}`);
};

/** Defines the command that writes what an import takes. */
export const defineExport = (name: 'broker' | 'regulator', what: ExportKind): CommandDefinition =>
  defineCommand({
    words: `${name} export`,
    description: 'write what editors state, as a file that an import takes; importing it again changes nothing',
    args: { file: { value: '[file]', what: 'a new .csv or .ndjson file; else standard output' } },
    options: {
      format: {
        value: '<format>',
        what: 'format, if the name of the file does not tell it',
        choices: EXPORT_FORMATS,
        conflicts: 'json',
      },
      statedBy: {
        value: '<kind:name>',
        what: 'what this source states; import it with the same option',
        parse: parseSource,
      },
      published: {
        what: 'what is published, from all sources; if you import the file, you state all of it',
        conflicts: 'statedBy',
      },
      fields: { value: '<fields...>', what: 'these fields only' },
    },
    rights: { open: true, reads: true },
    json: 'print the records as one JSON array',
    example: `${what}.csv`,
    run: async ({ json, database }, { file, format, statedBy, published, fields }) => {
      const share = published ? ('published' as const) : (statedBy ?? EDITOR);
      if (json) {
        if (file !== undefined) throw new UsageError('--json prints the records: leave the file out.');
        const found = await database(({ db }) => listExportRecords(db, { what, share, fields }));
        printJson(found.records);
        printExportCounts(found.counts, what, share);
        return;
      }
      const wanted = { what, share, format: chooseFormat(file, format), fields };
      const counts = await database(({ db }) => withOutput(file, (write) => exportRecords(db, wanted, write)));
      printExportCounts(counts, what, share);
    },
  });
