import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import { type Command, Option } from 'commander';
import { listComplaints, listReminders, showComplaint } from '../../features/complaints/actions.ts';
import { advanceComplaintClocks } from '../../features/complaints/clocks.ts';
import { addComplaintAdd } from './complaint-add.ts';
import { addComplaintMoves } from './complaint-moves.ts';
import { print, printJson, printRecord, printRows, printTruncation } from './output.ts';
import { parseLimit } from './review.ts';
import { type ActorOption, withDatabase } from './session.ts';

interface ComplaintListOptions {
  readonly status?: ComplaintStatus;
  readonly broker?: string;
  readonly author?: string;
  readonly limit: number;
  readonly json?: boolean;
}

const addList = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('list')
    .description('list complaints, oldest first')
    .addOption(new Option('--status <status>', 'state').choices(COMPLAINT_STATUSES))
    .option('--broker <slug>', 'about one broker')
    .option('--author <subject>', 'only of this person: subject or id of an account')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating complaint list --status forwarded --json')
    .action(async ({ limit, json, ...filter }: ComplaintListOptions) => {
      const { rows, total } = await withDatabase(env, 'system', ({ db }) => listComplaints(db, filter, limit));
      printRows(
        rows.map(({ _id, ...row }) => ({ reference: _id, ...row })),
        {
          reference: (row) => row.reference,
          broker: (row) => row.broker,
          category: (row) => row.category,
          status: (row) => row.status,
          ending: (row) => row.ending,
          'verified person': (row) => row.kycVerified,
          title: (row) => row.title,
          created: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
      printTruncation(rows.length, total, json === true);
    });
};

const addShow = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('show')
    .description('show everything about a complaint, its private text too')
    .argument('<reference>', 'as complaint list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating complaint show C-7QK2M9XF4T')
    .action(async (reference: string, { json }: { json?: boolean }) => {
      const { _id, ...rest } = await withDatabase(env, 'system', ({ db }) => showComplaint(db, reference));
      printRecord({ reference: _id, ...rest }, json === true);
    });
};

const addReminders = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('reminders')
    .description('list the reminders that you have to send to brokers; complaint remind notes that you did')
    .option('--limit <count>', 'most complaints', parseLimit, 1000)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating complaint reminders --json')
    .action(async ({ limit, json }: { limit: number; json?: boolean }) => {
      printRows(
        await withDatabase(env, 'system', ({ db }) => listReminders(db, limit)),
        {
          reference: (row) => row.reference,
          broker: (row) => row.broker,
          day: (row) => row.day,
          forwarded: (row) => row.forwardedAt?.toISOString(),
          due: (row) => row.dueAt?.toISOString(),
          final: (row) => row.finalAt?.toISOString(),
        },
        json === true,
      );
    });
};

/** Adds the command of the clocks of complaints. */
export const addClocksCommand = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  complaint
    .command('clocks')
    .description('record reminders, overdue answers and final dates that are due; run it hourly')
    .option('--json', 'print JSON')
    .option('--actor <name>', 'who acts, for the audit trail', 'system')
    .addHelpText('after', '\nExample:\n  broker-rating admin complaint clocks')
    .action(async ({ json, actor }: ActorOption & { json?: boolean }) => {
      const report = await withDatabase(env, actor, advanceComplaintClocks);
      if (json) printJson(report);
      else
        print(
          `${report.reminded} reminders recorded, ${report.overdue} answers fell overdue, ` +
            `${report.unresolved} complaints ended unresolved.`,
        );
    });
};

export const addComplaintCommands = (complaint: Command, env: NodeJS.ProcessEnv): void => {
  addComplaintAdd(complaint, env);
  addList(complaint, env);
  addShow(complaint, env);
  addComplaintMoves(complaint, env);
  addReminders(complaint, env);
};
