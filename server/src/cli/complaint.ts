import { COMPLAINT_STATUSES, type ComplaintStatus } from '@broker-transparency/contract';
import { type Command, Option } from 'commander';
import { listComplaints } from '../complaints/actions.ts';
import { printRows } from './output.ts';
import { parseLimit } from './review.ts';
import { withDatabase } from './session.ts';

interface ListOptions {
  readonly status?: ComplaintStatus;
  readonly broker?: string;
  readonly limit: number;
  readonly json?: boolean;
}

export const addComplaintCommands = (program: Command, env: NodeJS.ProcessEnv): void => {
  const complaint = program.command('complaint').description('complaints; they are private');
  complaint
    .command('list')
    .description('complaints, oldest first')
    .addOption(new Option('--status <status>', 'state').choices(COMPLAINT_STATUSES))
    .option('--broker <slug>', 'about one broker')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .action(async ({ limit, json, ...filter }: ListOptions) => {
      const rows = await withDatabase(env, 'system', () => listComplaints(filter, limit));
      printRows(
        rows.map(({ _id, ...row }) => ({ reference: _id, ...row })),
        {
          reference: (row) => row.reference,
          broker: (row) => row.broker,
          category: (row) => row.category,
          status: (row) => row.status,
          'verified person': (row) => row.kycVerified,
          title: (row) => row.title,
          created: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
    });
};
