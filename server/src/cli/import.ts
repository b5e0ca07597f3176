import { existsSync, statSync } from 'node:fs';
import cliProgress from 'cli-progress';
import { type Command, Option } from 'commander';
import { KINDS, type Kind, type KindName } from '../import/kinds.ts';
import { FORMATS, type Format, formatOf } from '../import/rows.ts';
import { type Fault, type Report, runImport } from '../import/run.ts';
import { UnreadableFile } from '../import/unreadable.ts';
import { print } from './output.ts';
import { type ActorOption, Refused, withDatabase } from './session.ts';

interface ImportOptions extends ActorOption {
  readonly format?: Format;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** A bar on a terminal, nothing elsewhere. */
const createProgress = () => {
  const bar = new cliProgress.SingleBar({
    format: '{phase} {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    noTTYOutput: false,
    clearOnComplete: true,
  });
  let started = '';
  return {
    show: (phase: string, bytes: number, ofBytes: number): void => {
      if (!process.stderr.isTTY) return;
      if (started !== phase) bar.start(ofBytes, 0, { phase });
      started = phase;
      bar.update(bytes);
    },
    stop: (): void => bar.stop(),
  };
};

const faultLine = ({ line, column, detail }: Fault): string =>
  `line ${line}${column === undefined ? '' : `, column ${column}`}: ${detail}`.replace(/\p{Cc}/gu, ' ');

const readable = (file: string): string => {
  if (!existsSync(file)) throw new Refused(`There is no file "${file}".`);
  if (!statSync(file).isFile()) throw new Refused(`"${file}" is not a file.`);
  return file;
};

const formatFor = (file: string, given: Format | undefined): Format => {
  const format = given ?? formatOf(file);
  if (format === undefined)
    throw new Refused(`The name of "${file}" says no format: add --format ${FORMATS.join('|')}.`);
  return format;
};

const printReport = (report: Report, name: string, file: string, dryRun: boolean): void => {
  for (const fault of report.faults) process.stderr.write(`${file}: ${faultLine(fault)}\n`);
  if (report.faultCount > report.faults.length)
    process.stderr.write(`… and ${report.faultCount - report.faults.length} more faults.\n`);
  if (report.faultCount === 0)
    print(dryRun ? `${report.rows} ${name} are fit to be imported.` : `${report.written} ${name} imported.`);
};

const importFile = async <T>(
  env: NodeJS.ProcessEnv,
  name: string,
  kind: Kind<T>,
  file: string,
  options: ImportOptions,
) => {
  const progress = createProgress();
  const dryRun = options.dryRun === true;
  const format = formatFor(readable(file), options.format);
  try {
    const report = await withDatabase(env, options.actor, (context) =>
      runImport(context, { file, format, kind, dryRun, onProgress: progress.show }),
    );
    progress.stop();
    if (options.json) print(JSON.stringify(report, null, 2));
    else printReport(report, name, file, dryRun);
    if (report.faultCount > 0)
      throw new Refused(`${report.faultCount} faults in ${report.rows} rows: nothing was imported.`);
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refused(`${file}: ${error.message}. Nothing was imported.`) : error;
  } finally {
    progress.stop();
  }
};

export const addImportCommands = (program: Command, env: NodeJS.ProcessEnv): void => {
  const command = program
    .command('import')
    .description(
      'bring data in from NDJSON or CSV: every row is checked first, and a file with a fault is not imported',
    );
  for (const name of Object.keys(KINDS) as KindName[])
    command
      .command(name)
      .argument('<file>', '.ndjson, .jsonl or .csv')
      .description(`import ${name}, new or again`)
      .addOption(new Option('--format <format>', 'where the name does not say it').choices(FORMATS))
      .option('--dry-run', 'check only')
      .option('--json', 'print the report as JSON')
      .option('--actor <name>', 'who acts, for the audit trail', 'system')
      .addHelpText('after', `\nExample:\n  broker-rating import ${name} ${name}.csv --dry-run`)
      .action((file: string, options: ImportOptions) =>
        importFile(env, name, KINDS[name] as Kind<unknown>, file, options),
      );
};
