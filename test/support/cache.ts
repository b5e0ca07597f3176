import { homedir } from 'node:os';
import { join } from 'node:path';
import { findMongod } from '../../server/src/platform/embedded/mongod-binary.ts';

/** The service's own cache folder. The programs that the tests need may already be in it. */
export const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');

/** Path of a real mongod. Throws if there is none, so that a test that needs it never skips. */
export const mongodPath = async (): Promise<string> =>
  (await findMongod({ binary: process.env['MONGOD_BINARY'], cacheDir: CACHE, log: () => {} })).path;
