/** The replica set that all services of a test run share. Each service has its own database. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** Address of the replica set for the processes of a test run; see global-setup.ts. Undefined outside of a test run. */
const { TEST_MONGODB_URL } = process.env;

/** Address of a new database. */
export const newSharedDatabase = (): string | undefined => {
  if (TEST_MONGODB_URL === undefined) return undefined;
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/test-${randomUUID()}`;
  return url.href;
};

/** Drops a database, since too many of them slow down the ones in use. */
export const dropSharedDatabase = async (url: string | undefined): Promise<void> => {
  if (url === undefined) return;
  const client = await MongoClient.connect(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
};
