import type { Command } from 'commander';
import { listDuplicates } from '../../features/reviews/actions.ts';
import { printRows } from './output.ts';
import { withDatabase } from './session.ts';

export const addDuplicatesCommand = (review: Command, env: NodeJS.ProcessEnv): void => {
  review
    .command('duplicates')
    .description(
      'list live reviews of one broker by one person, recognised only later: keep one, remove or withdraw the rest',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating review duplicates --json')
    .action(async ({ json }: { json?: boolean }) => {
      const rows = await withDatabase(env, 'system', ({ db }) => listDuplicates(db));
      printRows(
        rows.map(({ _id, broker, accountId, status, rating, title, createdAt }) => ({
          id: String(_id),
          broker,
          accountId,
          status,
          rating,
          title,
          createdAt,
        })),
        {
          id: (row) => row.id,
          broker: (row) => row.broker,
          account: (row) => row.accountId,
          status: (row) => row.status,
          rating: (row) => row.rating,
          title: (row) => row.title,
          created: (row) => row.createdAt.toISOString(),
        },
        json === true,
      );
    });
};
