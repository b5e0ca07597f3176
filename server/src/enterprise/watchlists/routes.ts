import { enterpriseContract, PLANS } from '@broker-transparency/contract/enterprise';
import { initServer } from '@ts-rest/express';
import type { Clock } from '../../platform/clock.ts';
import { requireCustomer } from '../access/customer.ts';
import { listWatchlists, readWatchlist, removeWatchlist, writeWatchlist } from './actions.ts';

/** Routes about the caller's own watchlists. */
export const watchlistRoutes = (clock: Clock) =>
  initServer().router(enterpriseContract.watchlists, {
    list: async ({ req }) => ({ status: 200, body: await listWatchlists(requireCustomer(req).organisation) }),
    get: async ({ req, params: { name } }) => ({
      status: 200,
      body: await readWatchlist(requireCustomer(req).organisation, name),
    }),
    put: async ({ req, params: { name }, body: { brokers: slugs } }) => {
      const { organisation, plan } = requireCustomer(req);
      const { watchlists: most } = PLANS[plan];
      return { status: 200, body: await writeWatchlist({ organisation, name, slugs, most, now: clock() }) };
    },
    remove: async ({ req, params: { name } }) => ({
      status: 200,
      body: await removeWatchlist(requireCustomer(req).organisation, name),
    }),
  });
