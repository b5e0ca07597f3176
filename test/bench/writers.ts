/** People with accounts and tokens who write reviews or only read. They exist only during the measurement. */
import type { Db } from 'mongodb';
import { insertPeople, toToken } from '../support/people.ts';
import type { Data } from './data.ts';
import type { Request } from './load.ts';
import { toSlug } from './names.ts';

const WRITERS = 4000;
const NAMES = /^bench-writer-/;
const toWriterName = (n: number): string => `bench-writer-${n}`;

/** The Authorization header of a person. */
export const toBearer = (n: number) => ({ Authorization: `Bearer ${toToken(toWriterName(n))}` });

/** Removes the written reviews, so that everybody can write again. */
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
  await removeWriters(db); // left by an interrupted run
  const names = Array.from({ length: WRITERS }, (_, n) => toWriterName(n));
  await insertPeople(db, names, ['reviews:write']);
};

/** One review per person, distributed over `brokers` brokers in turn. */
export const createWrites = ({ names }: Data, brokers: number): Request[] =>
  Array.from({ length: WRITERS }, (_, n) => ({
    path: '/api/v1/reviews',
    headers: { ...toBearer(n), 'X-Writer': toWriterName(n) },
    body: JSON.stringify({
      broker: toSlug(names[n % brokers] as string),
      rating: 4.25,
      title: 'Quick to pay out',
      language: 'en',
      content: 'I withdrew twice this year and both times the money came within two days.',
    }),
  }));

/** Requests of all people for the same broker. */
export const createReads = ({ typical }: Data): Request[] =>
  Array.from({ length: WRITERS }, (_, n) => ({ path: `/api/v1/brokers/${typical}`, headers: toBearer(n) }));
