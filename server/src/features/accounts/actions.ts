import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '@broker-transparency/contract';
import type { Principal } from '../../http/auth/access.ts';
import { type Context, fixedAt, inTransaction, type TxContext } from '../../ledger/context.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { findSubjectBlock, recognisePerson } from './blocks.ts';
import { hashPerson, type Kyc, type KycStatus, kycStatusAt, personKey } from './kyc.rule.ts';
import * as store from './store.ts';
import { hashToken, isTokenForm, mintToken } from './token.ts';

/** The rights that a credential gives, and until when. */
interface CredentialGrant {
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

/** Returns the principal that a credential gives an account at a time. */
export const toPrincipal = ({ _id, kyc, displayName, country }: store.Account, grant: CredentialGrant, at: Date) => ({
  accountId: _id,
  scopes: grant.scopes,
  kycVerified: kycStatusAt(kyc, at) === 'verified',
  personKey: personKey({ _id, kyc }),
  ...(kyc.personHash === undefined ? {} : { personHash: kyc.personHash }),
  displayName,
  ...(country === undefined ? {} : { country }),
  goodUntil: grant.expiresAt,
});

/**
 * Returns the verifier of tokens. It resolves to undefined if a token is unknown, expired or revoked, or its account is
 * blocked.
 */
export const verifyToken = (db: Db, clock: Clock, onTouchFault: (error: unknown) => void) => {
  const touch = batchLoader(async (hashes) => {
    await store.touchTokens(db, hashes, clock()).catch(onTouchFault);
    return () => undefined;
  });
  return async (token: string): Promise<Principal | undefined> => {
    if (!isTokenForm(token)) return undefined;
    const hash = hashToken(token);
    const found = await store.findToken(db, hash);
    const now = clock();
    if (!found || found.revokedAt || found.expiresAt <= now) return undefined;
    const [account] = found.accounts;
    if (!account || account.blocked) return undefined;
    // at most once a minute, so that reads do not cause writes
    if (!found.lastUsedAt || now.getTime() - found.lastUsedAt.getTime() > 60_000) touch(hash);
    return { ...toPrincipal(account, found, now), tokenId: hash };
  };
};

/** The account was erased after its token was accepted. */
export const accountGone = (): DomainError => new DomainError('invalid_token', 'The account of this token is gone.');

/**
 * Counts a complaint, which serialises concurrent complaints of one account.
 * @throws DomainError invalid_token if the account is gone
 */
export const countComplaint = async ({ tx }: TxContext, accountId: string): Promise<void> => {
  if (!(await store.countComplaint(accountId, tx))) throw accountGone();
};

/** Returns the ids of all accounts of a person. */
export const findPersonAccountIds = store.findPersonAccountIds;

/**
 * Returns the account of a subject, and creates it if there is none. The display name never comes from the subject,
 * which may be an e-mail address.
 */
export const ensureAccount = async (c: TxContext, subject: string, reason: string): Promise<store.Account> => {
  const existing = await store.findAccountBySubject(c.db, subject, c.tx);
  if (existing) return existing;
  const blocked = await findSubjectBlock(subject, c.tx);
  const account: store.Account = {
    _id: randomUUID(),
    subject,
    displayName: `Reviewer ${randomBytes(2).toString('hex')}`,
    kyc: { status: 'none' },
    ...(blocked ? { blocked } : {}),
    createdAt: c.now,
  };
  await store.insertAccount(account, c.tx);
  const after = { kyc: account.kyc.status, ...(blocked ? { blocked: true } : {}) };
  c.audit('account.created', { kind: 'account', id: account._id }, { before: null, after, reason });
  return account;
};

export interface KycChange {
  readonly status: KycStatus;
  readonly provider?: string | undefined;
  /** The KYC provider's reference to the person. Only its hash is stored. */
  readonly person?: string | undefined;
  /** Defaults to the time of the change. */
  readonly verifiedAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** Time of the change. Defaults to now. */
  readonly changedAt?: Date | undefined;
}

/** Returns the facts of a verification for the audit trail, without the person and the provider. */
const toKycFacts = ({ status, expiresAt }: Kyc) => ({
  status,
  ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
});

/** Returns the verification after a change. */
const mergeKyc = ({ kyc }: store.Account, change: KycChange, now: Date): Kyc => {
  const provider = change.provider ?? kyc.provider ?? 'operator';
  const personHash = change.person === undefined ? kyc.personHash : hashPerson(provider, change.person);
  const changedAt = change.changedAt ?? now;
  const verifiedAt = change.status === 'verified' ? (change.verifiedAt ?? changedAt) : kyc.verifiedAt;
  return {
    status: change.status,
    provider,
    ...(personHash ? { personHash } : {}),
    ...(verifiedAt ? { verifiedAt } : {}),
    ...(change.expiresAt ? { expiresAt: change.expiresAt } : {}),
    changedAt,
  };
};

/** Stores a verification with its audit entry. */
export const applyKyc = async (
  c: TxContext,
  account: store.Account,
  change: KycChange,
  reason: string,
): Promise<void> => {
  const kyc = mergeKyc(account, change, c.now);
  const isSamePerson = kyc.personHash === account.kyc.personHash;
  await store.setKyc(account._id, kyc, c.tx);
  if (!isSamePerson) await recognisePerson(c, { ...account, kyc });
  const [before, after] = [
    toKycFacts(account.kyc),
    { ...toKycFacts(kyc), ...(isSamePerson ? {} : { personChanged: true }) },
  ];
  c.audit('account.kyc', { kind: 'account', id: account._id }, { before, after, reason });
};

/** Sets the identity verification of a subject. Creates the account if there is none. */
export const changeKyc = (context: Context, subject: string, change: KycChange): Promise<{ accountId: string }> =>
  inTransaction(context, async (c) => {
    const account = await ensureAccount(c, subject, 'operator_command');
    await applyKyc(c, account, change, 'operator_command');
    return { accountId: account._id };
  });

const EXPIRY_BATCH = 500;

const expireBatch = async (c: TxContext): Promise<number> => {
  const accounts = await store.findLapsed(c.now, EXPIRY_BATCH, c.tx);
  if (accounts.length === 0) return 0;
  const ids = accounts.map((account) => account._id);
  await store.markExpired(ids, c.tx);
  const change = { before: { status: 'verified' }, after: { status: 'expired' }, reason: 'lapsed' };
  for (const id of ids) c.audit('account.kyc', { kind: 'account', id }, change);
  return ids.length;
};

/**
 * Marks verifications that have ended as expired, with one audit entry each. Returns their number. They count as
 * expired from their end whether or not this runs; see `kycStatusAt`.
 */
export const expireKyc = async (context: Context, signal?: AbortSignal): Promise<number> => {
  const fixedContext = fixedAt(context, context.clock());
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const count = await inTransaction(fixedContext, expireBatch);
    total += count;
    if (count < EXPIRY_BATCH) return total;
  }
};

/** Returns the account ids of each person who has several accounts. */
export const findSharedPersons = store.findSharedPersons;

export interface TokenRequest {
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly country?: string | undefined;
  readonly kyc?: KycChange | undefined;
  /** Recorded in the audit trail. */
  readonly reason: string;
}

/** Stores a new token. Returns its id and the token itself, which is not stored. */
export const storeToken = async (
  c: TxContext,
  token: Omit<store.StoredToken, '_id' | 'id' | 'createdAt'>,
  reason: string,
): Promise<{ token: string; id: string }> => {
  const minted = mintToken();
  const id = randomBytes(6).toString('hex');
  await store.insertToken({ _id: hashToken(minted), id, ...token, createdAt: c.now }, c.tx);
  const after = { scopes: token.scopes.join(' '), expiresAt: token.expiresAt.toISOString() };
  c.audit('token.created', { kind: 'token', id }, { before: null, after, reason });
  return { token: minted, id };
};

/** Sets the public name and country of an author. The audit trail records that the name changed, but not the name. */
const changeProfile = async (
  c: TxContext,
  { _id: id, displayName, country }: store.Account,
  { displayName: name = displayName, country: from = country, reason }: TokenRequest,
): Promise<void> => {
  if (name === displayName && from === country) return;
  await store.setProfile(id, { displayName: name, ...(from === undefined ? {} : { country: from }) }, c.tx);
  const before = { country: country ?? null };
  const after = { country: from ?? null, nameChanged: name !== displayName };
  c.audit('account.profile', { kind: 'account', id }, { before, after, reason });
};

/** Creates a token for a subject. The token is only returned here. */
export const createToken = (context: Context, request: TokenRequest): Promise<{ token: string; id: string }> =>
  inTransaction(context, async (c) => {
    const { reason, scopes, label, expiresAt } = request;
    const account = await ensureAccount(c, request.subject, reason);
    await changeProfile(c, account, request);
    if (request.kyc) await applyKyc(c, account, request.kyc, reason);
    const token = { accountId: account._id, scopes: [...scopes], expiresAt };
    return storeToken(c, { ...token, ...(label ? { label } : {}) }, reason);
  });

/** Revokes a token by its id. Returns false if no live token has that id. */
export const revokeToken = (context: Context, id: string, reason: string): Promise<boolean> =>
  inTransaction(context, async (c) => {
    const revoked = await store.revokeToken(id, c.now, c.tx);
    const change = { before: { revoked: false }, after: { revoked: true }, reason };
    if (revoked) c.audit('token.revoked', { kind: 'token', id }, change);
    return revoked;
  });

/** Lists the tokens of one subject, or all tokens, without secrets. */
export const listTokens = async (db: Db, subject?: string) => {
  if (subject === undefined) return store.listTokens(db);
  const account = await store.findAccountBySubject(db, subject);
  return account ? store.listTokens(db, account._id) : [];
};
