import type { Watchlist, WatchlistList } from '@broker-transparency/contract/enterprise';
import { brokerNotFound, resolveSlugs as followSlugs, resolveBrokerKeys } from '../../features/brokers/facts.ts';
import { ProblemError } from '../../http/problem/problem.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import * as store from './store.ts';

const notFound = (name: string): ProblemError =>
  new ProblemError('not_found', `Your organisation has no watchlist "${name}".`);

const toWatchlist = async (db: Db, { name, brokers, updatedAt }: store.StoredWatchlist): Promise<Watchlist> => {
  const find = brokers.length === 0 ? undefined : await followSlugs(db, brokers);
  const slugs = new Set(brokers.map((key) => find?.(key)?.slug ?? key));
  return { name, brokers: [...slugs].sort(), updatedAt: updatedAt.toISOString() };
};

/** Returns the watchlists of an organisation. */
export const listWatchlists = async (db: Db, organisation: string): Promise<WatchlistList> => ({
  data: (await store.listWatchlists(db, organisation)).map(({ name, brokers, updatedAt }) => ({
    name,
    brokers: brokers.length,
    updatedAt: updatedAt.toISOString(),
  })),
});

/** Returns a watchlist. @throws ProblemError not_found, also for another organisation's watchlist */
export const readWatchlist = async (db: Db, organisation: string, name: string): Promise<Watchlist> => {
  const found = await store.findWatchlist(db, { organisation, name });
  if (!found) throw notFound(name);
  return toWatchlist(db, found);
};

export const { findWritten } = store;

/** A watchlist to be written, with slugs. */
export interface WatchlistDraft {
  readonly organisation: string;
  readonly name: string;
  readonly slugs: readonly string[];
  /** Maximum number of the organisation's watchlists. */
  readonly most: number;
  readonly now: Date;
}

/** @throws DomainError broker_not_found for the first slug that no broker has or had */
const requireBrokerKeys = async (db: Db, slugs: readonly string[]): Promise<string[]> => {
  if (slugs.length === 0) return [];
  const find = await followSlugs(db, slugs);
  const unknown = slugs.find((slug) => !find(slug));
  if (unknown !== undefined) throw brokerNotFound(unknown);
  const toKey = await resolveBrokerKeys(db, slugs);
  return [...new Set(slugs.map(toKey))].sort();
};

/**
 * Writes a watchlist, replacing the one with its name. Concurrent new watchlists do not exceed the limit.
 * @throws DomainError broker_not_found, or state_conflict if the organisation has as many as its plan allows
 */
export const writeWatchlist = async (
  db: Db,
  { organisation, name, slugs, most, now }: WatchlistDraft,
): Promise<Watchlist> => {
  const watchlist = { organisation, name, brokers: await requireBrokerKeys(db, slugs), updatedAt: now };
  if (!(await store.saveWatchlist(db, watchlist, most)))
    throw new DomainError('state_conflict', `Your plan allows ${most} watchlists. Delete one first.`);
  return toWatchlist(db, watchlist);
};

/** Removes a watchlist and returns it. @throws ProblemError not_found, also for another organisation's watchlist */
export const removeWatchlist = async (db: Db, organisation: string, name: string): Promise<Watchlist> => {
  const removed = await store.deleteWatchlist(db, { organisation, name });
  if (!removed) throw notFound(name);
  return toWatchlist(db, removed);
};

/**
 * Returns the keys of the brokers on a watchlist: `entryKey('broker', key)` is the subject of entries about each. For a
 * merged broker, includes its successor and all brokers merged into it.
 * @throws ProblemError not_found, for a watchlist of another organisation too
 */
export const listWatchedBrokers = async (db: Db, organisation: string, name: string): Promise<readonly string[]> => {
  const found = await store.findWatchlist(db, { organisation, name });
  if (!found) throw notFound(name);
  if (found.brokers.length === 0) return [];
  const find = await followSlugs(db, found.brokers);
  return [...new Set(found.brokers.flatMap((key) => [key, ...(find(key)?.keys ?? [])]))].sort();
};
