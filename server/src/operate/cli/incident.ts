import { Timestamp } from '@broker-transparency/contract';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type Incident,
  type IncidentDraft,
  listIncidents,
  openIncident,
  resolveIncident,
  retractIncident,
  type SavedIncident,
  showIncident,
  updateIncident,
} from '../../features/incidents/actions.ts';
import { print, printRecord, printRows, printTruncation, truncateRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}Z$/;

/** Parses a time as people read it off the page: to the minute, or with seconds. */
const parseTime = (text: string): Date => {
  const whole = MINUTE.test(text) ? text.replace(/Z$/, ':00Z') : text;
  if (!Timestamp.safeParse(whole).success)
    throw new InvalidArgumentError('Give a time in UTC such as 2026-11-23T10:05Z.');
  return new Date(whole);
};

const describeState = ({ to, retractedAt }: Incident): string => {
  if (retractedAt) return 'retracted';
  return to === null ? 'going on' : 'resolved';
};

/** Says that nothing bears the times out, as the page does. */
const describeEvidence = ({ isSeen }: SavedIncident): string =>
  isSeen ? '' : ' The probers saw nothing then: the page says so. Measurements of the last minutes are not in yet.';

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

const addReading = (incident: Command, env: NodeJS.ProcessEnv): void => {
  incident
    .command('list')
    .description('incidents, newest first')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating incident list')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      const { rows, total } = truncateRows(
        await withDatabase(env, 'system', ({ db }) => listIncidents(db, limit + 1)),
        limit,
      );
      printRows(
        rows.map(({ _id, ...row }) => ({ id: _id, state: describeState({ _id, ...row }), ...row })),
        {
          id: (row) => row.id,
          state: (row) => row.state,
          from: (row) => row.from.toISOString(),
          to: (row) => row.to?.toISOString(),
          texts: (row) => row.updates.length,
          title: (row) => row.title,
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
  incident
    .command('show')
    .description('an incident with its texts')
    .argument('<id>', 'as incident list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating incident show in_5f0c21aa')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const { _id, ...rest } = await withDatabase(env, 'system', ({ db }) => showIncident(db, id));
      printRecord({ id: _id, state: describeState({ _id, ...rest }), ...rest }, json === true);
    });
};

const addEnding = (incident: Command, env: NodeJS.ProcessEnv): void => {
  incident
    .command('resolve')
    .description('say when an incident ended; not before the measured end')
    .argument('<id>', 'as incident list shows it')
    .requiredOption('--to <time>', 'when it ended, in UTC', parseTime)
    .option('--text <text>', 'what was done')
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident resolve in_5f0c21aa --to 2026-11-23T10:20Z --actor maria',
    )
    .action(async (id: string, { actor, ...end }: ActorOption & { to: Date; text?: string }) => {
      const saved = await withDatabase(env, actor, (context) => resolveIncident(context, id, end));
      print(`Incident ${id} ended ${saved.incident.to?.toISOString()}.${describeEvidence(saved)}`);
    });
  incident
    .command('retract')
    .description('take an incident from the page; what it said is kept')
    .argument('<id>', 'as incident list shows it')
    .option(...ACTOR)
    .addHelpText('after', '\nExample:\n  broker-rating incident retract in_5f0c21aa --actor maria')
    .action(async (id: string, { actor }: ActorOption) => {
      await withDatabase(env, actor, (context) => retractIncident(context, id));
      print(`Incident ${id} is on the page no more.`);
    });
};

export const addIncidentCommands = (incident: Command, env: NodeJS.ProcessEnv): void => {
  incident
    .command('open')
    .description('publish an incident on /status; it begins no later than what was measured')
    .requiredOption('--title <title>', 'what is wrong, on one line')
    .requiredOption('--from <time>', 'when it began, in UTC', parseTime)
    .option('--text <text>', 'what is known, in plain text')
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident open --title "Reads fail" --from 2026-11-23T10:02Z --actor maria',
    )
    .action(async ({ actor, ...draft }: ActorOption & IncidentDraft) => {
      const saved = await withDatabase(env, actor, (context) => openIncident(context, draft));
      print(`Incident ${saved.incident._id} is published.${describeEvidence(saved)}`);
    });
  incident
    .command('update')
    .description('add a text to an incident')
    .argument('<id>', 'as incident list shows it')
    .requiredOption('--text <text>', 'what is new, in plain text')
    .option('--from <time>', 'when it began, if that was stated wrongly', parseTime)
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident update in_5f0c21aa --text "We restart it." --actor maria',
    )
    .action(async (id: string, { actor, ...update }: ActorOption & { text: string; from?: Date }) => {
      const { updates } = await withDatabase(env, actor, (context) => updateIncident(context, id, update));
      print(`Incident ${id} has ${updates.length} ${updates.length === 1 ? 'text' : 'texts'}.`);
    });
  addEnding(incident, env);
  addReading(incident, env);
};
