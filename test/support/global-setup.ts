import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongodPath } from './cache.ts';
import { startLockedMongo } from './locked-mongo.ts';

/** Folder in memory, where a write is as safe as on a disk for as long as tests need it, and waits for none. */
const MEMORY = '/dev/shm';

/** The most bytes that a run keeps in files, with room to spare. */
const ROOM = 8 * 1024 ** 3;

/** Returns the folder for the files of a run: in memory where there is room, as most tests wait for their database. */
const findRoom = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, freemem() - ROOM) >= ROOM ? MEMORY : tmpdir();
};

/** Starts what all processes of a test run share, once for all projects. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env['TEST_MONGODB_URL'] !== undefined) return;
  // the temporary folder of this run: killed processes leave theirs behind
  const folder = await mkdtemp(join(await findRoom(), 'broker-rating-tests-'));
  process.env['TMPDIR'] = folder;
  // Services of tests start often, and none has to be fast afterwards.
  process.env['TEST_COMPILE_CACHE'] = join(folder, 'node-compile-cache');
  process.env['MONGOD_BINARY'] = await mongodPath(); // spares every process taking its fingerprint again
  // The embedded database has the same limit: it releases the locks of a killed process after 30 s.
  const mongo = await startLockedMongo([], ['transactionLifetimeLimitSeconds=30'], true);
  process.env['TEST_MONGODB_URL'] = mongo.url();
  return async () => {
    await mongo.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
};
