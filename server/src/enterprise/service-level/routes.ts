import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { formatMonth } from '../usage/quota.rule.ts';
import { createReadReport } from './report.ts';

/** The service level, as probers elsewhere measure it. */
export const serviceLevelRoutes = (db: Db, clock: Clock) => {
  const readReport = createReadReport(db, clock);
  return initServer().router(enterpriseContract.serviceLevel, {
    report: async ({ query: { month } }) => {
      const body = await readReport(month ?? formatMonth(clock()));
      if (typeof body === 'string') throw new ProblemError('not_found', body);
      return { status: 200, body };
    },
  });
};
