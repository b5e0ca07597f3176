import type { Db } from '../../platform/mongo.ts';
import { requireBroker } from '../brokers/facts.ts';
import { findMarkHash, findPicture } from './store.ts';

/** Returns the reads by which pages show marks. A broker that was merged has the mark of its successor. */
export const createMarks = (db: Db) => ({
  find: async (slug: string) => findMarkHash(db, (await requireBroker(db, slug)).key),
  read: (hash: string) => findPicture(db, hash),
});
