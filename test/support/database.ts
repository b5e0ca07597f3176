import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import { memberKey } from '../../server/src/platform/embedded/member-key.ts';
import { memberCredentials } from '../../server/src/platform/embedded/members.ts';
import type { Service } from './service.ts';

/** Where the embedded database of a service is. */
export const databaseOf = async ({ dataDir }: Pick<Service, 'dataDir'>): Promise<{ url: string; mongodPid: number }> =>
  JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8'));

/** Reaches past the service, with every right, for what its command line rightly refuses, such as an expiry in the past. */
export const inDatabase = async <T>(service: Service, work: (db: Db) => Promise<T>): Promise<T> => {
  const { host, pathname } = new URL((await databaseOf(service)).url);
  const credentials = memberCredentials(await memberKey(service.dataDir));
  const client = await MongoClient.connect(`mongodb://${host}${pathname}?directConnection=true`, credentials);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
};
