import { randomBytes } from 'node:crypto';
import { type AuditEntry, recordAll } from '../../platform/audit/store.ts';
import type { Context } from '../../platform/context.ts';
import { type Tx, transaction } from '../../platform/mongo.ts';
import { tokenCreated } from './actions.ts';
import * as store from './store.ts';
import { endOfRotated, hashToken, isUnused, mintToken } from './token.ts';

/** The token is not there, or has no life left to hand on. */
export class CannotRotate extends Error {}

const requireLive = async (id: string, now: Date, tx: Tx): Promise<store.Token> => {
  const token = await store.findTokenById(id, tx);
  if (!token || token.revokedAt || token.expiresAt <= now)
    throw new CannotRotate(`No live token has the id "${id}". See: token list`);
  if (token.replacedBy) throw new CannotRotate(`Token ${id} was rotated already: ${token.replacedBy} replaces it.`);
  return token;
};

export interface Rotated {
  readonly token: string;
  readonly id: string;
  readonly expiresAt: Date;
  /** When the old one ends. */
  readonly oldEndsAt: Date;
}

/**
 * Makes a new token like an old one, for as long as that was made for, and lets the old one go on for `overlapMs`.
 * @throws CannotRotate
 */
export const rotateToken = ({ actor, clock }: Context, oldId: string, overlapMs: number): Promise<Rotated> =>
  transaction(async (tx) => {
    const now = clock();
    const old = await requireLive(oldId, now, tx);
    const token = mintToken();
    const id = randomBytes(6).toString('hex');
    const expiresAt = new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime());
    const oldEndsAt = endOfRotated(old.expiresAt, now, overlapMs);
    const { accountId, scopes, scopesAreAll, label } = old;
    const kept = { accountId, scopes, ...(scopesAreAll ? { scopesAreAll } : {}), ...(label ? { label } : {}) };
    await store.insertToken({ _id: hashToken(token), id, ...kept, createdAt: now, expiresAt }, tx);
    await store.replaceToken(oldId, { replacedBy: id, expiresAt: oldEndsAt }, tx);
    const reason = 'operator_command';
    const rotated: AuditEntry = {
      action: 'token.rotated',
      subject: { kind: 'token', id: oldId },
      before: { expiresAt: old.expiresAt.toISOString() },
      after: { expiresAt: oldEndsAt.toISOString(), replacedBy: id },
      reason,
    };
    await recordAll(actor, now, [tokenCreated(id, { scopes, expiresAt }, reason), rotated], tx);
    return { token, id, expiresAt, oldEndsAt };
  });

/** Tokens that are still good and were not used since, or were made before and never used. */
export const listUnusedTokens = async (since: Date, now: Date): Promise<store.Token[]> =>
  (await store.listTokens()).filter((token) => isUnused(token, since, now));
