import { SourceKind } from '@broker-transparency/contract';
import { InvalidArgumentError } from 'commander';
import { type KnownBroker, readKnownBrokers } from '../../features/brokers/known.ts';
import { createPropertyNamer, parseLicenseName } from '../../features/brokers/licenses.rule.ts';
import { overruleBroker } from '../../features/brokers/overrules.ts';
import { readKnownRegulators } from '../../features/regulators/actions.ts';
import { flattenFields } from '../../ledger/audit/fields.rule.ts';
import { actorName } from '../../ledger/audit/store.ts';
import { type KnownSubject, listStatements } from '../../ledger/statements/record.ts';
import {
  formatValue,
  type Overrule,
  parseOverrule,
  type StatementSource,
  sourceKey,
} from '../../ledger/statements/statement.rule.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Db, snapshot } from '../../platform/mongo.ts';
import { defineCommand } from './define-command.ts';
import { parseText } from './options.ts';
import { omitDerived, print, printRows } from './output.ts';
import type { OpenDatabase } from './session.ts';
import { UsageError } from './usage-error.ts';

const KINDS = ['broker', 'regulator'] as const;
type FactSubjectKind = (typeof KINDS)[number];

/** Parses `kind:name`; a kind alone is its own name. */
export const parseSource = (text: string): StatementSource => {
  const [, kind = '', name = kind] = /^([a-z]+)(?::(.+))?$/s.exec(text.trim()) ?? [];
  const { data } = SourceKind.safeParse(kind);
  if (data === undefined)
    throw new InvalidArgumentError(`Give kind:name, where kind is one of ${SourceKind.options.join(', ')}.`);
  return { kind: data, name: parseText(name) };
};

const readKnown = async (db: Db, kind: FactSubjectKind, name: string): Promise<KnownSubject<object>> => {
  const read = (kind === 'broker' ? readKnownBrokers : readKnownRegulators) as typeof readKnownBrokers;
  const found = (await snapshot(db, (tx) => read([name], tx))).get(name) as KnownSubject<object>;
  if (found.isNew) throw new DomainError('not_found', `There is no ${kind} "${name}".`);
  return found;
};

/** One claim of a source. */
interface FactRow {
  /** The field that it decides, as `--field` takes it. */
  readonly field: string;
  /** The name under which it is stated. */
  readonly property: string;
  readonly source: string;
  readonly asOf: string;
  readonly says: string;
  /** The cell of a table for it. */
  readonly inShort?: string;
  readonly published: boolean;
  readonly url: string | null;
}

/** The longest value that a table shows. */
const SHORT = 60;

const toShortText = (property: string, value: unknown): string => {
  const overrule = parseOverrule(property, value);
  const { status, newName } = { ...(parseLicenseName(property) && (value as { status?: string; newName?: string })) };
  const text = overrule ? `overrules ${sourceKey(overrule.source)}: ${overrule.reason}` : (status ?? newName);
  const whole = text ?? formatValue(value);
  return whole.length > SHORT ? `${whole.slice(0, SHORT)}…` : whole;
};

const createFieldResolver = (
  { candidates, state }: KnownSubject<object>,
  kind: FactSubjectKind,
): ((property: string) => string) =>
  kind === 'broker'
    ? createPropertyNamer(candidates, (state as KnownBroker['state'])?.licenses ?? [])
    : (property) => property;

const toFactRows = (found: KnownSubject<object>, kind: FactSubjectKind): FactRow[] => {
  const { candidates, resolved } = found;
  const resolveField = createFieldResolver(found, kind);
  const isLost = (name: string, source: StatementSource): boolean =>
    resolved.contested.some(({ field, other }) => sourceKey(other.source) === sourceKey(source) && field === name);
  const isInForce = ({ property, source }: Overrule): boolean =>
    (candidates.get(property) ?? []).some(
      (one) => one.overruled !== undefined && sourceKey(one.source) === sourceKey(source),
    );
  return [...candidates].flatMap(([property, stated]) =>
    stated.map(({ source, asOf, value, url, overruled }) => {
      const overrule = parseOverrule(property, value);
      const field = resolveField(overrule?.property ?? property);
      const published = overrule ? isInForce(overrule) : overruled === undefined && !isLost(field, source);
      const says = { says: formatValue(value), inShort: toShortText(property, value) };
      return { field, property, source: sourceKey(source), asOf, ...says, published, url };
    }),
  );
};

/** Every statement about a subject, the first one first, one row for each thing that it says. */
const listHistory = async (database: OpenDatabase, kind: FactSubjectKind, name: string) => {
  const statements = await database(async ({ db }) => {
    const { subject } = await readKnown(db, kind, name);
    return listStatements(db, subject._id);
  });
  return statements.flatMap(({ said, version, source, recordedAt, actor, cause, run, withdrawn }) =>
    said.flatMap(({ property, value }) => {
      const row = {
        version,
        at: recordedAt.toISOString(),
        actor: actorName(actor),
        source: sourceKey(source),
        cause,
        run,
      };
      const ended = withdrawn?.at.toISOString();
      const fields = value === undefined ? [[property, null] as const] : [...flattenFields({ [property]: value })];
      return fields.map(([field, says]) => ({ ...row, field, says, withdrawn: ended }));
    }),
  );
};

interface OverruleOptions {
  readonly field: string;
  readonly source: StatementSource;
  readonly reason?: string;
  readonly end?: boolean;
  readonly dryRun?: boolean;
}

const overrule = async (database: OpenDatabase, slug: string, options: OverruleOptions): Promise<void> => {
  const { field, source, end, reason, dryRun = false } = options;
  if (!end && reason === undefined) throw new UsageError('error: pass --reason TEXT, which the API shows');
  const changes = await database((context) =>
    overruleBroker(context, slug, { field, source, reason: end ? null : (reason as string), dryRun }),
  );
  const shown = omitDerived(changes);
  if (shown.length > 0) printRows(shown, ['field', 'before', 'after'], false);
  else
    print(
      changes.length === 0
        ? 'Nothing that is published changes.'
        : 'Nothing that is published changes, except whom the API names as its source.',
    );
  if (dryRun) print('Nothing was written.');
  else print(end ? 'The decision has ended.' : 'The decision is written. To take it back: --end');
};

const SUBJECT = {
  kind: { value: '<kind>', what: 'what it is about', choices: KINDS },
  name: { value: '<name>', what: 'slug of a broker, code of a regulator' },
} as const;

export const factCommands = [
  defineCommand({
    words: 'fact show',
    description: 'show what every source says, and what is published',
    rights: { open: true, reads: true },
    args: SUBJECT,
    example: 'broker alpha-markets',
    run: async ({ database, json }, { kind, name }) => {
      const rows = toFactRows(await database(({ db }) => readKnown(db, kind, name)), kind);
      return json ? rows.map(({ inShort: _, ...row }): FactRow => row) : rows;
    },
    columns: ['field', 'source', 'asOf', ['says', 'inShort'], ['published', (row) => (row.published ? 'yes' : 'no')]],
  }),
  defineCommand({
    words: 'fact history',
    description: 'list every statement that was ever made, with who made it, when and why',
    rights: { roles: ['moderator', 'editor', 'complaints'], reads: true },
    args: SUBJECT,
    example: 'regulator fca',
    run: ({ database }, { kind, name }) => listHistory(database, kind, name),
    columns: [
      'at',
      'actor',
      'source',
      'field',
      ['says', (row) => row.says ?? '(taken back)'],
      ['why', (row) => (row.run === null ? row.cause : `${row.cause}:${row.run}`)],
      'withdrawn',
    ],
  }),
  defineCommand({
    words: 'fact overrule',
    description: 'do not publish what a source says of a field, until it says something else',
    rights: { roles: ['editor'] },
    args: { broker: { value: '<broker>', what: 'slug of the broker' } },
    options: {
      field: { value: '<field>', what: 'as a dry run and the API name it, such as "legalName"', required: true },
      source: {
        value: '<kind:name>',
        what: 'whom to overrule, such as register:asic',
        parse: parseSource,
        required: true,
      },
      reason: { value: '<text>', what: 'why, which the API shows', parse: parseText },
      end: 'take the decision back',
      dryRun: 'show what would change, and write nothing',
    },
    example:
      'alpha-markets --field legalName --source register:asic \\\n' +
      '    --reason "The register has a typing error; ASIC confirmed it." --actor maria',
    run: ({ database }, { broker, ...options }) => overrule(database, broker, options),
  }),
];
