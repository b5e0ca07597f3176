import { type Command, InvalidArgumentError, Option } from 'commander';
import { showOrganisation } from '../../enterprise/organisations/actions.ts';
import { formatMonth } from '../../enterprise/usage/quota.rule.ts';
import { buildUsageCsv, listAccesses, readUsage } from '../../enterprise/usage/reports.ts';
import type { Context } from '../../ledger/context.ts';
import { terminal } from '../../platform/terminal.ts';
import { printJson, printRows } from './output.ts';
import { parseLimit } from './review.ts';
import { withDatabase } from './session.ts';

const parseMonth = (text: string): string => {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Give a month as YYYY-MM.');
};

interface UsageOptions {
  readonly month?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

const showUsage = async ({ clock, db }: Context, id: string, options: UsageOptions): Promise<void> => {
  const { month = formatMonth(clock()), csv, json } = options;
  const { organisation } = await showOrganisation(db, id);
  if (csv) {
    terminal().write(await buildUsageCsv(db, id, month));
    return;
  }
  const usage = await readUsage(db, id, organisation.plan, month);
  if (json) {
    printJson(usage);
    return;
  }
  const total = { route: `all of ${month}, of ${usage.quota}`, requests: usage.requests, bytes: usage.bytes };
  printRows(
    [...usage.routes, total],
    { route: ({ route }) => route, requests: ({ requests }) => requests, bytes: ({ bytes }) => bytes },
    false,
  );
};

const addUsage = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  enterprise
    .command('usage')
    .description('show what an organisation has used in a month')
    .argument('<organisation>', 'its id')
    .option('--month <month>', 'YYYY-MM, if not the current one', parseMonth)
    .addOption(new Option('--csv', 'print the monthly file: a row for each day and route').conflicts('json'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise usage acme-news --month 2026-11')
    .action((id: string, options: UsageOptions) =>
      withDatabase(env, 'system', (context) => showUsage(context, id, options)),
    );
};

/** Adds the commands about what organisations use. */
export const addUseCommands = (enterprise: Command, env: NodeJS.ProcessEnv): void => {
  addUsage(enterprise, env);
  enterprise
    .command('access')
    .description('list the last accesses of an organisation, newest first')
    .argument('<organisation>', 'its id')
    .option('--limit <count>', 'most rows', parseLimit, 50)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  broker-rating enterprise access acme-news --limit 20')
    .action(async (id: string, { limit, json }: { limit: number; json?: boolean }) => {
      const rows = await withDatabase(env, 'system', async ({ db }) => {
        await showOrganisation(db, id);
        return listAccesses(db, id, limit);
      });
      printRows(
        rows,
        {
          time: ({ at }) => at.toISOString(),
          key: ({ key }) => key,
          address: ({ address }) => address,
          request: ({ method, target }) => `${method} ${target}`,
          status: ({ status }) => status,
          bytes: ({ bytes }) => bytes,
        },
        json === true,
      );
    });
};
