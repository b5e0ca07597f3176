import type { Db } from '../../platform/mongo.ts';
import { requireBroker } from '../brokers/facts.ts';
import { findMarkObstacle, type MarkedBroker } from './shown.rule.ts';
import { findMarkHash, findPicture } from './store.ts';

/** Returns the reads by which pages show marks. A broker that was merged has the mark of its successor. */
export const createMarks = (db: Db) => ({
  find: async (broker: MarkedBroker & { readonly slug: string }, at: Date): Promise<string | undefined> =>
    findMarkObstacle(broker, at) === undefined
      ? findMarkHash(db, (await requireBroker(db, broker.slug)).key)
      : undefined,
  read: (hash: string) => findPicture(db, hash),
});
