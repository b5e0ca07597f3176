import { type Context, inTransaction, type TxContext } from '../../ledger/context.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { Db } from '../../platform/mongo.ts';
import { storeToken } from './actions.ts';
import * as store from './store.ts';
import { computeOverlapEnd, isUnused } from './token.ts';

const requireLiveToken = async ({ tx, now }: TxContext, id: string): Promise<store.StoredToken> => {
  const token = await store.findTokenById(id, tx);
  if (!token || token.revokedAt || token.expiresAt <= now)
    throw new DomainError('not_found', `No live token has the id "${id}". See: token list`);
  if (token.replacedBy)
    throw new DomainError('state_conflict', `Token ${id} was rotated already: ${token.replacedBy} replaces it.`);
  return token;
};

export interface RotatedToken {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: Date;
  /** End of the old token. */
  readonly oldEndsAt: Date;
}

/**
 * Creates a token like an old one with the same lifetime, and ends the old one after `overlapMs`.
 * @throws DomainError if the old token does not exist or can no longer be rotated
 */
export const rotateToken = (context: Context, oldId: string, overlapMs: number): Promise<RotatedToken> =>
  inTransaction(context, async (c) => {
    const old = await requireLiveToken(c, oldId);
    const expiresAt = new Date(c.now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime());
    const oldEndsAt = computeOverlapEnd(old.expiresAt, c.now, overlapMs);
    const { accountId, scopes, label } = old;
    const kept = { accountId, scopes, ...(label ? { label } : {}) };
    const reason = 'operator_command';
    const { token, id } = await storeToken(c, { ...kept, expiresAt }, reason);
    await store.replaceToken(oldId, { replacedBy: id, expiresAt: oldEndsAt }, c.tx);
    const before = { expiresAt: old.expiresAt.toISOString() };
    const after = { expiresAt: oldEndsAt.toISOString(), replacedBy: id };
    c.audit('token.rotated', { kind: 'token', id: oldId }, { before, after, reason });
    return { token, id, expiresAt, oldEndsAt };
  });

/** Lists valid tokens that were last used before `since`, or were created before it and never used. */
export const listUnusedTokens = async (db: Db, since: Date, now: Date): Promise<store.StoredToken[]> =>
  (await store.listTokens(db)).filter((token) => isUnused(token, since, now));
