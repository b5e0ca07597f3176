import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '@ts-rest/express';
import { requireCustomer } from '../access/customer.ts';
import { publicationFile } from './publication.ts';

/** Routes about what is, and was, published of brokers. */
export const brokerRoutes = () =>
  initServer().router(enterpriseContract.brokers, {
    publication: async ({ req, params: { slug }, query: { date, format } }) => ({
      status: 200,
      body: (await publicationFile({ slug, date, format, plan: requireCustomer(req).plan })) as never,
    }),
  });
