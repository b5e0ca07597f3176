import type { StatementSource } from '../../ledger/statements/statement.rule.ts';
import { type Correction, type CorrectionReport, correct, type FieldEdit } from '../edit/edit.ts';
import { type FieldText, parseFieldText } from '../edit/parts.ts';
import { printFields, printOverruled } from './changes.ts';
import { type CommandDefinition, type CommandTools, defineCommand } from './define-command.ts';
import { parseStating } from './import.ts';
import { parseDay, parseText, parseUrl } from './options.ts';
import { print, printJson } from './output.ts';
import { UsageError } from './usage-error.ts';

interface EditOptions {
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly change?: readonly string[];
  readonly to?: readonly string[];
  readonly source?: string;
  readonly reason?: string;
  readonly statedBy?: StatementSource;
  readonly validFrom?: Date;
  readonly dryRun?: boolean;
}

/** @throws UsageError unless it is field=value */
const readFact = (text: string): FieldText => {
  try {
    return parseFieldText(text);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/** Returns what the words of a command line say. @throws UsageError */
const toEdits = (facts: readonly string[], { add, remove, change, to }: EditOptions): FieldEdit[] => {
  const [field = ''] = facts;
  const entries: FieldEdit[] = [
    ...(add ? [{ what: 'add' as const, field, texts: add }] : []),
    ...(remove ? [{ what: 'remove' as const, field, texts: remove }] : []),
    ...(change ? [{ what: 'change' as const, field, texts: change, to: (to ?? []).map(readFact) }] : []),
  ];
  if ((change === undefined) !== (to === undefined))
    throw new UsageError('Give --change and --to together: the entry, and what becomes of it.');
  if (entries.length > 1) throw new UsageError('Give one of --add, --remove and --change.');
  if (entries.length === 0) return [{ what: 'set', parts: facts.map(readFact) }];
  if (facts.length !== 1 || field.includes('='))
    throw new UsageError('Name the list before its entry, such as: domains --add alpha.example');
  return entries;
};

const report = (
  { change, isNew, run }: CorrectionReport,
  name: string,
  { dryRun }: EditOptions,
  json: boolean,
): void => {
  if (json) {
    printJson({ change: change ?? null, run: run ?? null, dryRun: dryRun === true });
    return;
  }
  if (change) {
    if (change.change !== 'new' || change.score) printFields(change);
    else print(`${name} is new.`); // after it is written, its score is computed apart
    printOverruled([change]);
  }
  if (!isNew) print(`${name} already has this from the same source: nothing was written.`);
  else if (dryRun) print('Nothing was written: leave out --dry-run to do it.');
  else
    print(
      `${change === undefined ? 'Nothing that is published changes; the statement is kept. ' : ''}` +
        `To take it back: import undo ${run}`,
    );
};

/** A statement that is not refused needs an address, or a reason. */
const requireGround = ({ source, reason }: EditOptions): void => {
  if (source === undefined && reason === undefined)
    throw new UsageError('Pass --source URL (where it is from) or --reason TEXT (why).');
};

const applyEdits = async (
  { database, json }: CommandTools,
  told: Pick<Correction, 'of' | 'key' | 'expects'>,
  facts: readonly string[],
  options: EditOptions,
): Promise<void> => {
  const edits = toEdits(facts, options);
  requireGround(options);
  const terms = {
    sourceUrl: options.source ?? null,
    ...(options.statedBy ? { source: options.statedBy } : {}),
    ...(options.validFrom ? { validFrom: options.validFrom.toISOString() } : {}),
  };
  const dryRun = options.dryRun === true;
  const done = await database((context) => correct(context, { ...told, edits, terms, reason: options.reason, dryRun }));
  report(done, told.key, options, json);
};

const OPTIONS = {
  source: { value: '<url>', what: 'where it is from; published beside the fact', parse: parseUrl },
  reason: { value: '<text>', what: 'why; kept with the run, for operators only', parse: parseText },
  statedBy: { value: '<kind:name>', what: 'who says so, such as broker:alpha; else the editors', parse: parseStating },
  validFrom: { value: '<day>', what: 'since when it holds, YYYY-MM-DD', parse: parseDay },
  dryRun: 'show what would change, and write nothing',
} as const;

/** The differences between the commands of brokers and of regulators. */
export interface EditGroup {
  readonly of: Correction['of'];
  /** Name of the group of commands, and of one record. */
  readonly name: 'broker' | 'regulator';
  readonly key: string;
  readonly examples: { readonly add: string; readonly set: readonly string[] };
}

/** Defines the commands that state something about one record. */
export const defineEdits = ({ of, name, key, examples }: EditGroup): readonly CommandDefinition[] => [
  defineCommand({
    words: `${name} add`,
    description: `state a new ${name}`,
    rights: { roles: ['editor'] },
    args: {
      given: { value: `<${key}>`, what: 'a new one, which nobody has or had' },
      facts: { value: '<facts...>', what: 'field=value, as columns of an import are called' },
    },
    options: OPTIONS,
    json: true,
    example: examples.add,
    run: (tools, { given, facts, ...options }) => applyEdits(tools, { of, key: given, expects: 'new' }, facts, options),
  }),
  defineCommand({
    words: `${name} set`,
    description: 'state one fact, or one entry of a list; everything else stays. null takes a field back',
    rights: { roles: ['editor'] },
    args: {
      given: { value: `<${key}>`, what: `the ${name}` },
      facts: { value: '<facts...>', what: 'field=value; or a list, with --add, --remove or --change' },
    },
    options: {
      ...OPTIONS,
      add: { value: '<entry...>', what: 'into the list: values, or the parts of one entry as part=value' },
      remove: { value: '<entry...>', what: 'out of the list: values, or enough parts to tell the entry' },
      change: { value: '<entry...>', what: 'which entry of the list: enough parts to tell it' },
      to: { value: '<parts...>', what: 'what becomes of the entry that --change names, as part=value' },
    },
    json: true,
    example: examples.set,
    run: (tools, { given, facts, ...options }) =>
      applyEdits(tools, { of, key: given, expects: 'known' }, facts, options),
  }),
];
