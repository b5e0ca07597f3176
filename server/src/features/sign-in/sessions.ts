import { randomBytes } from 'node:crypto';
import { SCOPES } from '@broker-transparency/contract';
import type { PersonSession } from '../../http/auth/person-session.ts';
import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { hashToHex } from '../../platform/sha256.rule.ts';
import { accountGone, toPrincipal } from '../accounts/actions.ts';
import { findAccount } from '../accounts/facts.ts';
import { FRESH_MS, IDLE_MS, NOTED_MS, SESSION_MS } from './policy.rule.ts';
import * as store from './store.ts';

/** A person who has just signed in. */
export type SignedIn = Pick<store.Session, 'accountId' | 'method' | 'label' | 'verifiedEmail' | 'locale' | 'provenAt'>;

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

const computeExpiry = (now: Date, endsAt: Date): Date => new Date(Math.min(now.getTime() + IDLE_MS, endsAt.getTime()));

/** Begins a session in the caller's transaction. Returns the secret for the cookie, which is not stored. */
export const insertSession = async ({ now, tx }: TxContext, signedIn: SignedIn): Promise<string> => {
  const secret = randomBytes(32).toString('base64url');
  const endsAt = new Date(now.getTime() + SESSION_MS);
  const times = { createdAt: now, usedAt: now, expiresAt: computeExpiry(now, endsAt), endsAt };
  await store.insertSession({ _id: hashToHex(secret), ...signedIn, ...times }, tx);
  return secret;
};

/**
 * Takes a new session back if its account was erased meanwhile. Called after its commit.
 * @throws DomainError invalid_token if it was
 */
export const requireAccount = async (db: Db, accountId: string, secret: string): Promise<void> => {
  if (await findAccount(db, accountId)) return;
  await store.deleteSession(db, hashToHex(secret));
  throw accountGone();
};

/**
 * Begins a session. Returns the secret for the cookie, which is not stored.
 * @throws DomainError invalid_token if the account was erased meanwhile
 */
export const createSession = async (context: Context, signedIn: SignedIn): Promise<string> => {
  const secret = await inTransaction(context, (c) => insertSession(c, signedIn));
  await requireAccount(context.db, signedIn.accountId, secret);
  return secret;
};

/** Returns whether a person proved lately who they are; false if nobody says when. */
export const isFreshProof = (provenAt: Date | undefined, now: Date): boolean =>
  provenAt !== undefined && now.getTime() - provenAt.getTime() <= FRESH_MS;

/** Returns whether a block ended a session: it does not begin again when the block is lifted. */
const isEndedByBlock = (
  { createdAt }: store.Session,
  { blocked, unblockedAt }: NonNullable<Awaited<ReturnType<typeof findAccount>>>,
): boolean => blocked !== undefined || (unblockedAt !== undefined && unblockedAt >= createdAt);

/**
 * Returns the session of a cookie; undefined if there is none, it has ended, or its account is gone or blocked. Notes
 * that it is used.
 */
export const findSession = async (db: Db, clock: Clock, secret: string): Promise<PersonSession | undefined> => {
  if (!SECRET.test(secret)) return undefined;
  const id = hashToHex(secret);
  const session = await store.findSession(db, id);
  const now = clock();
  if (!session || session.expiresAt <= now) return undefined;
  const account = await findAccount(db, session.accountId);
  if (!account || isEndedByBlock(session, account)) {
    await store.deleteSession(db, id);
    return undefined;
  }
  if (now.getTime() - session.usedAt.getTime() > NOTED_MS)
    await store.noteUse(db, id, now, computeExpiry(now, session.endsAt));
  const { method, label, createdAt, endsAt, verifiedEmail, locale, provenAt } = session;
  const principal = {
    ...toPrincipal(account, { scopes: SCOPES, expiresAt: endsAt }, now),
    ...(verifiedEmail === undefined ? {} : { verifiedEmail }),
    ...(locale === undefined ? {} : { locale }),
  };
  const formToken = hashToHex(`form ${secret}`);
  const isFresh = isFreshProof(provenAt, now);
  return { id, principal, subject: account.subject, method, label, createdAt, endsAt, formToken, isFresh };
};

/** Characters by which a person names a session: they tell it apart, and open nothing. */
const HANDLE_LENGTH = 16;

/** A session of a person, as they see it. */
export interface OwnSession extends Pick<store.Session, 'method' | 'createdAt' | 'usedAt'> {
  /** Names it in a form. */
  readonly handle: string;
  /** True for the one of the browser that asks. */
  readonly isThis: boolean;
}

/** Lists the sessions of the person of a session. */
export const listOwnSessions = async (
  db: Db,
  clock: Clock,
  { id, principal: { accountId } }: PersonSession,
): Promise<OwnSession[]> =>
  (await store.listSessions(db, accountId, clock())).map(({ _id, method, createdAt, usedAt }) => {
    return { handle: _id.slice(0, HANDLE_LENGTH), isThis: _id === id, method, createdAt, usedAt };
  });

/**
 * Ends other sessions of the person of a session. Returns their ids.
 * @param handle names one of them; undefined: all others
 */
export const endOtherSessions = async (
  db: Db,
  clock: Clock,
  { id, principal: { accountId } }: PersonSession,
  handle: string | undefined,
): Promise<string[]> => {
  const others = (await store.listSessions(db, accountId, clock())).filter(
    ({ _id }) => _id !== id && (handle === undefined || _id.slice(0, HANDLE_LENGTH) === handle),
  );
  for (const { _id } of others) await store.deleteSession(db, _id);
  return others.map(({ _id }) => _id);
};

/** Ends the session of a cookie. */
export const endSession = async (db: Db, secret: string): Promise<void> => {
  if (SECRET.test(secret)) await store.deleteSession(db, hashToHex(secret));
};

/** Ends every session, and every request to sign in by mail: a restore would bring back those that had ended. */
export const endAllSignIns = (context: Context): Promise<void> =>
  inTransaction(context, ({ tx }) => store.deleteAll(tx));
