import {
  type Incident,
  listIncidents,
  openIncident,
  resolveIncident,
  retractIncident,
  type SavedIncident,
  showIncident,
  updateIncident,
} from '../../features/incidents/actions.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT, parseMoment } from './options.ts';
import { truncateRows } from './output.ts';

const describeState = ({ to, retractedAt }: Incident): string => {
  if (retractedAt) return 'retracted';
  return to === null ? 'going on' : 'resolved';
};

/** Says that nothing bears the times out, as the page does. */
const describeEvidence = ({ isSeen }: SavedIncident): string =>
  isSeen ? '' : ' The probers saw nothing then: the page says so. Measurements of the last minutes are not in yet.';

export const incidentCommands = [
  defineCommand({
    words: 'incident open',
    description: 'publish an incident on /status; it cannot begin after the outage that was measured',
    rights: { roles: ['editor'] },
    options: {
      title: { value: '<title>', what: 'what is wrong, on one line', required: true },
      since: {
        value: '<when>',
        what: 'when it began: a time, or how long ago, such as 20m',
        parse: parseMoment,
        required: true,
      },
      text: { value: '<text>', what: 'what is known, in plain text', lines: true },
    },
    example: '--title "Reads fail" --since 2026-11-23T10:02Z --actor maria',
    run: async ({ database }, { since, ...rest }) => {
      const saved = await database((context) => openIncident(context, { ...rest, from: since(context.clock()) }));
      return `Incident ${saved.incident._id} is published.${describeEvidence(saved)}`;
    },
  }),
  defineCommand({
    words: 'incident update',
    description: 'add a text to an incident',
    rights: { roles: ['editor'] },
    args: { id: { value: '<id>', what: 'as incident list shows it' } },
    options: {
      text: { value: '<text>', what: 'what is new, in plain text', lines: true, required: true },
      since: { value: '<when>', what: 'when it began, if that was stated wrongly', parse: parseMoment },
    },
    example: 'in_5f0c21aa --text "We restart it." --actor maria',
    run: async ({ database }, { id, text, since }) => {
      const { updates } = await database((context) =>
        updateIncident(context, id, { text, from: since?.(context.clock()) }),
      );
      return `Incident ${id} has ${updates.length} ${updates.length === 1 ? 'text' : 'texts'}.`;
    },
  }),
  defineCommand({
    words: 'incident resolve',
    description: 'say when an incident ended; it cannot end before the outage that was measured',
    rights: { roles: ['editor'] },
    args: { id: { value: '<id>', what: 'as incident list shows it' } },
    options: {
      until: {
        value: '<when>',
        what: 'when it ended: a time, or how long ago, such as 20m',
        parse: parseMoment,
        required: true,
      },
      text: { value: '<text>', what: 'what was done', lines: true },
    },
    example: 'in_5f0c21aa --until 2026-11-23T10:20Z --actor maria',
    run: async ({ database }, { id, until, text }) => {
      const saved = await database((context) => resolveIncident(context, id, { to: until(context.clock()), text }));
      return `Incident ${id} ended ${saved.incident.to?.toISOString()}.${describeEvidence(saved)}`;
    },
  }),
  defineCommand({
    words: 'incident retract',
    description: 'take an incident off /status; its texts are kept',
    rights: { roles: ['editor'] },
    args: { id: { value: '<id>', what: 'as incident list shows it' } },
    example: 'in_5f0c21aa --actor maria',
    run: async ({ database }, { id }) => {
      await database((context) => retractIncident(context, id));
      return `Incident ${id} is no longer on the page.`;
    },
  }),
  defineCommand({
    words: 'incident list',
    description: 'list incidents, newest first',
    rights: { open: true, reads: true },
    options: { limit: LIMIT },
    example: '',
    run: async ({ database }, { limit }) => {
      const { rows, total } = truncateRows(await database(({ db }) => listIncidents(db, limit + 1)), limit);
      return {
        rows: rows.map(({ _id, ...row }) => ({ id: _id, state: describeState({ _id, ...row }), ...row })),
        total,
      };
    },
    columns: ['id', 'state', 'from', 'to', ['texts', (row) => row.updates.length], 'title'],
  }),
  defineCommand({
    words: 'incident show',
    description: 'show an incident with its texts',
    rights: { open: true, reads: true },
    args: { id: { value: '<id>', what: 'as incident list shows it' } },
    example: 'in_5f0c21aa',
    run: async ({ database }, { id }) => {
      const { _id, ...rest } = await database(({ db }) => showIncident(db, id));
      return { id: _id, state: describeState({ _id, ...rest }), ...rest };
    },
  }),
];
