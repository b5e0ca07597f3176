import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Db } from 'mongodb';

const sha256 = (text: string) => createHash('sha256').update(text);

/** Token of an inserted person. It has the format of the service's own tokens and is the same in each run. */
export const toToken = (name: string): string => {
  const secret = sha256(name).digest('base64url');
  return `btr_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
};

const createAccount = (name: string, now: Date) => ({
  _id: name,
  subject: name,
  displayName: 'Reviewer',
  createdAt: now,
  kyc: { status: 'verified', verifiedAt: now },
});

const createCredential = (name: string, scopes: readonly string[], now: Date) => ({
  _id: sha256(toToken(name)).digest('hex'),
  id: name,
  accountId: name,
  scopes,
  createdAt: now,
  expiresAt: new Date(now.getTime() + 86_400_000),
});

/**
 * Inserts verified people with tokens. Tests with thousands of people need this, since the command line takes a second
 * for each.
 */
export const insertPeople = async (
  db: Db,
  names: readonly string[],
  scopes: readonly string[],
  now = new Date(),
): Promise<void> => {
  await db.collection<{ _id: string }>('accounts').insertMany(names.map((name) => createAccount(name, now)));
  await db.collection<{ _id: string }>('tokens').insertMany(names.map((name) => createCredential(name, scopes, now)));
};
