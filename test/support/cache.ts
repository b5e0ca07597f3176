import { findMongod } from '@broker-transparency/embedded-mongo/mongod-binary';
import { cacheDir } from '@broker-transparency/embedded-mongo/scratch-database';

/** The service's own cache folder. The programs that the tests need may already be in it. */
export const CACHE = cacheDir;

/** Path of a real mongod. Throws if there is none, so that a test that needs it never skips. */
export const mongodPath = async (): Promise<string> =>
  (await findMongod({ binary: process.env['MONGOD_BINARY'], cacheDir: CACHE, log: () => {} })).path;
