import { open, rm } from 'node:fs/promises';
import { type Command, Option } from 'commander';
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
import { parseSource } from './fact.ts';
import { printError, printJson } from './output.ts';
import { withDatabase } from './session.ts';
import { UsageError } from './usage-error.ts';

interface ExportOptions {
  readonly format?: ExportFormat;
  readonly statedBy?: StatementSource;
  readonly published?: boolean;
  readonly fields?: readonly string[];
  readonly json?: boolean;
}

const chooseFormat = (file: string | undefined, given: ExportFormat | undefined): ExportFormat => {
  if (given !== undefined) return given;
  if (file === undefined) return 'ndjson';
  const named = EXPORT_FORMATS.find((format) => file.toLowerCase().endsWith(`.${format}`));
  if (named === undefined)
    throw new DomainError('invalid_input', `The name of "${file}" does not tell its format: add --format csv|ndjson.`);
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

/** Adds the command that writes what an import takes. */
export const addExportCommand = (group: Command, env: NodeJS.ProcessEnv, what: ExportKind): void => {
  const name = what === 'brokers' ? 'broker' : 'regulator';
  group
    .command('export')
    .description('write what editors state, as a file that an import takes; to import it again changes nothing')
    .argument('[file]', 'a new .csv or .ndjson file; else standard output')
    .addOption(
      new Option('--format <format>', 'format, if the name of the file does not tell it').choices(EXPORT_FORMATS),
    )
    .option('--stated-by <kind:name>', 'what this source states; import it with the same option', parseSource)
    .addOption(
      new Option(
        '--published',
        'what is published, of all sources; to import the file states all of it as yours',
      ).conflicts('statedBy'),
    )
    .option('--fields <fields...>', 'these fields only')
    .addOption(new Option('--json', 'print the records as one JSON array').conflicts('format'))
    .addHelpText('after', `\nExample:\n  broker-rating ${name} export ${what}.csv`)
    .action(async (file: string | undefined, { format, statedBy, published, fields, json }: ExportOptions) => {
      const share = published ? ('published' as const) : (statedBy ?? EDITOR);
      if (json) {
        if (file !== undefined) throw new UsageError('--json prints the records: leave the file out.');
        const found = await withDatabase(env, 'system', ({ db }) => listExportRecords(db, { what, share, fields }));
        printJson(found.records);
        printExportCounts(found.counts, what, share);
        return;
      }
      const wanted = { what, share, format: chooseFormat(file, format), fields };
      const counts = await withDatabase(env, 'system', ({ db }) =>
        withOutput(file, (write) => exportRecords(db, wanted, write)),
      );
      printExportCounts(counts, what, share);
    });
};
