import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongodPath } from './cache.ts';
import { startLockedMongo } from './locked-mongo.ts';

/** Starts what all processes of a test run share, once for all projects. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env['TEST_MONGODB_URL'] !== undefined) return;
  // the temporary folder of this run: killed processes leave theirs behind
  const folder = await mkdtemp(join(tmpdir(), 'broker-rating-tests-'));
  process.env['TMPDIR'] = folder;
  process.env['MONGOD_BINARY'] = await mongodPath(); // spares every process taking its fingerprint again
  // The embedded database has the same limit: it releases the locks of a killed process after 30 s.
  const mongo = await startLockedMongo([], ['transactionLifetimeLimitSeconds=30']);
  process.env['TEST_MONGODB_URL'] = mongo.url();
  return async () => {
    await mongo.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
};
