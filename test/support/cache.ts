import { homedir } from 'node:os';
import { join } from 'node:path';
import { findMongod } from '../../server/src/platform/embedded/mongod-binary.ts';

/** The service's own cache: the programs that tests need may be there already. */
export const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'broker-transparency');

/** A real mongod, or an error: a test that needs it never skips. */
export const mongodPath = async (): Promise<string> =>
  (await findMongod({ binary: process.env['MONGOD_BINARY'], cacheDir: CACHE, log: () => {} })).path;
