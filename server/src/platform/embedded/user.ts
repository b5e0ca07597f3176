import { createHmac } from 'node:crypto';
import mongoose from 'mongoose';
import type { MemberKey } from './member-key.ts';
import { REPLICA_SET } from './replica-set.ts';

const { MongoServerError } = mongoose.mongo;

const DATABASE = 'broker-transparency';
/** The service, and commands beside it. */
const USER = 'broker-rating';

/** What the service needs, and the oplog, to see how far it reaches back. */
const ROLES = [
  { role: 'readWrite', db: DATABASE },
  { role: 'read', db: 'local' },
];

const USER_NOT_FOUND = 11;

/** Known to whoever has the key; the key does not follow from it. */
const passwordOf = ({ secret }: MemberKey) => createHmac('sha256', secret).update(USER).digest('base64url');

/** Makes the user, or gives it the password of this key: the key may be new, and the data of a release that knew no users. */
export async function ensureUser(client: mongoose.mongo.MongoClient, key: MemberKey) {
  const admin = client.db('admin');
  const user = { pwd: passwordOf(key), roles: ROLES, mechanisms: ['SCRAM-SHA-256'] };
  try {
    await admin.command({ updateUser: USER, ...user });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === USER_NOT_FOUND)) throw error;
    await admin.command({ createUser: USER, ...user });
  }
}

/** Where the user finds its database. */
export const addressFor = (port: number, key: MemberKey) =>
  `mongodb://${USER}:${passwordOf(key)}@127.0.0.1:${port}/${DATABASE}?replicaSet=${REPLICA_SET}&authSource=admin`;
