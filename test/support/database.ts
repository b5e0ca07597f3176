import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import type { Service } from './service.ts';

/** Where the embedded database of a service is. */
export const databaseOf = async ({ dataDir }: Pick<Service, 'dataDir'>): Promise<{ url: string; mongodPid: number }> =>
  JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8'));

/** Reaches past the service, for what its command line rightly refuses, such as an expiry in the past. */
export const inDatabase = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const { url } = await databaseOf(service);
  const client = await MongoClient.connect(url);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
};
