import { type EnterpriseUsage, PLANS, type PlanName } from '@broker-transparency/contract/enterprise';
import type { Db } from '../../platform/mongo.ts';
import { type DayUse, findAccesses, findUsers, findUses } from './store.ts';

export const listAccesses = findAccesses;

type UseTotals = Pick<DayUse, 'requests' | 'bytes'>;

const sumTotals = (uses: readonly UseTotals[]): UseTotals => ({
  requests: uses.reduce((sum, { requests }) => sum + requests, 0),
  bytes: uses.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** Returns an organisation's use in a month. */
export const readUsage = async (
  db: Db,
  organisation: string,
  plan: PlanName,
  month: string,
): Promise<EnterpriseUsage> => {
  const uses = await findUses(db, organisation, month);
  const sumBy = <K extends 'date' | 'route'>(field: K) =>
    [...Map.groupBy(uses, (use) => use[field])].map(
      ([name, own]) => ({ [field]: name, ...sumTotals(own) }) as Record<K, string> & UseTotals,
    );
  return {
    month,
    quota: PLANS[plan].requestsPerMonth,
    ...sumTotals(uses),
    days: sumBy('date'),
    routes: sumBy('route'),
  };
};

/** Returns the monthly file of an organisation: a row for each day and route. No cell can be a formula. */
export const buildUsageCsv = async (db: Db, organisation: string, month: string): Promise<string> => {
  const uses = await findUses(db, organisation, month);
  const lines = uses.map(({ date, route, requests, bytes }) => `${date},${route},${requests},${bytes}`);
  return ['date,route,requests,bytes', ...lines, ''].join('\n');
};

/** Returns the monthly files of all organisations with any use, by name of the organisation. */
export const buildMonthlyFiles = async (db: Db, month: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>();
  for (const organisation of await findUsers(db, month))
    files.set(`${organisation}.csv`, await buildUsageCsv(db, organisation, month));
  return files;
};
