import { enterpriseContract } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import type { Db } from '../../platform/mongo.ts';
import { screen } from './actions.ts';
import { createCurrentIndex } from './current.ts';

/** The route of screening. */
export const screeningRoutes = (db: Db) => {
  const currentIndex = createCurrentIndex(db);
  return initServer().router(enterpriseContract.screening, {
    screen: async ({ body: { queries } }) => ({ status: 200, body: await screen(currentIndex, queries) }),
  });
};
