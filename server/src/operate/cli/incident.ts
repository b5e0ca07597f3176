import type { Command } from 'commander';
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
import type { Moment } from './moment.rule.ts';
import { parseMoment } from './options.ts';
import { print, printRecord, printRows, printTruncation, truncateRows } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

const describeState = ({ to, retractedAt }: Incident): string => {
  if (retractedAt) return 'retracted';
  return to === null ? 'going on' : 'resolved';
};

/** Says that nothing bears the times out, as the page does. */
const describeEvidence = ({ isSeen }: SavedIncident): string =>
  isSeen ? '' : ' The probers saw nothing then: the page says so. Measurements of the last minutes are not in yet.';

interface OpenOptions extends ActorOption, Omit<IncidentDraft, 'from'> {
  readonly since: Moment;
}

const ACTOR = ['--actor <name>', 'who acts, for the audit trail', 'system'] as const;

const addReading = (incident: Command, env: NodeJS.ProcessEnv): void => {
  incident
    .command('list')
    .description('list incidents, newest first')
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
    .description('show an incident with its texts')
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
    .requiredOption('--until <when>', 'when it ended: a time, or how long ago, such as 20m', parseMoment)
    .option('--text <text>', 'what was done')
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident resolve in_5f0c21aa --until 2026-11-23T10:20Z --actor maria',
    )
    .action(async (id: string, { actor, until, text }: ActorOption & { until: Moment; text?: string }) => {
      const saved = await withDatabase(env, actor, (context) =>
        resolveIncident(context, id, { to: until(context.clock()), text }),
      );
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
      print(`Incident ${id} is no longer on the page.`);
    });
};

export const addIncidentCommands = (incident: Command, env: NodeJS.ProcessEnv): void => {
  incident
    .command('open')
    .description('publish an incident on /status; it begins no later than what was measured')
    .requiredOption('--title <title>', 'what is wrong, on one line')
    .requiredOption('--since <when>', 'when it began: a time, or how long ago, such as 20m', parseMoment)
    .option('--text <text>', 'what is known, in plain text')
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident open --title "Reads fail" --since 2026-11-23T10:02Z --actor maria',
    )
    .action(async ({ actor, since, ...rest }: OpenOptions) => {
      const saved = await withDatabase(env, actor, (context) =>
        openIncident(context, { ...rest, from: since(context.clock()) }),
      );
      print(`Incident ${saved.incident._id} is published.${describeEvidence(saved)}`);
    });
  incident
    .command('update')
    .description('add a text to an incident')
    .argument('<id>', 'as incident list shows it')
    .requiredOption('--text <text>', 'what is new, in plain text')
    .option('--since <when>', 'when it began, if that was stated wrongly', parseMoment)
    .option(...ACTOR)
    .addHelpText(
      'after',
      '\nExample:\n  broker-rating incident update in_5f0c21aa --text "We restart it." --actor maria',
    )
    .action(async (id: string, { actor, text, since }: ActorOption & { text: string; since?: Moment }) => {
      const { updates } = await withDatabase(env, actor, (context) =>
        updateIncident(context, id, { text, from: since?.(context.clock()) }),
      );
      print(`Incident ${id} has ${updates.length} ${updates.length === 1 ? 'text' : 'texts'}.`);
    });
  addEnding(incident, env);
  addReading(incident, env);
};
