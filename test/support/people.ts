import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Db } from 'mongodb';

const sha256 = (text: string) => createHash('sha256').update(text);

/** Of a person who was inserted, in the form of the service's own tokens, the same in each run. */
export const tokenOf = (name: string): string => {
  const secret = sha256(name).digest('base64url');
  return `btr_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
};

const accountOf = (name: string, now: Date) => ({
  _id: name,
  subject: name,
  displayName: 'Reviewer',
  createdAt: now,
  kyc: { status: 'verified', verifiedAt: now },
});

const credentialOf = (name: string, scopes: readonly string[], now: Date) => ({
  _id: sha256(tokenOf(name)).digest('hex'),
  id: name,
  accountId: name,
  scopes,
  createdAt: now,
  expiresAt: new Date(now.getTime() + 86_400_000),
});

/** Thousands of people who may write: one by one, the command line would take a second for each. */
export const insertPeople = async (
  db: Db,
  names: readonly string[],
  scopes: readonly string[],
  now = new Date(),
): Promise<void> => {
  await db.collection<{ _id: string }>('accounts').insertMany(names.map((name) => accountOf(name, now)));
  await db.collection<{ _id: string }>('tokens').insertMany(names.map((name) => credentialOf(name, scopes, now)));
};
