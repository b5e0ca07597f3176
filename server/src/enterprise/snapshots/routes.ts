import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '@ts-rest/express';
import { ProblemError } from '../../http/problem/problem.ts';

/** The snapshots that are kept. */
export const snapshotRoutes = () =>
  initServer().router(enterpriseContract.snapshots, {
    list: async () => ({ status: 200, body: { data: [] } }),
    get: async ({ params: { number } }) => {
      throw new ProblemError('not_found', `There is no snapshot ${number}.`);
    },
  });
