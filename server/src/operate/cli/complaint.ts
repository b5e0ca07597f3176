import { COMPLAINT_STATUSES } from '@broker-transparency/contract';
import { listComplaints, listReminders, showComplaint } from '../../features/complaints/actions.ts';
import { advanceComplaintClocks } from '../../features/complaints/clocks.ts';
import { complaintAdd } from './complaint-add.ts';
import { complaintMoves } from './complaint-moves.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT, parseLimit } from './options.ts';

/** The command of the clocks of complaints. */
export const clockCommands = [
  defineCommand({
    words: 'admin complaint clocks',
    description: 'record reminders, overdue answers and final dates that are due; run it hourly',
    rights: { roles: ['complaints'], unattended: true },
    json: true,
    example: '',
    run: ({ database }) => database(advanceComplaintClocks),
    format: ({ reminded, overdue, unresolved }) =>
      `${reminded} reminders recorded, ${overdue} answers fell overdue, ${unresolved} complaints ended unresolved.`,
  }),
];

export const complaintCommands = [
  complaintAdd,
  defineCommand({
    words: 'complaint list',
    description: 'list complaints, oldest first',
    rights: { roles: ['complaints'], reads: true },
    options: {
      status: { value: '<status>', what: 'state', choices: COMPLAINT_STATUSES },
      broker: { value: '<slug>', what: 'about one broker' },
      author: { value: '<subject>', what: 'only of this person: subject or id of an account' },
      limit: LIMIT,
    },
    example: '--status forwarded --json',
    run: async ({ database }, { limit, ...filter }) => {
      const { rows, total } = await database(({ db }) => listComplaints(db, filter, limit));
      return { rows: rows.map(({ _id, ...row }) => ({ reference: _id, ...row })), total };
    },
    columns: [
      'reference',
      'broker',
      'category',
      'status',
      'ending',
      ['verified person', 'kycVerified'],
      'title',
      ['created', 'createdAt'],
    ],
  }),
  defineCommand({
    words: 'complaint show',
    description: 'show everything about a complaint, its private text too',
    rights: { roles: ['complaints'], reads: true },
    args: { reference: { value: '<reference>', what: 'as complaint list shows it' } },
    example: 'C-7QK2M9XF4T',
    run: async ({ database }, { reference }) => {
      const { _id, ...rest } = await database(({ db }) => showComplaint(db, reference));
      return { reference: _id, ...rest };
    },
  }),
  ...complaintMoves,
  defineCommand({
    words: 'complaint reminders',
    description: 'list the reminders that you have to send to brokers; then run complaint remind',
    rights: { roles: ['complaints'], reads: true },
    options: { limit: { value: '<count>', what: 'most complaints', parse: parseLimit, default: '1000' } },
    example: '--json',
    run: async ({ database }, { limit }) => database(({ db }) => listReminders(db, limit)),
    columns: ['reference', 'broker', 'day', ['forwarded', 'forwardedAt'], ['due', 'dueAt'], ['final', 'finalAt']],
  }),
];
