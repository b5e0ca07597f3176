import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Db } from 'mongodb';

const sha256 = (text: string) => createHash('sha256').update(text);

/** Of a person who was inserted, in the form of the service's own tokens, the same in each run. */
export const tokenOf = (name: string): string => {
  const secret = sha256(name).digest('base64url');
  return `btr_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
};

const accountOf = (name: string) => ({
  ...{ _id: name, subject: name, displayName: 'Reviewer', createdAt: new Date() },
  kyc: { status: 'verified', verifiedAt: new Date() },
});

const credentialOf = (name: string, scopes: readonly string[]) => ({
  ...{ _id: sha256(tokenOf(name)).digest('hex'), id: name, accountId: name, scopes },
  ...{ createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) },
});

/** Thousands of people who may write: one by one, the command line would take a second for each. */
export const insertPeople = async (db: Db, names: readonly string[], scopes: readonly string[]): Promise<void> => {
  await db.collection<{ _id: string }>('accounts').insertMany(names.map(accountOf));
  await db.collection<{ _id: string }>('tokens').insertMany(names.map((name) => credentialOf(name, scopes)));
};
