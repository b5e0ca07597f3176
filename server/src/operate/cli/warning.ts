import { statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  decideMatch,
  listOpenMatches,
  listReadings,
  listWarnings,
  type ShownMatch,
  showWarning,
} from '../../features/warnings/actions.ts';
import { ALARMS } from '../../features/warnings/alarms.rule.ts';
import { listAlarms, SETTLEMENTS, settleAlarm } from '../../features/warnings/alarms.ts';
import { type About, MATCH_STATES } from '../../features/warnings/decide.rule.ts';
import { WARNING_DOUBTS } from '../../features/warnings/match.rule.ts';
import type { WarningState } from '../../features/warnings/warning.rule.ts';
import { findFileDay } from '../../intake/registers/file-day.ts';
import { listSourceNames } from '../../intake/sources/sources.ts';
import { importList, type ListReport } from '../../intake/warnings/import.ts';
import { readList, type WarningListOptions } from '../../intake/warnings/lists.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type CommandTools, defineCommand, listCodes } from './define-command.ts';
import { requireFile } from './import.ts';
import { LIMIT, parseDay, parseLimit, parseText, parseUrl } from './options.ts';
import { formatCodes, print, printJson, printRows, printTruncation } from './output.ts';
import { describeFileError, wrapError } from './reworded.ts';

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
    [
      ['id', ({ warning }) => warning._id],
      'broker',
      ['state', ({ match }) => match.state],
      ['about', ({ match }) => match.about ?? `${match.suggests}?`],
      ['warning', ({ warning }) => [...warning.names, ...warning.domains].join(', ').slice(0, 60)],
      ['evidence', formatEvidence],
      ['why a person', formatDoubts],
    ],
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

interface ImportOptions extends WarningListOptions {
  readonly asOf?: Date;
  readonly acceptChange?: boolean;
  readonly dryRun?: boolean;
}

const readListFile = async ({ database, json }: CommandTools, file: string, options: ImportOptions): Promise<void> => {
  const { acceptChange: isAccepted = false, dryRun = false } = options;
  requireFile(file);
  const report = await database(async (context) => {
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

const toWarningRow = ({ _id, ...warning }: WarningState) => ({ id: _id, ...warning });

/** The values of `--about`. */
const ABOUT_WORDS = { firm: 'this_firm', clone: 'clone_of_it' } as const satisfies Record<string, About>;

/** A warning and a broker. */
const MATCH = {
  id: { value: '<id>', what: 'the warning, as warning queue shows it' },
  broker: { value: '<broker>', what: 'slug of the broker' },
} as const;

export const warningCommands = [
  defineCommand({
    words: 'warning import',
    description: "read an authority's list of warnings and match it with brokers; the same file again changes nothing",
    rights: { roles: ['editor'], unattended: true },
    args: { file: { value: '<file>', what: 'the list as the authority publishes it, or NDJSON in the plain form' } },
    options: {
      source: { value: '<name>', what: 'which list it is', parse: parseText, required: true },
      asOf: {
        value: '<day>',
        what: 'the day it tells of, YYYY-MM-DD; else the one in its name, else the day it was saved',
        parse: parseDay,
      },
      acceptChange: 'write a file that withdraws or adds more than the service writes by itself; look at it first',
      dryRun: 'say what would change, and write nothing',
      least: {
        value: '<count>',
        what: 'accept a file with at least this many entries, whatever the mapping expects',
        parse: parseLimit,
      },
      authority: { value: '<code>', what: 'plain form: the regulator that warns', parse: parseText },
      listUrl: { value: '<url>', what: 'plain form: where people read the list', parse: parseUrl },
      newest: 'plain form: the file has only the newest warnings, and missing ones are not withdrawn',
    },
    json: true,
    help: () => `\nLists with a mapping file:\n  ${listSourceNames('warnings').join(', ')}`,
    example: '--source asic-alerts investor-alert-list.json --dry-run',
    run: (tools, { file, ...options }) => readListFile(tools, file, options),
  }),
  defineCommand({
    words: 'warning alarms',
    description: 'list licence numbers, LEIs and domains that several brokers have: one of them may be a clone',
    rights: { roles: ['editor'], reads: true },
    options: { all: 'those that are settled too' },
    help: formatCodes('Kinds', ALARMS),
    example: '',
    run: async ({ database }, { all }) => {
      const rows = await database(({ db }) => listAlarms(db, { all: all === true }));
      return rows.map(({ _id, ...row }) => ({ id: _id, ...row }));
    },
    columns: [
      'id',
      'kind',
      'regulator',
      'value',
      ['brokers', (row) => row.brokers.join(', ')],
      ['firms', (row) => (row.isClone ? 'different: perhaps a clone' : 'one')],
      ['raised', (row) => row.raisedAt?.toISOString().slice(0, 10) ?? 'now'],
      ['settled', (row) => row.settled?.why],
    ],
  }),
  defineCommand({
    words: 'warning settle',
    description: 'note why an alarm needs no more attention; it returns if one more broker joins',
    rights: { roles: ['editor'] },
    args: { alarm: { value: '<alarm>', what: 'as warning alarms shows it' } },
    options: {
      reason: { value: '<code>', what: 'a code of the list below', choices: listCodes(SETTLEMENTS), required: true },
    },
    help: formatCodes('Codes', SETTLEMENTS),
    example: 'number-5f0c21aa9b3d --reason one_firm --actor maria',
    run: async ({ database }, { alarm: id, reason }) => {
      await database((context) => settleAlarm(context, id, reason));
      return `Alarm ${id} is settled: ${SETTLEMENTS[reason]}.`;
    },
  }),
  defineCommand({
    words: 'warning queue',
    description: 'list the matches that wait for a person, those published unchecked first',
    rights: { roles: ['editor'], reads: true },
    options: { limit: LIMIT },
    example: '',
    run: async ({ json, database }, { limit }) => {
      const { rows, waiting, unchecked } = await database(({ db }) => listOpenMatches(db, limit));
      printMatches(rows, json);
      if (!json) print(`${unchecked} published unchecked, ${waiting} waiting.`);
      printTruncation(rows.length, waiting + unchecked, json);
    },
  }),
  defineCommand({
    words: 'warning confirm',
    description: 'say that a warning is about a broker, or about a clone of it; published within a second',
    rights: { roles: ['editor'] },
    args: MATCH,
    options: {
      about: {
        value: '<what>',
        what: 'firm: caps its score; clone: somebody pretends to be it, and its score stays',
        choices: listCodes(ABOUT_WORDS),
        required: true,
      },
    },
    example: 'asic-alerts-5f0c21aa9b3d7e64 alpha-markets --about clone --actor maria',
    run: async ({ database }, { id, broker, about }) => {
      await database((context) => decideMatch(context, id, broker, { kind: 'confirm', about: ABOUT_WORDS[about] }));
      return about === 'firm'
        ? `Published: ${id} is about ${broker}, whose score is at most 19 while it stands.`
        : `Published: ${id} is about a clone of ${broker}, whose score stays as it is.`;
    },
  }),
  defineCommand({
    words: 'warning reject',
    description: 'say that a warning that waits is not about a broker; reading the list again does not bring it back',
    rights: { roles: ['editor'] },
    args: MATCH,
    example: 'asic-alerts-5f0c21aa9b3d7e64 alpha-markets --actor maria',
    run: async ({ database }, { id, broker }) => {
      await database((context) => decideMatch(context, id, broker, { kind: 'reject' }));
      return `Rejected: ${id} is not about ${broker}. It was never published.`;
    },
  }),
  defineCommand({
    words: 'warning undo',
    description: 'take back a published match; the correction is published as well, and later readings keep it',
    rights: { roles: ['editor'] },
    args: MATCH,
    example: 'asic-alerts-5f0c21aa9b3d7e64 alpha-markets --actor maria',
    run: async ({ database }, { id, broker }) => {
      await database((context) => decideMatch(context, id, broker, { kind: 'undo' }));
      return `Corrected: ${id} is not about ${broker}. The correction is published with the broker and in the news.`;
    },
  }),
  defineCommand({
    words: 'warning list',
    description: 'list warnings of authorities, the last seen first',
    rights: { open: true, reads: true },
    options: {
      source: { value: '<name>', what: 'of this list', parse: parseText },
      authority: { value: '<code>', what: 'of this regulator', parse: parseText },
      text: { value: '<text>', what: 'whose names, domains, LEIs or numbers contain it', parse: parseText },
      limit: LIMIT,
    },
    example: '--text alpha',
    run: async ({ database }, { limit, ...filter }) => {
      const { rows, count } = await database(({ db }) => listWarnings(db, filter, limit));
      return { rows: rows.map(toWarningRow), total: count };
    },
    columns: [
      'id',
      ['authority', ({ authority }) => authority.code ?? authority.name],
      ['published', ({ publishedAt }) => publishedAt?.slice(0, 10)],
      ['withdrawn', ({ withdrawnAt }) => withdrawnAt?.slice(0, 10)],
      ['clone', ({ mentionsClone }) => (mentionsClone ? 'yes' : '')],
      ['names', ({ names }) => names.join(', ').slice(0, 60)],
      ['domains', ({ domains }) => domains.join(', ').slice(0, 60)],
    ],
  }),
  defineCommand({
    words: 'warning lists',
    description: 'show which lists were read, and of which day',
    rights: { open: true, reads: true },
    example: '',
    run: async ({ database }) => {
      const rows = await database(({ db }) => listReadings(db));
      return rows.map(({ _id, ...row }) => ({ source: _id, ...row }));
    },
    columns: [
      'source',
      ['as of', (row) => row.asOf.slice(0, 10)],
      'warnings',
      ['read', 'readAt'],
      ['file', (row) => row.sha256.slice(0, 12)],
    ],
  }),
  defineCommand({
    words: 'warning show',
    description: 'show a warning, the brokers that it may concern, and why',
    rights: { open: true, reads: true },
    args: { id: { value: '<id>', what: 'as warning list shows it' } },
    help: formatCodes('States of a match', MATCH_STATES),
    example: 'asic-alerts-5f0c21aa9b3d7e64',
    run: async ({ json, database }, { id }) => {
      const { warning: found, matches } = await database(({ db }) => showWarning(db, id));
      if (json) return printJson({ ...toWarningRow(found), matches: matches.map(toMatchRow) });
      const { authority, ...facts } = toWarningRow(found);
      const fields = Object.entries({ ...facts, authority: authority.name }).filter(
        ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
      );
      printRows(
        fields.map(([field, value]) => ({ field, value: Array.isArray(value) ? value.join(', ') : value })),
        ['field', ['value', (row) => row.value as string]],
        false,
      );
      print('');
      if (matches.length === 0) print('It fits no broker.');
      else printMatches(matches, false);
    },
  }),
];
