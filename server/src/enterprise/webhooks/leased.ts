import { nextNumber } from '../../ledger/record/read.ts';
import type { Leases } from '../../platform/delivery/lease.ts';
import type { Db } from '../../platform/mongo.ts';
import { createDeliveryWorker, type DeliveryContext, type DeliveryWorker } from './delivering.ts';
import type { WatchlistFollower } from './following.ts';
import * as store from './store.ts';

/** The parts of the endpoints of a process. */
interface LeasedParts {
  readonly workers: Map<string, DeliveryWorker>;
  readonly leases: Leases;
  readonly watchlists: WatchlistFollower;
  readonly readEntries: () => Promise<void>;
  readonly common: DeliveryContext;
}

/** After a restore the record can end before what was delivered: what is published from there on is new. */
const clampPosition = (end: number, endpoint: store.Endpoint): store.Endpoint => {
  const { position } = endpoint;
  return { ...endpoint, position: { ...position, next: Math.min(position.next, end) } };
};

/** Keeps a worker for each endpoint that this process has leased. */
export const createLeasedEndpoints = (db: Db, parts: LeasedParts) => {
  const { workers, leases, watchlists, readEntries, common } = parts;

  const drop = (id: string): void => {
    workers.get(id)?.abort();
    workers.delete(id);
  };

  const load = async (ids: readonly string[]): Promise<void> => {
    const end = await nextNumber(db);
    for (const endpoint of await store.findLeased(db, leases.by, ids)) {
      const known = workers.get(endpoint._id);
      const subjects = await watchlists.read(endpoint);
      if (known?.epoch === endpoint.epoch) known.update(endpoint, subjects);
      else if (!endpoint.paused) {
        drop(endpoint._id);
        workers.set(endpoint._id, createDeliveryWorker(clampPosition(end, endpoint), subjects, common));
      }
    }
  };

  return {
    /** Takes over what others set or changed. */
    sync: async (): Promise<void> => {
      const versions = await store.listLeasedVersions(db, leases.by);
      const current = new Map(versions.map((version) => [version._id, version]));
      for (const [id, { epoch }] of workers) if (current.get(id)?.epoch !== epoch) drop(id);
      const stale = versions.filter(({ _id, revision }) => workers.get(_id)?.revision() !== revision);
      if (stale.length === 0) return;
      await readEntries();
      await load(stale.map(({ _id }) => _id));
    },
    /** Stores how far they are, and gives up those that are paused. */
    save: async (): Promise<void> => {
      const all = [...workers.values()].flatMap((one) => {
        const progress = one.progress();
        return progress ? [{ one, progress }] : [];
      });
      try {
        await store.saveProgress(
          db,
          leases.by,
          all.map(({ progress }) => progress),
        );
      } catch (error) {
        for (const { one } of all) one.notSaved();
        throw error;
      }
      for (const { one, progress } of all) {
        if (!progress.change.paused) continue;
        drop(one.endpoint._id);
        await leases.release(one.endpoint._id);
      }
    },
  };
};
