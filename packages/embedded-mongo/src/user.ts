import { createHmac } from 'node:crypto';
import mongoose from 'mongoose';
import type { MemberKey } from './member-key.ts';
import { REPLICA_SET } from './replica-set.ts';

const { MongoServerError } = mongoose.mongo;

const DATABASE = 'broker-transparency';
/** Account of the service, and of commands that run beside it. */
const USER = 'broker-rating';

/** Roles for the service's own database, and for the oplog, to see how far it reaches back. */
const ROLES = [
  { role: 'readWrite', db: DATABASE },
  { role: 'read', db: 'local' },
];

const USER_NOT_FOUND = 11;

/** Derives the password from the key. The key cannot be derived from the password. */
const derivePassword = ({ secret }: MemberKey) => createHmac('sha256', secret).update(USER).digest('base64url');

/** Creates the user, or sets its password to the one of this key, which may be new. */
export async function ensureUser(client: mongoose.mongo.MongoClient, key: MemberKey) {
  const admin = client.db('admin');
  const user = { pwd: derivePassword(key), roles: ROLES, mechanisms: ['SCRAM-SHA-256'] };
  try {
    await admin.command({ updateUser: USER, ...user });
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === USER_NOT_FOUND)) throw error;
    await admin.command({ createUser: USER, ...user });
  }
}

/** Returns the address of the database, with the user's credentials. */
export const addressFor = (port: number, key: MemberKey) =>
  `mongodb://${USER}:${derivePassword(key)}@127.0.0.1:${port}/${DATABASE}?replicaSet=${REPLICA_SET}&authSource=admin`;
