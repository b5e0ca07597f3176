import mongoose from 'mongoose';
import { rethrowUnlessNetwork } from './members.ts';
import { waitUntil } from './processes.ts';

export const REPLICA_SET = 'embedded';

const { MongoServerError } = mongoose.mongo;
type Admin = mongoose.mongo.Db;

const TIMEOUT_MS = 45_000;

/**
 * Makes the mongod at `port` the primary of a set of one, even if its data was served on another port before.
 * @throws Error if it does not become primary within 45 s
 */
export async function becomePrimary(client: mongoose.mongo.MongoClient, port: number) {
  const host = `127.0.0.1:${port}`;
  await configure(client, host);
  if (!(await waitUntil(() => isPrimary(client.db('admin')), TIMEOUT_MS))) {
    throw new Error(`the embedded mongod at ${host} did not become primary within ${TIMEOUT_MS / 1000} s`);
  }
}

interface Config extends mongoose.mongo.Document {
  version: number;
  members: { _id: number; host: string }[];
}

const storedConfig = (client: mongoose.mongo.MongoClient) =>
  client.db('local').collection<Config>('system.replset').findOne({});

async function configure(client: mongoose.mongo.MongoClient, host: string) {
  const stored = await storedConfig(client);
  const admin = client.db('admin');
  if (!stored) return admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
  if (stored.members[0]?.host === host) return undefined;
  // forced, because a member that is missing from the configuration accepts no other change
  const moved = {
    ...stored,
    version: stored.version + 1,
    members: stored.members.map((member) => ({ ...member, host })),
  };
  return waitUntil(() => reconfigured(admin, moved), TIMEOUT_MS);
}

/** Returns false while mongod still checks its old address, which takes up to 30 s if nothing answers there. */
const reconfigured = (admin: Admin, config: Config) =>
  admin.command({ replSetReconfig: config, force: true }).then(
    () => true,
    (error) =>
      error instanceof MongoServerError && error.codeName === 'NotYetInitialized' ? false : rethrowUnlessNetwork(error),
  );

const isPrimary = (admin: Admin) =>
  admin.command({ hello: 1 }).then(({ isWritablePrimary }) => isWritablePrimary === true, rethrowUnlessNetwork);
