/** People who write reviews, for as long as that is measured. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Db } from 'mongodb';
import type { Data } from './data.ts';
import type { Request } from './load.ts';
import { slugOf } from './names.ts';

const WRITERS = 4000;
const NAMES = /^bench-writer-/;
const nameOf = (n: number): string => `bench-writer-${n}`;
const sha256 = (text: string) => createHash('sha256').update(text);

/** In the form of the service's own tokens, the same in each run. */
const tokenOf = (n: number): string => {
  const secret = sha256(nameOf(n)).digest('base64url');
  return `btr_${secret}${crc32(secret).toString(16).padStart(8, '0')}`;
};

const accountOf = (n: number) => ({
  ...{ _id: nameOf(n), subject: nameOf(n), displayName: 'Reviewer', createdAt: new Date() },
  kyc: { status: 'verified', verifiedAt: new Date() },
});

const credentialOf = (n: number) => ({
  ...{ _id: sha256(tokenOf(n)).digest('hex'), id: nameOf(n), accountId: nameOf(n), scopes: ['reviews:write'] },
  ...{ createdAt: new Date(), expiresAt: new Date(Date.now() + 86_400_000) },
});

/** Takes away what was written, so that everybody can write again. */
export const removeWritten = async (db: Db): Promise<void> => {
  await db.collection('reviews').deleteMany({ accountId: NAMES });
  await db.collection('audit').deleteMany({ 'actor.accountId': NAMES });
  await db.collection('moderationCounts').deleteMany({});
};

export const removeWriters = async (db: Db): Promise<void> => {
  await removeWritten(db);
  await db.collection('tokens').deleteMany({ accountId: NAMES });
  await db.collection('accounts').deleteMany({ subject: NAMES });
};

export const addWriters = async (db: Db): Promise<void> => {
  await removeWriters(db); // of a run that did not come to its end
  const all = Array.from({ length: WRITERS }, (_, n) => n);
  await db.collection<{ _id: string }>('accounts').insertMany(all.map(accountOf));
  await db.collection<{ _id: string }>('tokens').insertMany(all.map(credentialOf));
};

/** A review by each of them, over so many brokers in turn. */
export const writersOf = ({ names }: Data, brokers: number): Request[] =>
  Array.from({ length: WRITERS }, (_, n) => ({
    path: '/api/v1/reviews',
    headers: { Authorization: `Bearer ${tokenOf(n)}`, 'X-Writer': nameOf(n) },
    body: JSON.stringify({
      broker: slugOf(names[n % brokers] as string),
      ...{ rating: 4.25, title: 'Quick to pay out', language: 'en' },
      content: 'I withdrew twice this year and both times the money came within two days.',
    }),
  }));
