import type { Watchlist } from '@broker-transparency/client/enterprise';
import { PLANS } from '@broker-transparency/contract/enterprise';
import type { Customer } from './customers.ts';
import { CallRefusal } from './policy.ts';
import type { State } from './state.ts';
import { requireBroker } from './submissions.ts';

/**
 * Returns a watchlist with the current slugs of its brokers.
 * @throws CallRefusal `not_found`
 */
export const requireWatchlist = ({ watchlists }: Customer, name: string, state: State): Watchlist => {
  const found = watchlists.get(name);
  if (found === undefined) throw new CallRefusal('not_found', `Your organisation has no watchlist "${name}".`);
  const brokers = [...new Set(found.brokers.map((slug) => state.currentSlug(slug)))].sort();
  return { name, brokers, updatedAt: found.updatedAt };
};

/**
 * Creates a watchlist, or replaces its brokers.
 * @throws CallRefusal `broker_not_found`, `state_conflict`
 */
export const writeWatchlist = (
  { watchlists, plan, ...customer }: Customer,
  name: string,
  slugs: readonly string[],
  { state, at }: { readonly state: State; readonly at: Date },
): Watchlist => {
  const brokers = slugs.map((slug) => requireBroker(state, slug).slug);
  const { watchlists: most } = PLANS[plan];
  if (!watchlists.has(name) && watchlists.size >= most)
    throw new CallRefusal('state_conflict', `Your plan allows ${most} watchlists. Delete one first.`);
  watchlists.set(name, { brokers, updatedAt: at.toISOString() });
  return requireWatchlist({ watchlists, plan, ...customer }, name, state);
};

/**
 * Removes a watchlist, and returns it.
 * @throws CallRefusal `not_found`, `state_conflict`
 */
export const removeWatchlist = (customer: Customer, name: string, state: State): Watchlist => {
  const removed = requireWatchlist(customer, name, state);
  const followers = [...customer.endpoints.values()].filter(({ watchlist }) => watchlist === name);
  if (followers.length > 0) {
    const endpoints = followers.map(({ id }) => `/webhooks/${id}`).join(', ');
    throw new CallRefusal(
      'state_conflict',
      `The watchlist "${name}" decides what ${endpoints} gets: give it another one, or remove it first.`,
    );
  }
  customer.watchlists.delete(name);
  return removed;
};
