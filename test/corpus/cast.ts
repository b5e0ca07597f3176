import { SCOPES } from '@broker-transparency/contract';
import type { Db } from 'mongodb';
import { insertPeople, toToken } from '../support/people.ts';

/** Accounts that wrote reviews and complaints of the demo set, in every state. */
export const AUTHORS = Array.from({ length: 20 }, (_, n) => `demo-account-${String(n * 97 + 1).padStart(4, '0')}`);

/**
 * People of the stories, with every scope. `ana` writes and `rita` reports. The others are refused for the state of
 * their account or token.
 */
const PEOPLE = ['ana', 'rita', 'nora', 'eve', 'rex', 'bea'];

/** People without any history. Each exhausts a budget or writes. */
const FRESH = ['bert', 'cora', 'dora', 'egon', 'fred', 'gina', 'hugo', 'ines', 'jana'];

/** The Authorization header of a person, the same in every corpus. */
export const tokenLine = (name: string): string => `Authorization: Bearer ${toToken(name)}`;

/** Inserts everybody who sends requests, with their credentials as of that day. */
export const insertCast = async (db: Db, now: Date): Promise<void> => {
  const tokens = db.collection<{ id: string }>('tokens');
  await insertPeople(db, [...PEOPLE, ...FRESH, ...AUTHORS], SCOPES, now);
  await insertPeople(db, ['lia'], ['account:read'], now);
  await insertPeople(db, ['olga'], ['reviews:write'], now);
  await tokens.updateOne({ id: 'eve' }, { $set: { expiresAt: new Date(now.getTime() - 1000) } });
  await tokens.updateOne({ id: 'rex' }, { $set: { revokedAt: now } });
  await db.collection<{ _id: string }>('accounts').updateOne({ _id: 'nora' }, { $set: { kyc: { status: 'none' } } });
};
