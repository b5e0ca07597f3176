import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { readChanges } from '../../published/record/changes.ts';
import { readBrokerAt } from '../../published/record/history.ts';
import { createFindLicensed } from '../../published/record/licensed.ts';
import { listBrokersAt, listRegulatorsAt, readRegulatorAt } from '../../published/record/listing.ts';
import { requireCustomer } from '../access/customer.ts';
import { publicationFile } from './publication.ts';

/** Routes about current and earlier publications of brokers. */
export const brokerRoutes = (db: Db, clock: Clock) =>
  initServer().router(enterpriseContract.brokers, {
    list: async ({ query }) => ({ status: 200, body: await listBrokersAt(db, query, query, clock()) }),
    get: async ({ params: { slug }, query }) => ({ status: 200, body: await readBrokerAt(db, slug, query, clock()) }),
    timeline: async ({ params: { slug }, query }) => ({ status: 200, body: await readChanges(db, slug, query) }),
    publication: async ({ req, params: { slug }, query: { date, format } }) => ({
      status: 200,
      body: (await publicationFile(db, { slug, date, format, plan: requireCustomer(req).plan })) as never,
    }),
  });

/** Routes about current and earlier publications of regulators. */
export const regulatorRoutes = (db: Db, clock: Clock) => {
  const findLicensed = createFindLicensed(db);
  return initServer().router(enterpriseContract.regulators, {
    list: async ({ query }) => ({ status: 200, body: await listRegulatorsAt(db, query, clock()) }),
    get: async ({ params: { code }, query }) => {
      const body = await readRegulatorAt(db, findLicensed, code, query, clock());
      if (body) return { status: 200, body };
      throw new ProblemError('regulator_not_found', `No regulator had the code "${code}" then.`);
    },
  });
};
