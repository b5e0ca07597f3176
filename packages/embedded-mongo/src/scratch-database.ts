import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { openDatabase } from './mongo.ts';

/** Cache folder of a downloaded mongod, the same as the service's. */
export const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');

/** Returns a new database on the server that all files of a test run share. */
const newDatabaseOn = (server: string) => {
  const url = new URL(server);
  url.pathname = `/scratch-${randomUUID()}`;
  const remove = async (): Promise<void> => {
    const client = await mongoose.mongo.MongoClient.connect(url.href);
    await client.db().dropDatabase();
    await client.close();
  };
  return { url: url.href, remove };
};

/**
 * Opens an empty database for the tests of one file: on the shared server of the run, or on its own embedded server.
 * `remove` deletes its data.
 */
export const openScratchDatabase = async () => {
  const shared = process.env['TEST_MONGODB_URL'];
  if (shared !== undefined) return newDatabaseOn(shared);
  const dataDir = await mkdtemp(join(tmpdir(), 'scratch-database-'));
  const database = await openDatabase({ dataDir, cacheDir, use: 'serve', log: () => {} });
  const remove = async (): Promise<void> => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: database.url, remove };
};
export type ScratchDatabase = Awaited<ReturnType<typeof openScratchDatabase>>;
