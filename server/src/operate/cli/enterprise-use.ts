import { InvalidArgumentError } from 'commander';
import { showOrganisation } from '../../enterprise/organisations/actions.ts';
import { formatMonth } from '../../enterprise/usage/quota.rule.ts';
import { buildUsageCsv, listAccesses, readUsage } from '../../enterprise/usage/reports.ts';
import type { Context } from '../../ledger/context.ts';
import { terminal } from '../../platform/terminal.ts';
import { defineCommand } from './define-command.ts';
import { LIMIT } from './options.ts';
import { printJson, printRows } from './output.ts';

const parseMonth = (text: string): string => {
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('Give a month as YYYY-MM.');
};

interface UsageOptions {
  readonly month?: string;
  readonly csv?: boolean;
}

const showUsage = async (
  { clock, db }: Context,
  id: string,
  { month = formatMonth(clock()), csv }: UsageOptions,
  json: boolean,
): Promise<void> => {
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
  printRows([...usage.routes, total], ['route', 'requests', 'bytes'], false);
};

export const useCommands = [
  defineCommand({
    words: 'enterprise usage',
    description: 'show what an organisation has used in a month',
    rights: { roles: ['admin'], reads: true },
    args: { organisation: { value: '<organisation>', what: 'its id' } },
    options: {
      month: { value: '<month>', what: 'YYYY-MM, if not the current one', parse: parseMonth },
      csv: { what: 'print the monthly file: a row for each day and route', conflicts: 'json' },
    },
    example: 'acme-news --month 2026-11',
    run: ({ database, json }, { organisation: id, ...options }) =>
      database((context) => showUsage(context, id, options, json)),
  }),
  defineCommand({
    words: 'enterprise access',
    description: 'list the last accesses of an organisation, newest first',
    rights: { roles: ['admin'], reads: true },
    args: { organisation: { value: '<organisation>', what: 'its id' } },
    options: { limit: LIMIT },
    example: 'acme-news --limit 20',
    run: async ({ database }, { organisation: id, limit }) => {
      const rows = await database(async ({ db }) => {
        await showOrganisation(db, id);
        return listAccesses(db, id, limit);
      });
      return rows;
    },
    columns: [
      ['time', 'at'],
      'key',
      'address',
      ['request', ({ method, target }) => `${method} ${target}`],
      'status',
      'bytes',
    ],
  }),
];
