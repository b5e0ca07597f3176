/** The replica set that all services of a test run share, each with a database of its own. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** Its address, for the processes of a run; see global-setup.ts. Commands outside of a test run have none. */
const { TEST_MONGODB_URL } = process.env;

/** The address of a database that nobody uses. */
export const newSharedDatabase = (): string | undefined => {
  if (TEST_MONGODB_URL === undefined) return undefined;
  const url = new URL(TEST_MONGODB_URL);
  url.pathname = `/test-${randomUUID()}`;
  return url.href;
};

/** Too many databases would slow the ones in use. */
export const dropSharedDatabase = async (url: string | undefined): Promise<void> => {
  if (url === undefined) return;
  const client = await MongoClient.connect(url);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
};
