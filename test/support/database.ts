import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { memberKey } from '../../server/src/platform/embedded/member-key.ts';
import { memberCredentials } from '../../server/src/platform/embedded/members.ts';
import type { Service } from './service.ts';

/** Where the embedded database of a service is. */
export const embeddedIn = async ({ dataDir }: Pick<Service, 'dataDir'>): Promise<{ url: string; mongodPid: number }> =>
  JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8'));

export const urlOf = async ({ dataDir, data }: Service): Promise<string> =>
  data['MONGODB_URL'] ?? (await embeddedIn({ dataDir })).url;

/** With every right. */
const connect = async ({ dataDir, data }: Service): Promise<MongoClient> => {
  if (data['MONGODB_URL'] !== undefined) return MongoClient.connect(data['MONGODB_URL']);
  const { host, pathname } = new URL((await embeddedIn({ dataDir })).url);
  const credentials = memberCredentials(await memberKey(dataDir));
  return MongoClient.connect(`mongodb://${host}${pathname}?directConnection=true`, credentials);
};

/**
 * Reaches past the service, with every right, for what its command line rightly refuses, such as an expiry in the past.
 */
export const inDatabase = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const client = await connect(service);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
};
