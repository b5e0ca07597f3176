import { statSync } from 'node:fs';
import { basename } from 'node:path';
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
import { type CommandTools, defineCommand } from './define-command.ts';
import { requireFile } from './import.ts';
import { LIMIT, parseDay, parseLimit, parseText } from './options.ts';
import { print, printJson, printRows, truncateRows } from './output.ts';
import { describeFileError, wrapError } from './reworded.ts';

interface CheckOptions {
  readonly register: string;
  readonly asOf?: Date;
  readonly apply?: boolean;
  readonly least?: number;
  readonly acceptName?: readonly string[];
  readonly license?: string;
  readonly attribution?: string;
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

const check = async (
  context: Context,
  source: LicenceSource,
  file: string,
  { json, ...options }: CheckOptions & { readonly json: boolean },
) => {
  const asOf = (options.asOf ?? findFileDay(basename(file), statSync(file).mtime)).toISOString();
  if (new Date(asOf) > context.clock())
    throw new DomainError('invalid_input', `The file cannot be of ${asOf.slice(0, 10)}: the date is in the future.`);
  const checked = await checkRegister(context.db, source, file, asOf, new Set(options.acceptName));
  await requireCompleteFile(context.db, source, checked.rows, options.least);
  if (!json) printRegisterCheck(checked, source, asOf);
  let run: string | null = null;
  if (options.apply) {
    const { license = source.terms.license, attribution = source.terms.attribution } = options;
    const terms = { license, attribution, sourceUrl: source.page };
    run = (await applyCheck(context, { source, file, asOf, terms }, checked))?._id ?? null;
    await recordComparison(context, toList(source), [...checked.regulators], new Date(asOf));
    await settleWait(context.db, source.name);
  }
  if (json) {
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

const checkFile = async ({ database, json }: CommandTools, file: string, options: CheckOptions): Promise<void> => {
  keepHeapSmall();
  const source = requireSource(options.register, 'licences');
  requireFile(file);
  await database((context) =>
    wrapError(check(context, source, file, { ...options, json }), describeFileError(file, 'written')),
  );
};

const checkLeiFile = async ({ database, json }: CommandTools, file: string, source: string): Promise<void> => {
  keepHeapSmall();
  requireFile(file);
  await database(async (context) => {
    const asOf = context.clock().toISOString();
    const checked = await wrapError(
      checkLeis(context.db, requireSource(source, 'identities'), file, asOf),
      describeFileError(file, 'written'),
    );
    if (json) return printJson(checked);
    printRows(
      checked.findings,
      ['broker', ['entity', 'legalName'], ['LEI', 'lei'], ['what its record says', 'note']],
      false,
    );
    const { rows, ours, found } = checked;
    print(`${rows} records: ${found} of our ${ours} entities with an LEI are in the file. Nothing was written.`);
  });
};

export const licenseCommands = [
  defineCommand({
    words: 'license check',
    description: "compare our licences with a regulator's own file; nothing is written without --apply",
    rights: { roles: ['editor'] },
    args: { file: { value: '<file>', what: 'the file as the regulator publishes it' } },
    options: {
      register: { value: '<name>', what: 'whose file it is', choices: listSourceNames('licences'), required: true },
      asOf: {
        value: '<day>',
        what: 'the day the file tells of, YYYY-MM-DD; else the one in its name, else the day it was saved',
        parse: parseDay,
      },
      apply: 'write what the register says',
      least: {
        value: '<count>',
        what: 'accept a file with at least this many entries, whatever the mapping expects',
        parse: parseLimit,
      },
      acceptName: { value: '<numbers...>', what: 'numbers of licences whose holder is the same firm under a new name' },
      license: {
        value: '<name>',
        what: 'licence of the data, if it is not the one that the mapping names',
        parse: parseText,
      },
      attribution: {
        value: '<text>',
        what: 'whom the data asks to be named, if the mapping does not say it',
        parse: parseText,
      },
    },
    json: true,
    noDryRun: 'Without --apply it writes nothing.',
    example: '--register asic afs_lic_202611.csv --as-of 2026-11-18',
    run: (tools, { file, ...options }) => checkFile(tools, file, options),
  }),
  defineCommand({
    words: 'license list',
    description: 'list licences as we have them',
    rights: { open: true, reads: true },
    options: {
      regulator: { value: '<code>', what: 'of this regulator' },
      broker: { value: '<slug>', what: 'of this broker' },
      limit: { ...LIMIT, default: '1000' },
    },
    example: '--regulator asic',
    run: async ({ database }, { regulator, broker, limit }) => {
      const found = await database(({ db }) => listLicenses(db, { regulator, broker }, limit + 1));
      const { rows, total } = truncateRows(found, limit);
      return { rows: rows.map(({ _id, ...one }) => one), total };
    },
    columns: [
      'broker',
      ['regulator', 'regulatorCode'],
      ['number', 'referenceNumber'],
      ['entity', (one) => one.entity.legalName],
      'type',
      'status',
      ['effective', 'statusEffectiveAt'],
      ['verified', 'lastVerifiedAt'],
    ],
  }),
  defineCommand({
    words: 'license leis',
    description: 'compare our LEIs with the records of their register; writes nothing',
    rights: { open: true, reads: true },
    args: { file: { value: '<file>', what: 'the file as it is published: all records, or the changes of a day' } },
    options: {
      source: { value: '<name>', what: 'whose file it is', choices: listSourceNames('identities'), default: 'gleif' },
    },
    example: '20261120-0800-gleif-goldencopy-lei2-golden-copy.csv.zip',
    run: (tools, { file, source }) => checkLeiFile(tools, file, source),
  }),
];
