import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { nextNumber } from '../../ledger/record/read.ts';
import type { Clock } from '../../platform/clock.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Db } from '../../platform/mongo.ts';
import type { Log } from '../../platform/observe/log.ts';
import type { Deliver } from '../../platform/webhooks/deliver.ts';
import { readAccess } from './access.ts';
import { createDeliveryWorker, type DeliveryContext, type DeliveryWorker } from './delivering.ts';
import type { createDeliveryCounter } from './metrics.ts';
import * as store from './store.ts';
import { createEntryReader } from './tail.ts';
import { createWatchlistReader } from './watched.ts';

/** Interval in milliseconds between looks for new entries, and for tries that are due. */
const ROUND_MS = 200;
/** Interval in milliseconds between renewals of leases, and looks for changes by customers and for agreements that ended. */
const KEEP_MS = 1000;
/** Interval in milliseconds between writes of how far endpoints are. A killed process repeats what came since. */
const SAVE_MS = 1000;
/** Endpoints that one process takes at once, so that several share them. */
const CLAIMED_AT_ONCE = 200;
/** Endpoints of one process. */
const MOST_ENDPOINTS = 2000;
/** Interval in milliseconds between looks whether deliveries have ended. */
const IDLE_MS = 5;
/** Time in milliseconds for deliveries that are under way when the process ends. */
const ENDING_MS = 2000;

/** What a dispatcher needs. */
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
  const workerId = randomUUID();
  const entryReader = createEntryReader(db);
  const watchlistReader = createWatchlistReader(db);
  const leasedEndpoints = new Map<string, DeliveryWorker>();
  let access: ReadonlySet<string> = new Set();
  const last = { kept: Number.NEGATIVE_INFINITY, saved: 0, renewed: 0, leased: Number.NEGATIVE_INFINITY };
  let watchlistCheck: Promise<void> | undefined;
  let isEnding = false;

  const common: DeliveryContext = {
    clock,
    deliver,
    tail: entryReader,
    isTheirs: () => performance.now() - last.renewed < store.LEASE_MS,
    onDelivery: (outcome) => countDelivery(outcome)(),
    onPause: ({ _id, organisation }, why) => log.warn({ endpoint: _id, organisation, why }, 'a webhook is paused'),
    onFault: (error) => log.error({ err: error }, 'a webhook was not sent; it is tried again'),
  };

  const dropEndpoint = (id: string): void => {
    leasedEndpoints.get(id)?.abort();
    leasedEndpoints.delete(id);
  };

  /** After a restore the record can end before what was delivered: what is published from there on is new. */
  const clampPosition = (end: number, endpoint: store.Endpoint): store.Endpoint => {
    const { position } = endpoint;
    return { ...endpoint, position: { ...position, next: Math.min(position.next, end) } };
  };

  const toWatchlistQuery = (one: DeliveryWorker) => ({
    organisation: one.endpoint.organisation,
    watchlist: one.watchlist(),
  });
  const refreshWatchlist = async (one: DeliveryWorker): Promise<void> => {
    const asked = toWatchlistQuery(one);
    const subjects = await watchlistReader.of(asked);
    if (one.watchlist() === asked.watchlist) one.watch(subjects); // the customer can have chosen another one meanwhile
  };
  /** Follows brokers that were merged, and watchlists that were deleted. */
  const refreshWatchlists = async (): Promise<void> => {
    for (const one of leasedEndpoints.values()) if (!isEnding) await refreshWatchlist(one);
  };
  /** Follows watchlists that were written, before new entries are judged by them. */
  const refreshChangedWatchlists = async (): Promise<void> => {
    const all = [...leasedEndpoints.values()].filter((one) => one.watchlist() !== null);
    if (all.length === 0) return;
    const isChanged = await watchlistReader.changed(clock());
    for (const one of all) if (isChanged(toWatchlistQuery(one))) await refreshWatchlist(one);
  };

  /** Takes over what others set or changed. */
  const syncEndpoints = async (versions: readonly store.EndpointVersion[]): Promise<void> => {
    const current = new Map(versions.map((version) => [version._id, version]));
    for (const [id, { epoch }] of leasedEndpoints) if (current.get(id)?.epoch !== epoch) dropEndpoint(id);
    const stale = versions.filter(({ _id, revision }) => leasedEndpoints.get(_id)?.revision() !== revision);
    if (stale.length === 0) return;
    await entryReader.advance(refreshChangedWatchlists);
    const end = await nextNumber(db);
    for (const endpoint of await store.findLeased(
      db,
      workerId,
      stale.map(({ _id }) => _id),
    )) {
      const known = leasedEndpoints.get(endpoint._id);
      const subjects = await watchlistReader.again(endpoint);
      if (known?.epoch === endpoint.epoch) known.update(endpoint, subjects);
      else if (!endpoint.paused) {
        dropEndpoint(endpoint._id);
        leasedEndpoints.set(endpoint._id, createDeliveryWorker(clampPosition(end, endpoint), subjects, common));
      }
    }
  };

  /** Many long watchlists take longer than a lease: neither leases nor events wait for them. */
  const startWatchlistCheck = (): void => {
    if (watchlistCheck || !watchlistReader.isDue()) return;
    watchlistCheck = refreshWatchlists()
      .catch(onError)
      .finally(() => {
        watchlistCheck = undefined;
      });
  };

  /** Takes leases and keeps them. What came of it counts from when it is known, or not known. */
  const renewAndClaim = async (): Promise<void> => {
    let mayHave = true;
    try {
      if (leasedEndpoints.size > 0) await store.renewLeases(db, workerId);
      const isTaken = leasedEndpoints.size < MOST_ENDPOINTS && (await store.claimFree(db, workerId, CLAIMED_AT_ONCE));
      mayHave = isTaken || leasedEndpoints.size > 0;
    } finally {
      if (mayHave) last.leased = performance.now();
    }
  };

  const keepLeases = async (): Promise<void> => {
    const now = performance.now();
    await renewAndClaim();
    last.renewed = now;
    // a process without leases asks only whether any endpoint is free
    if (performance.now() - last.leased <= store.LEASE_MS)
      await syncEndpoints(await store.listLeasedVersions(db, workerId));
    startWatchlistCheck();
    if (leasedEndpoints.size > 0) access = await readAccess(db, clock);
  };

  const saveAllProgress = async (): Promise<void> => {
    const all = [...leasedEndpoints.values()].flatMap((one) => {
      const progress = one.progress();
      return progress ? [{ one, progress }] : [];
    });
    try {
      await store.saveProgress(
        db,
        workerId,
        all.map(({ progress }) => progress),
      );
    } catch (error) {
      for (const { one } of all) one.notSaved();
      throw error;
    }
    for (const { one, progress } of all) {
      if (!progress.change.paused) continue;
      dropEndpoint(one.endpoint._id);
      await store.releaseLease(db, workerId, one.endpoint._id);
    }
  };

  const runRound = async (): Promise<void> => {
    if (performance.now() - last.kept >= KEEP_MS) {
      last.kept = performance.now();
      await keepLeases();
    }
    if (leasedEndpoints.size === 0) return;
    await entryReader.advance(refreshChangedWatchlists);
    for (const one of leasedEndpoints.values()) if (access.has(one.endpoint.organisation)) one.pump();
    if (performance.now() - last.saved >= SAVE_MS) {
      last.saved = performance.now();
      await saveAllProgress();
    }
  };

  const onError = (error: unknown): void => log.error({ err: error }, 'webhooks stand still; it is tried again');
  const inTurn = pLimit(1); // rounds share what this process has leased
  const loop = startLoop(() => inTurn(runRound), ROUND_MS, onError);

  return {
    /** Resolves when everything that is due has been tried once. */
    settle: async (): Promise<void> => {
      await inTurn(async () => {
        await keepLeases();
        await entryReader.advance(refreshChangedWatchlists);
      });
      const own = [...leasedEndpoints.values()].filter(({ endpoint }) => access.has(endpoint.organisation));
      while (!isEnding && !own.every((one) => one.isIdle())) await sleep(IDLE_MS);
      await inTurn(saveAllProgress);
    },
    /** Ends deliveries, stores how far they are, and leaves the endpoints to other processes. */
    stop: async (): Promise<void> => {
      isEnding = true;
      await loop.stop();
      await watchlistCheck;
      const all = [...leasedEndpoints.values()];
      await Promise.race([Promise.all(all.map((one) => one.end())), sleep(ENDING_MS, undefined, { ref: false })]);
      for (const one of all) one.abort();
      await saveAllProgress()
        .then(() => store.releaseLeases(db, workerId))
        .catch(onError);
    },
  };
};
