import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { dropFile } from '../../features/registers/actions.ts';
import { DROP_REASONS } from '../../features/registers/policy.rule.ts';
import {
  APPLY_MODES,
  type ApplyMode,
  type ConfiguredList,
  toDefaultList,
} from '../../intake/registers/fetching/configured.rule.ts';
import { readConfiguredLists, readListStates, toFetchContext } from '../../intake/registers/fetching/lists.ts';
import { addFile, type FetchOutcome, fetchDue, fetchOne } from '../../intake/registers/fetching/run.ts';
import { type IngestReport, toList } from '../../intake/registers/fetching/take.ts';
import { findFileDay } from '../../intake/registers/file-day.ts';
import { requireSource } from '../../intake/sources/sources.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readConfig } from '../config.ts';
import { printRegisterCheck } from './checked.ts';
import { type CommandTools, defineCommand } from './define-command.ts';
import { requireFile } from './import.ts';
import { parseDay, parseLimit } from './options.ts';
import { print, printError, printJson, printRows } from './output.ts';
import { describeFileError, wrapError } from './reworded.ts';

interface IngestCommandOptions {
  readonly apply?: ApplyMode;
  readonly least?: number;
  readonly acceptName?: readonly string[];
  readonly acceptChange?: boolean;
  readonly dryRun?: boolean;
}

const toIngestOptions = (
  { apply, least, acceptName, acceptChange, dryRun }: IngestCommandOptions,
  configured: ApplyMode = 'nothing',
) => ({
  apply: apply ?? configured,
  least,
  acceptedNames: acceptName ?? [],
  isAccepted: acceptChange === true,
  isDryRun: dryRun === true,
});

const loadConfiguredLists = async (env: NodeJS.ProcessEnv): Promise<ConfiguredList[]> => {
  const { registers } = readConfig(env);
  return registers === undefined ? [] : readConfiguredLists(registers);
};

const countChanged = ({ checked }: IngestReport): number =>
  checked?.findings.filter(({ changes }) => changes.length > 0).length ?? 0;
const countUnclear = ({ checked }: IngestReport): number =>
  checked?.findings.filter(({ unclear }) => unclear !== undefined).length ?? 0;

/** Returns an outcome as a row: counts in place of every finding. */
const toOutcomeRow = ({ name, status, taken, error }: FetchOutcome) => ({
  name,
  status,
  entries: taken?.entries ?? null,
  compared: taken?.checked?.findings.length ?? null,
  changed: taken ? countChanged(taken) : null,
  unclear: taken ? countUnclear(taken) : null,
  run: taken?.run ?? null,
  error: error ?? taken?.waits ?? null,
});

const printOutcomes = (outcomes: readonly FetchOutcome[], json: boolean): void =>
  printRows(
    outcomes.map(toOutcomeRow),
    [['list', 'name'], ['file', 'status'], 'entries', 'compared', 'changed', 'unclear', 'run', ['note', 'error']],
    json,
  );

/** Prints what a file says of our licences, and what was written of it. */
const printIngested = (
  name: string,
  { asOf, checked, warnings, entries, regulators, run, waits }: IngestReport,
  dryRun: boolean,
): void => {
  const source = requireSource(name);
  if (checked && source.kind === 'licences') printRegisterCheck(checked, source, asOf);
  else print(`${source.publisher}: ${entries} entries of ${regulators.length} authorities.`);
  if (warnings) {
    const { changes, matches } = warnings;
    print(`Warnings: ${changes.new} new, ${changes.changed} changed, ${changes.withdrawn} withdrawn.`);
    print(`Brokers: ${matches.published} published unchecked, ${matches.waiting} to be decided: warning queue`);
  }
  if (waits !== undefined)
    print(
      `${waits} Look at the changes, then: ${warnings ? `register fetch ${name} --accept-change` : `license check --register ${name} FILE --apply`}`,
    );
  if (dryRun) print('Nothing was kept or written.');
  else
    print(
      run === null ? 'The file is kept. Nothing else was written.' : `Written. To take it back: import undo ${run}`,
    );
};

interface FetchOptions extends IngestCommandOptions {
  readonly due?: boolean;
  readonly termsRead?: boolean;
}

const fetchLists = async (
  { database, env, json }: CommandTools,
  names: readonly string[],
  options: FetchOptions,
): Promise<void> => {
  const config = readConfig(env);
  const configured = await loadConfiguredLists(env);
  if (names.length === 0 && configured.length === 0)
    throw new DomainError(
      'not_found',
      'No list is configured: name one (register list), or set REGISTERS to a JSON file. See docs/operating/registers.md.',
    );
  const chosen = names.length === 0 ? configured : names.map((name) => findConfiguredList(name, configured));
  const fetching = toFetchContext(config);
  const outcomes = await database(async (context) => {
    if (options.due) return fetchDue(context, chosen, fetching);
    const done: FetchOutcome[] = [];
    for (const one of chosen) {
      const terms = one.termsRead || options.termsRead === true;
      done.push(await fetchOne(context, { ...one, termsRead: terms }, fetching, toIngestOptions(options, one.apply)));
    }
    return done;
  });
  const [only] = outcomes;
  if (outcomes.length === 1 && only?.taken && !json) printIngested(only.name, only.taken, options.dryRun === true);
  else printOutcomes(outcomes, json);
  const failed = outcomes.filter(({ status }) => status === 'failed');
  if (outcomes.length === 1 && only?.error && !json) printError(`${only.name}: ${only.error}`);
  if (failed.length > 0)
    throw new DomainError('failed', `${failed.length} of ${outcomes.length} lists failed; the last good files stay.`);
};

const findConfiguredList = (name: string, configured: readonly ConfiguredList[]): ConfiguredList => {
  requireSource(name);
  return configured.find((one) => one.name === name) ?? toDefaultList(name);
};

const add = async (
  { database, env, json }: CommandTools,
  [name, file]: readonly [string, string],
  options: IngestCommandOptions & { readonly asOf?: Date },
): Promise<void> => {
  const source = requireSource(name);
  requireFile(file);
  const taken = await database(async (context) => {
    const asOf = (options.asOf ?? findFileDay(basename(file), statSync(file).mtime)).toISOString();
    if (new Date(asOf) > context.clock())
      throw new DomainError('invalid_input', `The file cannot be of ${asOf.slice(0, 10)}: the date is in the future.`);
    const brought = { path: file, name: basename(file), asOf };
    const work = addFile(context, source, brought, readConfig(env).dataDir, toIngestOptions(options));
    return wrapError(work, describeFileError(file, 'written'));
  });
  if (json) printJson(toOutcomeRow({ name, status: 'kept', taken, error: null }));
  else printIngested(name, taken, options.dryRun === true);
};

const INGEST = {
  apply: {
    value: '<what>',
    what: 'which results of a good file to write; unclear ones always wait',
    choices: APPLY_MODES,
  },
  least: {
    value: '<count>',
    what: 'accept a file with at least this many entries, whatever the mapping expects',
    parse: parseLimit,
  },
  acceptName: {
    value: '<numbers...>',
    what: 'numbers of licences whose holder is the same firm under a new name',
  },
  acceptChange: 'write the changes to a list of warnings that wait for you; look at them first',
  dryRun: 'show what it says; keep and write nothing',
} as const;

export const registerCommands = [
  defineCommand({
    words: 'register list',
    description: 'list published registers and lists that the service reads, and how old their files are',
    rights: { open: true, reads: true },
    options: { regulator: { value: '<code>', what: 'only lists with entries of this regulator' } },
    example: '--regulator fca',
    run: async ({ env, database }, { regulator }) => {
      const configured = await loadConfiguredLists(env);
      const rows = await database(({ db }) => readListStates(db, configured));
      return rows.filter(({ regulators }) => regulator === undefined || regulators.includes(regulator));
    },
    columns: [
      'name',
      'kind',
      'terms',
      'apply',
      'entries',
      ['as of', (row) => row.asOf?.slice(0, 10)],
      ['checked', 'checkedAt'],
      ['next', 'nextAt'],
      'failures',
      ['last error', 'lastError'],
      ['waits for you', 'waits'],
    ],
  }),
  defineCommand({
    words: 'register show',
    description: 'show a published list: what it covers, its terms, and the files that are kept',
    rights: { open: true, reads: true },
    args: { name: { value: '<name>', what: 'as register list shows it' } },
    example: 'asic',
    run: async ({ env, database }, { name }) => {
      const { covers, page, terms, seen, expected } = requireSource(name);
      const configured = await loadConfiguredLists(env);
      const rows = await database(({ db }) => readListStates(db, configured));
      const { files, terms: _, ...state } = rows.find((row) => row.name === name) as (typeof rows)[number];
      return { ...state, covers, page, terms, seen, expected, files };
    },
  }),
  defineCommand({
    words: 'register fetch',
    description: 'fetch published lists, keep the files that are whole, and compare our licences with them',
    rights: { roles: ['editor'], unattended: true },
    args: { names: { value: '[names...]', what: 'as register list shows them; else those of REGISTERS' } },
    options: {
      ...INGEST,
      due: 'only lists that are due',
      termsRead: 'fetch a list whose terms you have read, and which allow it',
    },
    json: true,
    example: 'asic --dry-run',
    run: (tools, { names = [], ...options }) => fetchLists(tools, names, options),
  }),
  defineCommand({
    words: 'register add-file',
    description: 'keep a file that you downloaded, as if the service had fetched it; it must be whole',
    rights: { roles: ['editor'] },
    args: {
      name: { value: '<name>', what: 'as register list shows it' },
      file: { value: '<file>', what: 'the file as it is published' },
    },
    options: {
      ...INGEST,
      asOf: {
        value: '<day>',
        what: 'the day the file tells of; else the one in its name, else the day it was saved',
        parse: parseDay,
      },
    },
    json: true,
    example: 'iosco iosco.csv --as-of 2026-11-20',
    run: (tools, { name, file, ...options }) => add(tools, [name, file], options),
  }),
  defineCommand({
    words: 'register drop',
    description: 'go back from the last file of a list to the one before; import undo takes licences back',
    rights: { roles: ['editor'] },
    args: { name: { value: '<name>', what: 'as register list shows it' } },
    options: { reason: { value: '<code>', what: 'why', choices: DROP_REASONS, required: true } },
    example: 'asic --reason not_whole',
    run: async ({ database }, { name, reason }) => {
      const source = requireSource(name);
      const { current } = await database((context) => dropFile(context, toList(source), reason));
      return current
        ? `The file of ${current.asOf.slice(0, 10)} is the last good one again.`
        : 'The list has no file now.';
    },
  }),
];
