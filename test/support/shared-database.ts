/** The replica set that all services of a test run share. Each service has its own database. */
import { randomUUID } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';

/** Address of the replica set for the processes of a test run; see global-setup.ts. Undefined outside of a test run. */
const { TEST_MONGODB_URL } = process.env;

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
