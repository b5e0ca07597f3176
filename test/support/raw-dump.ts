/** Dumps of a database by other tools than the service's own, as mongodump and mongorestore make them. */
import type { Db, Document } from 'mongodb';

/** Documents by their collections. */
export type RawDump = Readonly<Record<string, Document[]>>;

export const dumpRaw = async (db: Db): Promise<RawDump> => {
  const names = (await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()).map(
    ({ name }) => name,
  );
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()] as const)),
  );
};

/** Replaces all that is in the database. No server may run on it. */
export const restoreRaw = async (db: Db, dump: RawDump): Promise<void> => {
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
    await db.collection(name).deleteMany({});
  for (const [name, documents] of Object.entries(dump))
    if (documents.length > 0) await db.collection(name).insertMany(documents);
};
