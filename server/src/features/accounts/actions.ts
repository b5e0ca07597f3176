import { randomBytes, randomUUID } from 'node:crypto';
import type { Scope } from '@broker-transparency/contract';
import { type Principal, refuse } from '../../http/auth/access.ts';
import { type AuditEntry, record, recordAll } from '../../platform/audit/store.ts';
import { batchLoader } from '../../platform/batch-loader.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { blockOfSubject, recognisePerson } from './blocks.ts';
import { hashPerson, type Kyc, type KycStatus, kycStatusAt, personKey } from './kyc.rule.ts';
import { type Grant, impliedScopes } from './scopes.rule.ts';
import * as store from './store.ts';
import { hashToken, isTokenForm, mintToken } from './token.ts';

/** Who an account stands for at a time, by a credential. */
export const principalOf = ({ _id, kyc, displayName, country }: store.Account, grant: Grant, at: Date) => ({
  accountId: _id,
  scopes: grant.scopes,
  impliedScopes: impliedScopes(grant, at),
  kycVerified: kycStatusAt(kyc, at) === 'verified',
  personKey: personKey({ _id, kyc }),
  ...(kyc.personHash === undefined ? {} : { personHash: kyc.personHash }),
  displayName,
  ...(country === undefined ? {} : { country }),
  goodUntil: grant.expiresAt,
});

/** The principal of a token, or undefined where it is unknown, expired or revoked, or its account is blocked. */
export const verifyToken = (clock: Clock, onTouchFault: (error: unknown) => void) => {
  const touch = batchLoader(async (hashes) => {
    await store.touchTokens(hashes, clock()).catch(onTouchFault);
    return () => undefined;
  });
  return async (token: string): Promise<Principal | undefined> => {
    if (!isTokenForm(token)) return undefined;
    const hash = hashToken(token);
    const found = await store.findToken(hash);
    const now = clock();
    if (!found || found.revokedAt || found.expiresAt <= now) return undefined;
    const [account] = found.accounts;
    if (!account || account.blocked) return undefined;
    // at most once a minute, so that reads do not become writes
    if (!found.lastUsedAt || now.getTime() - found.lastUsedAt.getTime() > 60_000) touch(hash);
    return { ...principalOf(account, found, now), tokenId: hash };
  };
};

/** The token was good when the request began. */
export const accountGone = () => refuse('invalid_token', 'The account of this token is gone.');

/** Counts a complaint: those of one account are stored one after the other. @throws ProblemError invalid_token where it is gone */
export const countComplaint = async (accountId: string, tx: Tx): Promise<void> => {
  if (!(await store.countComplaint(accountId, tx))) throw accountGone();
};

/** Ids of every account of a person. */
export const personAccounts = store.findAccountsOfPerson;

/** The account of a subject, made where there is none. Display names are never taken from the subject: it may be an address. */
export const ensureAccount = async (
  { actor, clock }: Context,
  subject: string,
  reason: string,
  tx: Tx,
): Promise<store.Account> => {
  const existing = await store.findAccountBySubject(subject, tx);
  if (existing) return existing;
  const blocked = await blockOfSubject(subject, tx);
  const account: store.Account = {
    _id: randomUUID(),
    subject,
    displayName: `Reviewer ${randomBytes(2).toString('hex')}`,
    kyc: { status: 'none' },
    ...(blocked ? { blocked } : {}),
    createdAt: clock(),
  };
  await store.insertAccount(account, tx);
  const about = { kind: 'account', id: account._id } as const;
  const after = { kyc: account.kyc.status, ...(blocked ? { blocked: true } : {}) };
  await record(actor, clock(), { action: 'account.created', subject: about, before: null, after, reason }, tx);
  return account;
};

export interface KycChange {
  readonly status: KycStatus;
  readonly provider?: string | undefined;
  /** The provider's reference of the person; only its hash is kept. */
  readonly person?: string | undefined;
  /** Now, where it is not said. */
  readonly verifiedAt?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** When the change came about; now, where it is not said. */
  readonly changedAt?: Date | undefined;
}

/** What the audit trail hears of a verification: not who verified whom. */
const factsOf = ({ status, expiresAt }: Kyc) => ({
  status,
  ...(expiresAt ? { expiresAt: expiresAt.toISOString() } : {}),
});

/** Writes a verification and its audit entry. */
export const applyKyc = async (
  context: Context,
  account: store.Account,
  change: KycChange,
  reason: string,
  tx: Tx,
): Promise<void> => {
  const { actor, clock } = context;
  const provider = change.provider ?? account.kyc.provider ?? 'operator';
  const personHash = change.person === undefined ? account.kyc.personHash : hashPerson(provider, change.person);
  const changedAt = change.changedAt ?? clock();
  const verifiedAt = change.status === 'verified' ? (change.verifiedAt ?? changedAt) : account.kyc.verifiedAt;
  const kyc = {
    status: change.status,
    provider,
    ...(personHash ? { personHash } : {}),
    ...(verifiedAt ? { verifiedAt } : {}),
    ...(change.expiresAt ? { expiresAt: change.expiresAt } : {}),
    changedAt,
  };
  await store.setKyc(account._id, kyc, tx);
  if (personHash !== account.kyc.personHash) await recognisePerson(context, { ...account, kyc }, tx);
  const subject = { kind: 'account', id: account._id } as const;
  const before = factsOf(account.kyc);
  const after = { ...factsOf(kyc), ...(personHash === account.kyc.personHash ? {} : { personChanged: true }) };
  await record(actor, clock(), { action: 'account.kyc', subject, before, after, reason }, tx);
};

/** Sets the identity verification of a subject, whose account is made where there is none. */
export const changeKyc = (context: Context, subject: string, change: KycChange): Promise<{ accountId: string }> =>
  transaction(async (tx) => {
    const account = await ensureAccount(context, subject, 'operator_command', tx);
    await applyKyc(context, account, change, 'operator_command', tx);
    return { accountId: account._id };
  });

const EXPIRY_BATCH = 500;

/**
 * Marks as expired the verifications whose end has passed, with an audit entry each; returns how many. They count as expired
 * from that very moment whether or not this ran: see `kycStatusAt`.
 */
export const expireKyc = async ({ actor, clock }: Context, signal?: AbortSignal): Promise<number> => {
  const now = clock();
  for (let total = 0; ; ) {
    signal?.throwIfAborted();
    const count = await transaction(async (tx) => {
      const accounts = await store.findLapsed(now, EXPIRY_BATCH, tx);
      if (accounts.length === 0) return 0;
      const ids = accounts.map((account) => account._id);
      await store.markExpired(ids, tx);
      const entries = ids.map(
        (id): AuditEntry => ({
          action: 'account.kyc',
          subject: { kind: 'account', id },
          before: { status: 'verified' },
          after: { status: 'expired' },
          reason: 'lapsed',
        }),
      );
      await recordAll(actor, now, entries, tx);
      return ids.length;
    });
    total += count;
    if (count < EXPIRY_BATCH) return total;
  }
};

/** People who have several accounts, as the ids of these. */
export const sharedPersons = store.findSharedPersons;

export interface TokenRequest {
  readonly subject: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
  readonly label?: string | undefined;
  readonly displayName?: string | undefined;
  readonly country?: string | undefined;
  readonly kyc?: KycChange | undefined;
  /** Why, for the audit trail. */
  readonly reason: string;
}

/** The entry of a new token. */
export const tokenCreated = (
  id: string,
  { scopes, expiresAt }: Pick<TokenRequest, 'scopes' | 'expiresAt'>,
  reason: string,
): AuditEntry => ({
  action: 'token.created',
  subject: { kind: 'token', id },
  before: null,
  after: { scopes: scopes.join(' '), expiresAt: expiresAt.toISOString() },
  reason,
});

/** Sets what the public sees of an author from now on. The audit trail hears that a name changed, and not the name. */
const changeProfile = async (
  { actor, clock }: Context,
  { _id: id, displayName, country }: store.Account,
  { displayName: name = displayName, country: from = country, reason }: TokenRequest,
  tx: Tx,
): Promise<void> => {
  if (name === displayName && from === country) return;
  await store.setProfile(id, { displayName: name, ...(from === undefined ? {} : { country: from }) }, tx);
  const subject = { kind: 'account', id } as const;
  const before = { country: country ?? null };
  const after = { country: from ?? null, nameChanged: name !== displayName };
  await record(actor, clock(), { action: 'account.profile', subject, before, after, reason }, tx);
};

/** Makes a token for a subject. The token is returned this once. */
export const createToken = (context: Context, request: TokenRequest): Promise<{ token: string; id: string }> =>
  transaction(async (tx) => {
    const { actor, clock } = context;
    const { reason } = request;
    const account = await ensureAccount(context, request.subject, reason, tx);
    await changeProfile(context, account, request, tx);
    if (request.kyc) await applyKyc(context, account, request.kyc, reason, tx);
    const token = mintToken();
    const id = randomBytes(6).toString('hex');
    await store.insertToken(
      {
        _id: hashToken(token),
        id,
        accountId: account._id,
        scopes: [...request.scopes],
        scopesAreAll: true,
        ...(request.label ? { label: request.label } : {}),
        createdAt: clock(),
        expiresAt: request.expiresAt,
      },
      tx,
    );
    await record(actor, clock(), tokenCreated(id, request, reason), tx);
    return { token, id };
  });

/** Revokes a token by its id. False where no live token has it. */
export const revokeToken = ({ actor, clock }: Context, id: string, reason: string): Promise<boolean> =>
  transaction(async (tx) => {
    const revoked = await store.revokeToken(id, clock(), tx);
    const states = { before: { revoked: false }, after: { revoked: true } };
    if (revoked)
      await record(actor, clock(), { action: 'token.revoked', subject: { kind: 'token', id }, ...states, reason }, tx);
    return revoked;
  });

/** Tokens, of one subject or all, without anything secret. */
export const listTokens = async (subject?: string) => {
  if (subject === undefined) return store.listTokens();
  const account = await store.findAccountBySubject(subject);
  return account ? store.listTokens(account._id) : [];
};
