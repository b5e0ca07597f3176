import mongoose from 'mongoose';
import type { MemberKey } from './member-key.ts';

const { MongoClient } = mongoose.mongo;

const CONNECT_MS = 45_000;

/** Returns the credentials by which a member of the replica set identifies itself. */
export const memberCredentials = ({ secret }: MemberKey) => ({
  auth: { username: '__system', password: secret },
  authSource: 'local',
  authMechanism: 'SCRAM-SHA-256' as const,
});

/** Runs `work` on the mongod at `port` as a member of its set, since its users may not exist yet. */
export async function asMember<T>(
  port: number,
  key: MemberKey,
  work: (client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    ...memberCredentials(key),
    serverSelectionTimeoutMS: CONNECT_MS,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
