import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import {
  decideMatch,
  listOpenMatches,
  listReadings,
  listWarnings,
  type ShownMatch,
  showWarning,
} from '../../features/warnings/actions.ts';
import { ALARMS } from '../../features/warnings/alarms.rule.ts';
import { listAlarms, SETTLEMENTS, type Settlement, settleAlarm } from '../../features/warnings/alarms.ts';
import { type About, MATCH_STATES } from '../../features/warnings/decide.rule.ts';
import { WARNING_DOUBTS } from '../../features/warnings/match.rule.ts';
import type { WarningState } from '../../features/warnings/warning.rule.ts';
import { findFileDay } from '../../intake/registers/file-day.ts';
import { listSourceNames } from '../../intake/sources/sources.ts';
import { importList, type ListReport } from '../../intake/warnings/import.ts';
import { readList, type WarningListOptions } from '../../intake/warnings/lists.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { requireFile } from './import.ts';
import { parseDay, parseText, parseUrl } from './options.ts';
import { formatCodes, print, printJson, printRows, printTruncation } from './output.ts';
import { parseLimit } from './review.ts';
import { describeFileError, wrapError } from './reworded.ts';
import { type ActorOption, withDatabase } from './session.ts';

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

const formatEvidence = ({ match }: ShownMatch): string =>
  match.evidence
    .map(({ field, relation, theirs, ours }) => `${field} ${relation}: ${theirs}${ours === theirs ? '' : ` / ${ours}`}`)
    .join('; ') || 'a person says so';

const formatDoubts = ({ match }: ShownMatch): string => match.doubts.map((doubt) => WARNING_DOUBTS[doubt]).join('; ');

const toMatchRow = (shown: ShownMatch) => ({
  id: shown.warning._id,
  broker: shown.broker,
  state: shown.match.state,
  about: shown.match.about,
  authority: shown.warning.authority.code ?? shown.warning.authority.name,
  names: shown.warning.names,
  domains: shown.warning.domains,
  mentionsClone: shown.warning.mentionsClone,
  evidence: shown.match.evidence,
  suggests: shown.match.suggests,
  doubts: shown.match.doubts,
  foundAt: shown.match.foundAt,
  url: shown.warning.url,
});

const printMatches = (rows: readonly ShownMatch[], json: boolean): void => {
  if (json) {
    printJson(rows.map(toMatchRow));
    return;
  }
  printRows(
    rows,
    {
      id: ({ warning }) => warning._id,
      broker: ({ broker }) => broker,
      state: ({ match }) => match.state,
      about: ({ match }) => match.about ?? `${match.suggests}?`,
      warning: ({ warning }) => [...warning.names, ...warning.domains].join(', ').slice(0, 60),
      evidence: formatEvidence,
      'why a person': formatDoubts,
    },
    false,
  );
};

const formatChanges = ({ source, asOf, warnings, changes }: ListReport): string =>
  `${source} as of ${asOf.slice(0, 10)}, ${warnings} warnings: ${changes.new} new, ${changes.changed} changed, ` +
  `${changes.withdrawn} withdrawn, ${changes.back} back.`;

const formatMatches = ({ matches }: ListReport, dryRun: boolean): string =>
  `Brokers: ${matches.published} ${dryRun ? 'would be ' : ''}published unchecked, ${matches.waiting} to be decided by a ` +
  `person, ${matches.corrected} corrected, ${matches.ended} ended.`;

const printReport = (report: ListReport, dryRun: boolean): void => {
  print(formatChanges(report));
  print(formatMatches(report, dryRun));
  if (dryRun && report.upheaval !== null) print(`${report.upheaval} It is written only with --accept-change.`);
  if (dryRun || report.upheaval !== null) print('Nothing was written.');
  else if (report.run === null) print('The list says nothing new.');
  else print(`Written. To take it back: import undo ${report.run}`);
};

interface ImportOptions extends ActorOption, WarningListOptions {
  readonly asOf?: Date;
  readonly acceptChange?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const readListFile = async (env: NodeJS.ProcessEnv, file: string, options: ImportOptions): Promise<void> => {
  const { actor, acceptChange: isAccepted = false, dryRun = false, json = false } = options;
  requireFile(file);
  const report = await withDatabase(env, actor, async (context) => {
    const asOf = (options.asOf ?? findFileDay(basename(file), statSync(file).mtime)).toISOString();
    const list = await wrapError(readList(context.db, file, asOf, options), describeFileError(file, 'written'));
    return importList(context, { ...list, fileName: basename(file) }, { dryRun, isAccepted });
  });
  if (json) printJson(report);
  else printReport(report, dryRun);
  if (report.upheaval !== null && !dryRun)
    throw new DomainError(
      'state_conflict',
      `${report.upheaval} Look at the file: it may be another one. If it is right, add --accept-change.`,
    );
};

const addImport = (warning: Command, env: NodeJS.ProcessEnv): void => {
  warning
    .command('import')
    .description("read an authority's list of warnings and match it with brokers; the same file again changes nothing")
    .argument('<file>', 'the list as the authority publishes it, or NDJSON in the plain form')
    .requiredOption('--source <name>', 'which list it is', parseText)
    .option(
      '--as-of <day>',
      'the day it tells of, YYYY-MM-DD; else the one in its name, else the day it was saved',
      parseDay,
    )
    .option(
      '--accept-change',
      'write a file that withdraws or adds more than a reading may by itself, since you have looked at it',
    )
    .option('--dry-run', 'say what would change, and write nothing')
    .option(
      '--least <count>',
      'accept a file with at least this many entries, whatever the mapping expects',
      parseLimit,
    )
    .option('--authority <code>', 'plain form: the regulator that warns', parseText)
    .option('--list-url <url>', 'plain form: where people read the list', parseUrl)
    .option('--newest', 'plain form: it has only the newest warnings, so that what is missing is not withdrawn')
    .option('--json', 'print JSON')
    .option(...ACTOR)
    .addHelpText('after', () => `\nLists with a mapping file:\n  ${listSourceNames('warnings').join(', ')}`)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating warning import --source asic-alerts investor-alert-list.json --dry-run',
    )
    .action((file: string, options: ImportOptions) => readListFile(env, file, options));
};

interface WarningQueueOptions {
  readonly limit: number;
  readonly json?: boolean;
}

const addQueue = (warning: Command, env: NodeJS.ProcessEnv): void => {
  warning
    .command('queue')
    .description('list the matches that wait for a person, those published unchecked first')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating warning queue')
    .action(async ({ limit, json = false }: WarningQueueOptions) => {
      const { rows, waiting, unchecked } = await withDatabase(env, 'system', ({ db }) => listOpenMatches(db, limit));
      printMatches(rows, json);
      if (!json) print(`${unchecked} published unchecked, ${waiting} waiting.`);
      printTruncation(rows.length, waiting + unchecked, json);
    });
};

const toWarningRow = ({ _id, ...warning }: WarningState) => ({ id: _id, ...warning });

const addReading = (warning: Command, env: NodeJS.ProcessEnv): void => {
  warning
    .command('list')
    .description('list warnings of authorities, the last seen first')
    .option('--source <name>', 'of this list', parseText)
    .option('--authority <code>', 'of this regulator', parseText)
    .option('--text <text>', 'whose names, domains, LEIs or numbers contain it', parseText)
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating warning list --text alpha')
    .action(async ({ limit, json = false, ...filter }: WarningQueueOptions & Record<string, never>) => {
      const { rows, count } = await withDatabase(env, 'system', ({ db }) => listWarnings(db, filter, limit));
      if (json) printJson(rows.map(toWarningRow));
      else
        printRows(
          rows,
          {
            id: ({ _id }) => _id,
            authority: ({ authority }) => authority.code ?? authority.name,
            published: ({ publishedAt }) => publishedAt?.slice(0, 10),
            withdrawn: ({ withdrawnAt }) => withdrawnAt?.slice(0, 10),
            clone: ({ mentionsClone }) => (mentionsClone ? 'yes' : ''),
            names: ({ names }) => names.join(', ').slice(0, 60),
            domains: ({ domains }) => domains.join(', ').slice(0, 60),
          },
          false,
        );
      printTruncation(rows.length, count, json);
    });
  warning
    .command('lists')
    .description('show which lists were read, and of which day')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating warning lists')
    .action(async ({ json = false }: { json?: boolean }) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listReadings(db));
      printRows(
        rows.map(({ _id, ...row }) => ({ source: _id, ...row })),
        {
          source: (row) => row.source,
          'as of': (row) => row.asOf.slice(0, 10),
          warnings: (row) => row.warnings,
          read: (row) => row.readAt.toISOString(),
          file: (row) => row.sha256.slice(0, 12),
        },
        json,
      );
    });
  warning
    .command('show')
    .description('show a warning, the brokers that it may concern, and why')
    .argument('<id>', 'as warning list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', formatCodes('States of a match', MATCH_STATES))
    .addHelpText('after', '\nExample:\n  broker-rating warning show asic-alerts-5f0c21aa9b3d7e64')
    .action(async (id: string, { json = false }: { json?: boolean }) => {
      const { warning: found, matches } = await withDatabase(env, 'system', ({ db }) => showWarning(db, id));
      if (json) return printJson({ ...toWarningRow(found), matches: matches.map(toMatchRow) });
      const { authority, ...facts } = toWarningRow(found);
      const fields = Object.entries({ ...facts, authority: authority.name }).filter(
        ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
      );
      printRows(
        fields.map(([field, value]) => ({ field, value: Array.isArray(value) ? value.join(', ') : value })),
        { field: (row) => row.field, value: (row) => row.value as string },
        false,
      );
      print('');
      if (matches.length === 0) print('It fits no broker.');
      else printMatches(matches, false);
    });
};

/** The values of `--about`. */
const ABOUT_WORDS = { firm: 'this_firm', clone: 'clone_of_it' } as const satisfies Record<string, About>;

const addDeciding = (warning: Command, env: NodeJS.ProcessEnv): void => {
  const createIdArgument = () => new Argument('<id>', 'the warning, as warning queue shows it');
  const createBrokerArgument = () => new Argument('<broker>', 'slug of the broker');
  const runDecision = async (actor: string, ...args: [string, string, Parameters<typeof decideMatch>[3]]) =>
    withDatabase(env, actor, (context) => decideMatch(context, ...args));
  warning
    .command('confirm')
    .description('say that a warning is about a broker, or about a clone of it; published within a second')
    .addArgument(createIdArgument())
    .addArgument(createBrokerArgument())
    .addOption(
      new Option('--about <what>', 'firm: caps its score; clone: somebody pretends to be it, and its score stays')
        .choices(Object.keys(ABOUT_WORDS))
        .makeOptionMandatory(),
    )
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating warning confirm asic-alerts-5f0c21aa9b3d7e64 alpha-markets --about clone --actor maria',
    )
    .action(
      async (given: string, slug: string, { actor, about }: ActorOption & { about: keyof typeof ABOUT_WORDS }) => {
        await runDecision(actor, given, slug, { kind: 'confirm', about: ABOUT_WORDS[about] });
        print(
          about === 'firm'
            ? `Published: ${given} is about ${slug}, whose score is at most 19 while it stands.`
            : `Published: ${given} is about a clone of ${slug}, whose score stays as it is.`,
        );
      },
    );
  warning
    .command('reject')
    .description('say that a warning that waits is not about a broker; reading the list again does not bring it back')
    .addArgument(createIdArgument())
    .addArgument(createBrokerArgument())
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating warning reject asic-alerts-5f0c21aa9b3d7e64 alpha-markets --actor maria',
    )
    .action(async (given: string, slug: string, { actor }: ActorOption) => {
      await runDecision(actor, given, slug, { kind: 'reject' });
      print(`Rejected: ${given} is not about ${slug}. It was never published.`);
    });
  warning
    .command('undo')
    .description('take back a published match; the correction is published as well, and later readings keep it')
    .addArgument(createIdArgument())
    .addArgument(createBrokerArgument())
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating warning undo asic-alerts-5f0c21aa9b3d7e64 alpha-markets --actor maria',
    )
    .action(async (given: string, slug: string, { actor }: ActorOption) => {
      await runDecision(actor, given, slug, { kind: 'undo' });
      print(`Corrected: ${given} is not about ${slug}. The correction is published with the broker and in the news.`);
    });
};

const addAlarms = (warning: Command, env: NodeJS.ProcessEnv): void => {
  warning
    .command('alarms')
    .description('list licence numbers, LEIs and domains that several brokers have: one of them may be a clone')
    .option('--all', 'those that are settled too')
    .option('--json', 'print JSON')
    .addHelpText('after', formatCodes('Kinds', ALARMS))
    .addHelpText('after', '\nExample:\n  broker-rating warning alarms')
    .action(async ({ all, json = false }: { all?: boolean; json?: boolean }) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listAlarms(db, { all: all === true }));
      printRows(
        rows.map(({ _id, ...row }) => ({ id: _id, ...row })),
        {
          id: (row) => row.id,
          kind: (row) => row.kind,
          regulator: (row) => row.regulator,
          value: (row) => row.value,
          brokers: (row) => row.brokers.join(', '),
          firms: (row) => (row.isClone ? 'different: perhaps a clone' : 'one'),
          raised: (row) => row.raisedAt?.toISOString().slice(0, 10) ?? 'now',
          settled: (row) => row.settled?.why,
        },
        json,
      );
    });
  warning
    .command('settle')
    .description('note why an alarm needs no more attention; it returns if one more broker joins')
    .argument('<alarm>', 'as warning alarms shows it')
    .addOption(
      new Option('--reason <code>', 'a code of the list below').choices(Object.keys(SETTLEMENTS)).makeOptionMandatory(),
    )
    .option(...ACTOR)
    .addHelpText('after', formatCodes('Codes', SETTLEMENTS))
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating warning settle number-5f0c21aa9b3d --reason one_firm --actor maria',
    )
    .action(async (id: string, { actor, reason }: ActorOption & { reason: Settlement }) => {
      await withDatabase(env, actor, (context) => settleAlarm(context, id, reason));
      print(`Alarm ${id} is settled: ${SETTLEMENTS[reason]}.`);
    });
};

export const addWarningCommands = (warning: Command, env: NodeJS.ProcessEnv): void => {
  addImport(warning, env);
  addAlarms(warning, env);
  addQueue(warning, env);
  addDeciding(warning, env);
  addReading(warning, env);
};
