import { enterpriseContract, PLANS } from '@broker-transparency/contract/enterprise';
import { initServer } from '../../http/endpoints/rest.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireCustomer } from '../access/customer.ts';
import { listWatchlists, readWatchlist, removeWatchlist, writeWatchlist } from './actions.ts';

/** Returns the endpoints of an organisation that follow its watchlist of this name. */
type FindFollowers = (organisation: string, name: string) => Promise<readonly string[]>;

/** Requires that no endpoint follows the watchlist, since the endpoint would receive nothing without it. */
const requireUnfollowed = async (findFollowers: FindFollowers, organisation: string, name: string): Promise<void> => {
  const followers = await findFollowers(organisation, name);
  if (followers.length === 0) return;
  const endpoints = followers.map((id) => `/webhooks/${id}`).join(', ');
  throw new DomainError(
    'state_conflict',
    `The watchlist "${name}" decides what ${endpoints} gets: give it another one, or remove it first.`,
  );
};

/** Routes about the caller's own watchlists. */
export const watchlistRoutes = (db: Db, clock: Clock, findFollowers: FindFollowers) =>
  initServer().router(enterpriseContract.watchlists, {
    list: async ({ req }) => ({ status: 200, body: await listWatchlists(db, requireCustomer(req).organisation) }),
    get: async ({ req, params: { name } }) => ({
      status: 200,
      body: await readWatchlist(db, requireCustomer(req).organisation, name),
    }),
    put: async ({ req, params: { name }, body: { brokers: slugs } }) => {
      const { organisation, plan } = requireCustomer(req);
      const { watchlists: most } = PLANS[plan];
      return { status: 200, body: await writeWatchlist(db, { organisation, name, slugs, most, now: clock() }) };
    },
    remove: async ({ req, params: { name } }) => {
      const { organisation } = requireCustomer(req);
      await requireUnfollowed(findFollowers, organisation, name);
      return { status: 200, body: await removeWatchlist(db, organisation, name) };
    },
  });
