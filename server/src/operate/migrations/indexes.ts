import type mongoose from 'mongoose';
import { type Db, database, ensureModels } from '../../platform/mongo.ts';
import type { Migration } from './migration.ts';

type Index = mongoose.mongo.IndexDescriptionInfo;

/** Indexes of earlier releases that nothing uses any more, or whose name now belongs to a different index. */
const FORMER: Readonly<Record<string, (index: Index) => boolean>> = {
  audit: (index) =>
    ['subject.kind_1_subject.id_1_at_1', 'actor.accountId_1_at_1'].includes(String(index.name)) ||
    (index.name === 'actor.accountId_1_at_1__id_1' && index['partialFilterExpression'] === undefined),
  brokers: ({ name }) => ['score.value_-1__id_1', 'color_1_score.value_-1__id_1'].includes(String(name)),
};

const formerOf = async (db: Db, collection: string): Promise<string[]> => {
  const indexes = await database(db).collection(collection).indexes();
  return indexes.filter((index) => FORMER[collection]?.(index)).map(({ name }) => String(name));
};

/** An older process creates its indexes again when it starts, which only costs space. */
export const formerIndexes: Migration = {
  version: 1,
  name: 'former-indexes',
  what: 'drops indexes of earlier releases from the audit trail and the brokers',
  count: async (db) => (await Promise.all(Object.keys(FORMER).map((one) => formerOf(db, one)))).flat().length,
  run: async (_context, { signal }) => {
    let dropped = 0;
    for (const collection of Object.keys(FORMER))
      for (const name of await formerOf(_context.db, collection)) {
        signal.throwIfAborted();
        await database(_context.db).collection(collection).dropIndex(name);
        dropped++;
      }
    await ensureModels(_context.db); // creates indexes that conflicted with those
    return dropped;
  },
};
