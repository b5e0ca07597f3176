import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Command, Option } from 'commander';
import { listLicenses } from '../../features/brokers/facts.ts';
import { recordComparison, settleWait } from '../../features/registers/actions.ts';
import { applyCheck, findLastRowCount } from '../../intake/registers/apply.ts';
import { checkRegister } from '../../intake/registers/check.ts';
import { toList } from '../../intake/registers/fetching/take.ts';
import { findFileDay } from '../../intake/registers/file-day.ts';
import { checkLeis } from '../../intake/registers/leis.ts';
import { findCountRefusal } from '../../intake/sources/expected.rule.ts';
import type { LicenceSource } from '../../intake/sources/source.rule.ts';
import { listSourceNames, requireSource } from '../../intake/sources/sources.ts';
import type { Context } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { keepHeapSmall } from '../../platform/heap.ts';
import type { Db } from '../../platform/mongo.ts';
import { printRegisterCheck, toFindingRow } from './checked.ts';
import { requireFile } from './import.ts';
import { parseDay, parseText } from './options.ts';
import { print, printJson, printRows, printTruncation, truncateRows } from './output.ts';
import { parseLimit } from './review.ts';
import { describeFileError, wrapError } from './reworded.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface CheckOptions extends ActorOption {
  readonly register: string;
  readonly asOf?: Date;
  readonly apply?: boolean;
  readonly least?: number;
  readonly acceptName?: readonly string[];
  readonly license?: string;
  readonly attribution?: string;
  readonly json?: boolean;
}

/** @throws DomainError invalid_input if the file has too few entries, or too many */
const requireCompleteFile = async (
  db: Db,
  source: LicenceSource,
  rows: number,
  least: number | undefined,
): Promise<void> => {
  const refusal = findCountRefusal(source, rows, { last: await findLastRowCount(db, source), least });
  if (refusal !== undefined)
    throw new DomainError(
      'invalid_input',
      `${refusal} If you have looked and the file is whole, add --least ${rows}. Nothing was written.`,
    );
};

const check = async (context: Context, source: LicenceSource, file: string, options: CheckOptions) => {
  const asOf = (options.asOf ?? findFileDay(basename(file), statSync(file).mtime)).toISOString();
  if (new Date(asOf) > context.clock())
    throw new DomainError('invalid_input', `The file cannot be of ${asOf.slice(0, 10)}: the date is in the future.`);
  const checked = await checkRegister(context.db, source, file, asOf, new Set(options.acceptName));
  await requireCompleteFile(context.db, source, checked.rows, options.least);
  if (!options.json) printRegisterCheck(checked, source, asOf);
  let run: string | null = null;
  if (options.apply) {
    const { license = source.terms.license, attribution = source.terms.attribution } = options;
    const terms = { license, attribution, sourceUrl: source.page };
    run = (await applyCheck(context, { source, file, asOf, terms }, checked))?._id ?? null;
    await recordComparison(context, toList(source), [...checked.regulators], new Date(asOf));
    await settleWait(context.db, source.name);
  }
  if (options.json) {
    const findings = checked.findings.map(toFindingRow);
    const { rows, unknown } = checked;
    printJson({ register: source.name, asOf, rows, unknown: Object.fromEntries(unknown), findings, run });
  } else if (!options.apply) print('Nothing was written: add --apply to write it.');
  else
    print(
      run === null
        ? 'All of it is known already: nothing was written.'
        : `Written. To take it back: import undo ${run}`,
    );
};

const checkFile = async (env: NodeJS.ProcessEnv, file: string, options: CheckOptions): Promise<void> => {
  keepHeapSmall();
  const source = requireSource(options.register, 'licences');
  requireFile(file);
  await withDatabase(env, options.actor, (context) =>
    wrapError(check(context, source, file, options), describeFileError(file, 'written')),
  );
};

const addCheck = (license: Command, env: NodeJS.ProcessEnv): void => {
  license
    .command('check')
    .description("compare our licences with a regulator's own file; nothing is written without --apply")
    .argument('<file>', 'the file as the regulator publishes it')
    .addOption(
      new Option('--register <name>', 'whose file it is').choices(listSourceNames('licences')).makeOptionMandatory(),
    )
    .option(
      '--as-of <day>',
      'the day the file tells of, YYYY-MM-DD; else the one in its name, else the day it was saved',
      parseDay,
    )
    .option('--apply', 'write what the register says')
    .option(
      '--least <count>',
      'accept a file with at least this many entries, whatever the mapping expects',
      parseLimit,
    )
    .option('--accept-name <numbers...>', 'numbers of licences whose holder is the same firm under a new name')
    .option('--license <name>', 'licence of the data, if it is not the one that the mapping names', parseText)
    .option('--attribution <text>', 'whom the data asks to be named, if the mapping does not say it', parseText)
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating license check --register asic afs_lic_202611.csv --as-of 2026-11-18',
    )
    .action((file: string, options: CheckOptions) => checkFile(env, file, options));
};

interface LicenseListOptions {
  readonly regulator?: string;
  readonly broker?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (license: Command, env: NodeJS.ProcessEnv): void => {
  license
    .command('list')
    .description('list licences as we have them')
    .option('--regulator <code>', 'of this regulator')
    .option('--broker <slug>', 'of this broker')
    .option('--limit <count>', 'most rows', parseLimit, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating license list --regulator asic')
    .action(async ({ regulator, broker, limit, json }: LicenseListOptions) => {
      const found = await withDatabase(env, 'system', ({ db }) => listLicenses(db, { regulator, broker }, limit + 1));
      const { rows, total } = truncateRows(found, limit);
      printRows(
        rows.map(({ _id, ...one }) => one),
        {
          broker: (one) => one.broker,
          regulator: (one) => one.regulatorCode,
          number: (one) => one.referenceNumber,
          entity: (one) => one.entity.legalName,
          type: (one) => one.type,
          status: (one) => one.status,
          effective: (one) => one.statusEffectiveAt,
          verified: (one) => one.lastVerifiedAt,
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
};

interface LeisOptions {
  readonly source: string;
  readonly json?: boolean;
}

const checkLeiFile = async (env: NodeJS.ProcessEnv, file: string, { source, json }: LeisOptions): Promise<void> => {
  keepHeapSmall();
  requireFile(file);
  await withDatabase(env, 'system', async (context) => {
    const asOf = context.clock().toISOString();
    const checked = await wrapError(
      checkLeis(context.db, requireSource(source, 'identities'), file, asOf),
      describeFileError(file, 'written'),
    );
    if (json) return printJson(checked);
    printRows(
      checked.findings,
      {
        broker: (one) => one.broker,
        entity: (one) => one.legalName,
        LEI: (one) => one.lei,
        'what its record says': (one) => one.note,
      },
      false,
    );
    const { rows, ours, found } = checked;
    print(`${rows} records: ${found} of our ${ours} entities with an LEI are in the file. Nothing was written.`);
  });
};

const addLeis = (license: Command, env: NodeJS.ProcessEnv): void => {
  license
    .command('leis')
    .description('compare the LEIs that we have with records of their register; writes nothing')
    .argument('<file>', 'the file as it is published: all records, or the changes of a day')
    .addOption(
      new Option('--source <name>', 'whose file it is').choices(listSourceNames('identities')).default('gleif'),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating license leis 20261120-0800-gleif-goldencopy-lei2-golden-copy.csv.zip',
    )
    .action((file: string, options: LeisOptions) => checkLeiFile(env, file, options));
};

export const addLicenseCommands = (license: Command, env: NodeJS.ProcessEnv): void => {
  addCheck(license, env);
  addList(license, env);
  addLeis(license, env);
};
