import pLimit from 'p-limit';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import type { Deliver } from '../../platform/webhooks/deliver.ts';
import { readAccess } from './access.ts';
import type { DeliveryContext, DeliveryWorker } from './delivering.ts';
import { createWatchlistFollower } from './following.ts';
import { createLeasedEndpoints } from './leased.ts';
import type { createDeliveryCounter } from './metrics.ts';
import { createEndpointLeases } from './store.ts';
import { createEntryReader } from './tail.ts';

/** Interval in milliseconds between looks for new entries, and for tries that are due. */
const ROUND_MS = 200;
/**
 * Interval in milliseconds between renewals of leases, and looks for changes by customers and for agreements that
 * ended.
 */
const KEEP_MS = 1000;
/** Interval in milliseconds between writes of how far endpoints are. A killed process repeats what came since. */
const SAVE_MS = 1000;
/** Time in milliseconds for deliveries that are under way when the process ends. */
const ENDING_MS = 2000;

/** The parts of a dispatcher. */
export interface DispatcherParts {
  readonly clock: Clock;
  readonly deliver: Deliver;
  readonly log: Log;
  readonly countDelivery: ReturnType<typeof createDeliveryCounter>;
}

/**
 * Delivers events to the endpoints that this process has leased. Any number of processes may do so: each endpoint is
 * with one at a time, and goes on in another one within seconds if that is killed.
 */
export const startDispatcher = (db: Db, { clock, deliver, log, countDelivery }: DispatcherParts) => {
  const onError = (error: unknown): void => log.error({ err: error }, 'delivery of webhooks failed; retrying');
  const workers = new Map<string, DeliveryWorker>();
  const leases = createEndpointLeases(db);
  const tail = createEntryReader(db);
  const watchlists = createWatchlistFollower(db, { clock, workers, onError });
  const readEntries = (): Promise<void> => tail.advance(watchlists.followWritten);
  const common: DeliveryContext = {
    clock,
    deliver,
    tail,
    isTheirs: leases.isHeld,
    onDelivery: (outcome) => countDelivery(outcome)(),
    onPause: ({ _id, organisation }, why) => log.warn({ endpoint: _id, organisation, why }, 'a webhook is paused'),
    onFault: (error) => log.error({ err: error }, 'a webhook was not sent; retrying'),
  };
  const endpoints = createLeasedEndpoints(db, { workers, leases, watchlists, readEntries, common });
  const last = { kept: Number.NEGATIVE_INFINITY, saved: 0 };
  let access: ReadonlySet<string> = new Set();

  const listServed = (): DeliveryWorker[] =>
    [...workers.values()].filter(({ endpoint }) => access.has(endpoint.organisation));

  const keepLeases = async (): Promise<void> => {
    // a process without leases asks only whether any endpoint is free
    if (await leases.keep(workers.size)) await endpoints.sync();
    watchlists.startCheck();
    if (workers.size > 0) access = await readAccess(db, clock);
  };

  const runRound = async (): Promise<void> => {
    if (performance.now() - last.kept >= KEEP_MS) {
      last.kept = performance.now();
      await keepLeases();
    }
    if (workers.size === 0) return;
    await readEntries();
    for (const one of listServed()) await one.look();
    if (performance.now() - last.saved >= SAVE_MS) {
      last.saved = performance.now();
      await endpoints.save();
    }
  };

  const inTurn = pLimit(1); // rounds share what this process has leased
  const loop = startLoop(() => inTurn(runRound), ROUND_MS, onError);

  return {
    /** Resolves when everything that is due has been tried once. */
    settle: async (): Promise<void> => {
      await inTurn(async () => {
        await keepLeases();
        await readEntries();
      });
      await Promise.all(listServed().map((one) => one.settle()));
      await inTurn(endpoints.save);
    },
    /** Ends deliveries, stores how far they are, and leaves the endpoints to other processes. */
    stop: async (): Promise<void> => {
      await loop.stop();
      await watchlists.end();
      await Promise.all([...workers.values()].map((one) => one.end(ENDING_MS)));
      for (const one of workers.values()) one.abort();
      await endpoints
        .save()
        .then(() => leases.release())
        .catch(onError);
    },
  };
};
