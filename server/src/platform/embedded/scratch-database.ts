import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './mongo.ts';

/** The folder where a fetched mongod is cached, as the service has it. */
export const cacheDir = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');

/** Opens an empty embedded database for the tests of one file. `remove` ends it and deletes its data. */
export const openScratchDatabase = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'scratch-database-'));
  const database = await openDatabase({ dataDir, cacheDir, use: 'serve', log: () => {} });
  const remove = async (): Promise<void> => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: database.url, remove };
};
export type ScratchDatabase = Awaited<ReturnType<typeof openScratchDatabase>>;
