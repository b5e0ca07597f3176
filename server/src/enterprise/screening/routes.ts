import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import { screen } from './actions.ts';

/** The route of screening. */
export const screeningRoutes = () =>
  initServer().router(enterpriseContract.screening, {
    screen: async ({ body: { queries } }) => ({ status: 200, body: await screen(queries) }),
  });
