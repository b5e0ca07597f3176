import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import type { DeliveryWorker } from './delivering.ts';
import { createWatchlistReader } from './watched.ts';

/** The parts of a follower. */
interface FollowerParts {
  readonly clock: Clock;
  /** The endpoints whose watchlists it follows. */
  readonly workers: ReadonlyMap<string, DeliveryWorker>;
  readonly onError: (error: unknown) => void;
}

const toWatchlistQuery = (one: DeliveryWorker) => ({
  organisation: one.endpoint.organisation,
  watchlist: one.watchlist(),
});

/** Follows the watchlists of endpoints. */
export const createWatchlistFollower = (db: Db, { clock, workers, onError }: FollowerParts) => {
  const reader = createWatchlistReader(db);
  let check: Promise<void> | undefined;
  let isEnding = false;

  const follow = async (one: DeliveryWorker): Promise<void> => {
    const asked = toWatchlistQuery(one);
    const subjects = await reader.of(asked);
    if (one.watchlist() === asked.watchlist) one.watch(subjects); // the customer can have chosen another one meanwhile
  };
  const followAll = async (): Promise<void> => {
    for (const one of workers.values()) if (!isEnding) await follow(one);
  };

  return {
    read: reader.again,
    /** Follows watchlists that were written, before new entries are judged by them. */
    followWritten: async (): Promise<void> => {
      const all = [...workers.values()].filter((one) => one.watchlist() !== null);
      if (all.length === 0) return;
      const isChanged = await reader.changed(clock());
      for (const one of all) if (isChanged(toWatchlistQuery(one))) await follow(one);
    },
    /**
     * Begins to follow brokers that were merged and watchlists that were deleted, if that is due. Many long watchlists
     * take longer than a lease: neither leases nor events wait for them.
     */
    startCheck: (): void => {
      if (check || !reader.isDue()) return;
      check = followAll()
        .catch(onError)
        .finally(() => {
          check = undefined;
        });
    },
    end: async (): Promise<void> => {
      isEnding = true;
      await check;
    },
  };
};
export type WatchlistFollower = ReturnType<typeof createWatchlistFollower>;
