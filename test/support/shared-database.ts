/** The replica set that all services of a test run share. Each service has its own database. */
import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';

/** Address of the replica set for the processes of a test run; see global-setup.ts. Undefined outside of a test run. */
const { TEST_MONGODB_URL } = process.env;

/** Returns the name of the database that an address names. */
export const databaseName = (url: string | undefined): string => new URL(String(url)).pathname.slice(1);

/** Address of a database of this name, by default of a new one. */
export const newSharedDatabase = (name = `test-${randomUUID()}`): string | undefined => {
  if (TEST_MONGODB_URL === undefined) return undefined;
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/${name}`;
  return url.href;
};

let client: Promise<MongoClient> | undefined;

/**
 * The database that an address names, if it is in the shared replica set. All tests of a process have one connection:
 * signing in takes longer than what most of them ask.
 */
export const sharedDatabaseAt = async (url: string): Promise<Db | undefined> => {
  const asked = URL.parse(url); // null for an address of several hosts, which is not the shared one
  const shared = TEST_MONGODB_URL === undefined ? undefined : new URL(TEST_MONGODB_URL);
  if (!asked || shared?.host !== asked.host || shared.username !== asked.username) return undefined;
  client ??= MongoClient.connect(shared.href);
  return (await client).db(asked.pathname.slice(1));
};

/** Drops a database, since too many of them slow down the ones in use. */
export const dropSharedDatabase = async (url: string | undefined): Promise<void> => {
  if (url !== undefined) await (await sharedDatabaseAt(url))?.dropDatabase();
};

/** The indexes of each collection of a database, as text. */
type Structure = ReadonlyMap<string, string>;

/** The structure that a service gives to a new database. */
let usual: Structure | undefined;
/** Addresses of databases whose services have ended. */
const retired = new Set<string>();
/** Addresses of databases that a service has made and that are empty again. */
const empty: string[] = [];

interface CatalogEntry {
  readonly name: string;
  readonly md: { readonly indexes?: readonly { readonly spec: object }[] };
}

const readStructure = async (db: Db): Promise<Structure> => {
  const listed = await db.client
    .db('admin')
    .aggregate<CatalogEntry>([{ $listCatalog: {} }, { $match: { db: db.databaseName, type: 'collection' } }])
    .toArray();
  const specs = ({ md }: CatalogEntry) => (md.indexes ?? []).map(({ spec }) => JSON.stringify(spec)).sort();
  return new Map(listed.map((one) => [one.name, specs(one).join('\n')]));
};

/** Returns the address of an empty database: one that a service has made before, or a new one. */
export const takeDatabase = (): string | undefined => empty.pop() ?? newSharedDatabase();

/** Notes how a service has made its database, the first time. */
export const noteStructure = async (url: string | undefined): Promise<void> => {
  const db = usual || url === undefined ? undefined : await sharedDatabaseAt(url);
  if (db) usual = await readStructure(db);
};

/** Leaves a database for another test file: making the indexes of a new one takes longer than what most tests ask. */
export const retireDatabase = (url: string | undefined): void => {
  if (url !== undefined) retired.add(url);
};

/** Names of the databases that somebody still reads: each server follows what changes in its own. */
const databasesInUse = async (db: Db): Promise<ReadonlySet<string>> => {
  const cursors = await db.client
    .db('admin')
    .aggregate<{ ns?: string }>([{ $currentOp: { allUsers: true, idleCursors: true } }, { $project: { ns: 1 } }])
    .toArray();
  return new Set(cursors.flatMap(({ ns }) => ns?.split('.', 1) ?? []));
};

/** Empties a collection, or drops it where that is faster or where a test has changed it. */
const emptyCollection = async (db: Db, name: string, indexes: string): Promise<void> => {
  const collection = db.collection(name);
  if (indexes !== usual?.get(name) || (await collection.estimatedDocumentCount()) > 1000) await collection.drop();
  else await collection.deleteMany({}, { maxTimeMS: 3000 });
};

/**
 * Empties the databases of the test files before. A database that somebody still reads waits for the next file: MongoDB
 * answers the last question of a service that has ended a moment later, and to make another database takes far longer.
 */
export const emptyRetired = async (): Promise<void> => {
  const [first] = retired;
  const inUse = first === undefined ? undefined : await databasesInUse((await sharedDatabaseAt(first)) as Db);
  for (const url of retired) {
    const db = (await sharedDatabaseAt(url)) as Db;
    if (inUse?.has(db.databaseName)) continue;
    retired.delete(url);
    const isEmpty = await Promise.all([...(await readStructure(db))].map((one) => emptyCollection(db, ...one))).then(
      () => true,
      () => false, // such as a transaction that a killed process has left open
    );
    if (isEmpty) empty.push(url);
    else await db.dropDatabase();
  }
};
