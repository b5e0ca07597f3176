import { existsSync, statSync } from 'node:fs';
import { DAY_ORDERS, type DayOrder, DECIMAL_SIGNS, type DecimalSign, isEncoding } from '@broker-transparency/tables';
import { InvalidArgumentError } from 'commander';
import { describeColumns, formatColumns } from '../../intake/imports/describe.ts';
import { type ImportKind, KINDS, type KindName } from '../../intake/imports/kinds.ts';
import type { ImportFault } from '../../intake/imports/record.ts';
import { FORMATS, findFormat, type ImportFormat } from '../../intake/imports/rows.ts';
import { type ImportReport, runImport } from '../../intake/imports/run.ts';
import { TEMPLATE_FORMATS, type TemplateFormat, writeTemplate } from '../../intake/imports/template.ts';
import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import { printChanges, printOverruled } from './changes.ts';
import {
  type CommandDefinition,
  type CommandOptions,
  type CommandTools,
  defineCommand,
  listCodes,
} from './define-command.ts';
import { parseSource } from './fact.ts';
import { runCommands } from './import-runs.ts';
import { parseDay, parseText, parseUrl } from './options.ts';
import { print, printError, printJson } from './output.ts';
import { createProgress } from './progress.ts';
import { describeFileError, wrapError } from './reworded.ts';
import { UsageError } from './usage-error.ts';

interface ImportOptions {
  readonly format?: ImportFormat;
  readonly dryRun?: boolean;
  readonly resume?: boolean;
  readonly badRows?: string;
  readonly license?: string;
  readonly attribution?: string;
  readonly source?: string;
  readonly statedBy?: StatementSource;
  readonly validFrom?: Date;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly dates?: DayOrder;
  readonly decimals?: DecimalSign;
}

const formatFault = ({ line, column, detail }: ImportFault): string =>
  `line ${line}${column === undefined ? '' : `, column ${column}`}: ${detail}`.replace(/\p{Cc}/gu, ' ');

export const requireFile = (file: string): string => {
  if (!existsSync(file)) throw new DomainError('not_found', `There is no file "${file}".`);
  if (!statSync(file).isFile()) throw new DomainError('invalid_input', `"${file}" is not a file.`);
  return file;
};

const chooseFormat = (file: string, given: ImportFormat | undefined): ImportFormat => {
  const format = given ?? findFormat(file);
  if (format === undefined)
    throw new UsageError(`The name of "${file}" does not tell its format: add --format ${FORMATS.join('|')}.`);
  return format;
};

const formatCounts = ({ new: fresh, changed, unchanged, overruled, bad }: ImportReport): string =>
  [
    `${fresh} new, ${changed} changed, ${unchanged} unchanged`,
    ...(overruled > 0 ? [`${overruled} overruled`] : []),
    ...(bad > 0 ? [`${bad} bad`] : []),
  ].join(', ');

/** True if faults stop the import as a whole. */
const isRefused = ({ faultCount, rows }: ImportReport, badRows: string | undefined): boolean =>
  faultCount > 0 && (badRows === undefined || rows === 0);

const printReport = (report: ImportReport, name: string, { file, dryRun, badRows }: FileOptions): void => {
  for (const note of report.notes ?? []) printError(`${file}: ${note}`);
  for (const fault of report.faults) printError(`${file}: ${formatFault(fault)}`);
  if (report.faultCount > report.faults.length)
    printError(`… and ${report.faultCount - report.faults.length} more faults.`);
  if (isRefused(report, badRows)) return;
  if (report.faultCount > 0) print(`The rows with faults are ${dryRun ? 'left out' : `in ${badRows}`}.`);
  if (dryRun) {
    printChanges(report.changes ?? []);
    printOverruled(report.changes ?? []);
    print(`${report.rows} ${name}: ${formatCounts(report)}. Nothing was written.`);
  } else if (report.run === undefined) print('Nothing was imported.');
  else print(`${report.written} ${name} imported: ${formatCounts(report)}. To take it back: import undo ${report.run}`);
};

interface FileOptions {
  readonly file: string;
  readonly dryRun: boolean;
  readonly badRows: string | undefined;
}

const importFile = async ({ database, json }: CommandTools, name: KindName, file: string, options: ImportOptions) => {
  keepHeapSmall();
  const progress = createProgress();
  const { license = null, attribution = null, source: sourceUrl = null, badRows } = options;
  const terms = {
    license,
    attribution,
    sourceUrl,
    ...(options.statedBy ? { source: options.statedBy } : {}),
    ...(options.validFrom ? { validFrom: options.validFrom.toISOString() } : {}),
  };
  const [dryRun, resume] = [options.dryRun === true, options.resume === true];
  const format = chooseFormat(requireFile(file), options.format);
  const kind = KINDS[name] as unknown as ImportKind<unknown>;
  const { encoding, sheet, dates, decimals } = options;
  const manner = { ...(encoding === undefined ? {} : { encoding }), sheet, dates, decimals };
  const job = { what: name, file, format, manner, kind, dryRun, resume, badRows, ...terms };
  try {
    const report = await database((context) =>
      wrapError(runImport(context, { ...job, onProgress: progress.show }), describeFileError(file, 'imported')),
    );
    progress.stop();
    if (json) printJson(report);
    else printReport(report, name, { file, dryRun, badRows });
    if (isRefused(report, badRows))
      throw new DomainError(
        'invalid_input',
        `${report.faultCount} faults in ${report.rows} rows: nothing was imported.`,
      );
  } finally {
    progress.stop();
  }
};

const parseEncoding = (name: string): string => {
  if (!isEncoding(name))
    throw new InvalidArgumentError('Give the name of an encoding, such as utf-8, windows-1252 or shift_jis.');
  return name;
};

/** Sources that speak through files of an operator. The others speak for themselves. */
const STATING: ReadonlySet<string> = new Set(['editor', 'authority', 'dataset', 'broker']);

export const parseStating = (text: string): StatementSource => {
  const source = parseSource(text);
  if (!STATING.has(source.kind))
    throw new InvalidArgumentError(`Give one of ${[...STATING].join(', ')}, with a name: dataset:gleif.`);
  return source;
};

/** Kinds whose rows are statements of somebody. */
const STATED: ReadonlySet<KindName> = new Set(['brokers', 'regulators']);

/** Kinds that people wrote: they have no licence and no source. */
const PERSONAL: ReadonlySet<KindName> = new Set(['reviews', 'complaints']);

/** The options of a kind about where its rows come from. */
const TERMS: CommandOptions = {
  license: { value: '<name>', what: 'licence of the data, such as "CC BY 4.0"', parse: parseText },
  attribution: {
    value: '<text>',
    what: 'whom the data asks to be named; shown beside the sources of each broker',
    parse: parseText,
  },
  source: { value: '<url>', what: 'where the data was taken from', parse: parseUrl },
};
const STATEMENT: CommandOptions = {
  statedBy: { value: '<kind:name>', what: 'who says so, such as dataset:gleif; else the editors', parse: parseStating },
  validFrom: { value: '<day>', what: 'since when it holds, YYYY-MM-DD; kept with each statement', parse: parseDay },
};

/** Writes a template in place of an import. */
const exportTemplate = async (
  name: KindName,
  file: string | undefined,
  given: TemplateFormat | true,
): Promise<void> => {
  const named = TEMPLATE_FORMATS.find((format) => file?.toLowerCase().endsWith(`.${format}`));
  const format = given === true ? (named ?? 'csv') : given;
  const path = file ?? `${name}-template.${format}`;
  await writeTemplate(name, format, path);
  print(`${path} has every column of ${name}, and an example: put your rows in its place.`);
};

/** Defines the command that imports one kind. */
const defineImport = (name: KindName): CommandDefinition =>
  defineCommand({
    words: `import ${name}`,
    description: `import what a file says of ${name}`,
    rights: { roles: [PERSONAL.has(name) ? 'admin' : 'editor'] },
    args: { file: { value: '[file]', what: '.xlsx, .csv, .tsv, .ndjson or .jsonl' } },
    options: {
      ...(STATED.has(name) ? STATEMENT : {}),
      ...(PERSONAL.has(name) ? {} : TERMS),
      format: { value: '<format>', what: 'format, if the name of the file does not tell it', choices: FORMATS },
      dryRun: 'show what would change, and write nothing',
      dates: { value: '<order>', what: 'how days are written that are not YYYY-MM-DD', choices: DAY_ORDERS },
      decimals: {
        value: '<sign>',
        what: 'sign before decimals; the other one may separate thousands',
        choices: DECIMAL_SIGNS,
      },
      encoding: {
        value: '<name>',
        what: 'encoding of a text file, such as windows-1251; detected if omitted',
        parse: parseEncoding,
      },
      sheet: { value: '<name>', what: 'sheet of a workbook; the first one if omitted' },
      badRows: { value: '<file>', what: 'write rows with faults into this new file, and import the others' },
      resume: 'continue a stopped import of exactly this file',
      template: {
        value: '[format]',
        what: 'write a file with every column and an example, and import nothing',
        choices: TEMPLATE_FORMATS,
      },
    },
    json: 'print the report as JSON',
    help: () => `\n${formatColumns(describeColumns(KINDS[name]))}`,
    example: ['--template xlsx', `${name}.csv --dry-run`],
    run: (tools, { file, template, ...options }) => {
      if (template !== undefined) return exportTemplate(name, file, template);
      if (file === undefined) return tools.refuse("error: missing required argument 'file'");
      return importFile(tools, name, file, options);
    },
  });

export const importCommands = [...listCodes(KINDS).map(defineImport), ...runCommands];
