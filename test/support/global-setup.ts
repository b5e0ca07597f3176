import { mongodPath } from './cache.ts';
import { startLockedMongo } from './locked-mongo.ts';

/** Starts what the processes of a test run share. What is already named by the environment is used as it is. */
export const setup = async (): Promise<() => Promise<void>> => {
  process.env['MONGOD_BINARY'] = await mongodPath(); // its fingerprint is taken once, and not by every process again
  // as the embedded database has it: what a killed process holds is free after that
  const mongo = await startLockedMongo([], ['transactionLifetimeLimitSeconds=30']);
  process.env['TEST_MONGODB_URL'] = mongo.url();
  return mongo.stop;
};
