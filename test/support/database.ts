import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memberKey } from '@broker-transparency/embedded-mongo/member-key';
import { memberCredentials } from '@broker-transparency/embedded-mongo/members';
import { type Db, MongoClient } from 'mongodb';
import type { Service } from './process.ts';
import { sharedDatabaseAt } from './shared-database.ts';

/** Address and process id of a service's embedded database. */
export const readEmbedded = async ({
  dataDir,
}: Pick<Service, 'dataDir'>): Promise<{ url: string; mongodPid: number }> =>
  JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8'));

export const findDatabaseUrl = async ({ dataDir, data }: Service): Promise<string> =>
  data['MONGODB_URL'] ?? (await readEmbedded({ dataDir })).url;

/** Connects with full rights. */
const connect = async ({ dataDir, data }: Service): Promise<MongoClient> => {
  if (data['MONGODB_URL'] !== undefined) return MongoClient.connect(data['MONGODB_URL']);
  const { host, pathname } = new URL((await readEmbedded({ dataDir })).url);
  const credentials = memberCredentials(await memberKey(dataDir));
  return MongoClient.connect(`mongodb://${host}${pathname}?directConnection=true`, credentials);
};

/**
 * Changes the database directly, with full rights. Tests use it for what the command line rightly refuses, such as an
 * expiry in the past.
 */
export const inDatabase = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const url = service.data['MONGODB_URL'];
  const shared = url === undefined ? undefined : await sharedDatabaseAt(url);
  if (shared) return work(shared);
  const client = await connect(service);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
};
