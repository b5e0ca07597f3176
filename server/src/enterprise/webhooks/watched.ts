import { entryKey } from '@broker-transparency/contract/record';
import { ProblemError } from '../../http/problem/problem.ts';
import { brokersOf } from '../watchlists/actions.ts';
import type { Endpoint } from './store.ts';

/** Interval in milliseconds between looks at watchlists, whose brokers can change, be merged and be renamed. */
const LOOK_MS = 5000;

/** Subjects of the entries that an endpoint gets; undefined: all. */
export type Watched = ReadonlySet<string> | undefined;

/** Returns the subjects of a watchlist. One that was deleted has none. */
const readSubjects = async (organisation: string, watchlist: string): Promise<ReadonlySet<string>> => {
  try {
    return new Set((await brokersOf(organisation, watchlist)).map((key) => entryKey('broker', key)));
  } catch (error) {
    if (error instanceof ProblemError) return new Set();
    throw error;
  }
};

/** Reads the watchlists of endpoints. Endpoints with the same one share what was read. */
export const createWatched = () => {
  let known = new Map<string, Promise<ReadonlySet<string>>>();
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    /** Returns whether all watchlists have to be read again, at most once per interval. */
    isDue: (): boolean => {
      if (performance.now() - readAt < LOOK_MS) return false;
      readAt = performance.now();
      known = new Map();
      return true;
    },
    of: async ({ organisation, watchlist }: Pick<Endpoint, 'organisation' | 'watchlist'>): Promise<Watched> => {
      if (watchlist === null) return undefined;
      const key = `${organisation}/${watchlist}`;
      const found = known.get(key) ?? readSubjects(organisation, watchlist);
      known.set(key, found);
      found.catch(() => known.delete(key)); // the next look reads it again
      return found;
    },
  };
};
