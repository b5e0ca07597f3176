import { entryKey } from '@broker-transparency/contract/record';
import { ProblemError } from '../../http/problem/problem.ts';
import type { Db } from '../../platform/mongo.ts';
import { findWritten, listWatchedBrokers } from '../watchlists/actions.ts';
import type { Endpoint } from './store.ts';

/** Interval in milliseconds between looks at all watchlists, whose brokers can be merged, and which can be deleted. */
const LOOK_MS = 5000;
/** Milliseconds by which the clocks of processes may differ. */
const CLOCKS_MS = 60_000;

/** Subjects of the entries that an endpoint gets; undefined: all. */
export type WatchedSubjects = ReadonlySet<string> | undefined;

type EndpointWatchlist = Pick<Endpoint, 'organisation' | 'watchlist'>;

/** Returns the subjects of a watchlist. One that was deleted has none. */
const readSubjects = async (db: Db, organisation: string, watchlist: string): Promise<ReadonlySet<string>> => {
  try {
    return new Set((await listWatchedBrokers(db, organisation, watchlist)).map((key) => entryKey('broker', key)));
  } catch (error) {
    if (error instanceof ProblemError) return new Set();
    throw error;
  }
};

const toWatchlistKey = (organisation: string, watchlist: string | null): string => `${organisation}/${watchlist}`;

/** Reads the watchlists of endpoints. Endpoints with the same one share what was read. */
export const createWatchlistReader = (db: Db) => {
  let known = new Map<string, Promise<ReadonlySet<string>>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  const written = new Map<string, number>();

  const read = (organisation: string, watchlist: string): Promise<ReadonlySet<string>> => {
    const [key, found] = [toWatchlistKey(organisation, watchlist), readSubjects(db, organisation, watchlist)];
    known.set(key, found);
    found.catch(() => known.get(key) === found && known.delete(key)); // whoever asks next reads it again
    return found;
  };

  return {
    /** Returns whether all watchlists have to be read again, at most once per interval. */
    isDue: (): boolean => {
      if (performance.now() - lookedAt < LOOK_MS) return false;
      lookedAt = performance.now();
      known = new Map();
      return true;
    },
    /**
     * Reads again what customers have written since the last call, and returns whose it is: an entry that was published
     * after a watchlist was written is not judged by what it was before.
     */
    changed: async (now: Date): Promise<(endpoint: EndpointWatchlist) => boolean> => {
      const rows = await findWritten(db, new Date(Math.max(now.getTime(), ...written.values()) - 2 * CLOCKS_MS));
      const fresh = rows.filter(
        (one) => written.get(toWatchlistKey(one.organisation, one.name)) !== one.updatedAt.getTime(),
      );
      written.clear();
      for (const { organisation, name, updatedAt } of rows)
        written.set(toWatchlistKey(organisation, name), updatedAt.getTime());
      for (const { organisation, name } of fresh) read(organisation, name);
      const keys = new Set(fresh.map(({ organisation, name }) => toWatchlistKey(organisation, name)));
      return ({ organisation, watchlist }) => keys.has(toWatchlistKey(organisation, watchlist));
    },
    /** Reads the watchlist of an endpoint that is new here. */
    again: async ({ organisation, watchlist }: EndpointWatchlist): Promise<WatchedSubjects> =>
      watchlist === null ? undefined : read(organisation, watchlist),
    /** Returns what was read last. */
    of: async ({ organisation, watchlist }: EndpointWatchlist): Promise<WatchedSubjects> => {
      if (watchlist === null) return undefined;
      const key = toWatchlistKey(organisation, watchlist);
      for (;;) {
        const found = known.get(key) ?? read(organisation, watchlist);
        const subjects = await found;
        const newest = known.get(key);
        if (newest === undefined || newest === found) return subjects; // else it was written meanwhile
      }
    },
  };
};
