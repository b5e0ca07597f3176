import mongoose from 'mongoose';
import type { MemberKey } from './member-key.ts';
import { waitUntil } from './processes.ts';

const { MongoClient, MongoNetworkError } = mongoose.mongo;

const CONNECT_MS = 45_000;

/** Returns the credentials by which a member of the replica set identifies itself. */
export const memberCredentials = ({ secret }: MemberKey) => ({
  auth: { username: '__system', password: secret },
  authSource: 'local',
  authMechanism: 'SCRAM-SHA-256' as const,
});

/**
 * Returns false for a network error, so that the caller asks again: a member closes its connections when its state
 * changes.
 */
export const rethrowUnlessNetwork = (error: unknown): false => {
  if (error instanceof MongoNetworkError) return false;
  throw error;
};

/** @throws Error if no connection lasts within 45 s */
async function connect(port: number, key: MemberKey): Promise<mongoose.mongo.MongoClient> {
  let client: mongoose.mongo.MongoClient | false = false;
  await waitUntil(async () => {
    client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      ...memberCredentials(key),
      serverSelectionTimeoutMS: CONNECT_MS,
    }).catch(rethrowUnlessNetwork);
    return client !== false;
  }, CONNECT_MS);
  if (!client) throw new Error(`the embedded mongod at 127.0.0.1:${port} closes each connection`);
  return client;
}

/** Runs `work` on the mongod at `port` as a member of its set, since its users may not exist yet. */
export async function runAsMember<T>(
  port: number,
  key: MemberKey,
  work: (client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = await connect(port, key);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
