import { randomBytes } from 'node:crypto';
import type { TxContext } from '../../ledger/context.ts';
import { hashToken, mintToken } from '../accounts/token.ts';
import { conflict, REASON, subject } from './required.ts';
import * as store from './store.ts';

/** The prefix of operator tokens. */
export const TOKEN_PREFIX = 'bro_';

/** A token to be issued. */
export interface TokenDraft {
  readonly expiresAt: Date;
  /**
   * SHA-256 of a token that its owner made and keeps. Without it, a token is made here and shown to the person who
   * issues it.
   */
  readonly hash?: string | undefined;
}

/** A token that was issued. */
export interface IssuedToken {
  readonly id: string;
  readonly expiresAt: Date;
  /** Shown only once; undefined if its owner made it. */
  readonly token?: string;
}

/** Makes a token for its owner, and its hash, with which an admin issues it. Stores nothing. */
export const newToken = (): { readonly token: string; readonly hash: string } => {
  const token = mintToken(TOKEN_PREFIX);
  return { token, hash: hashToken(token) };
};

/**
 * Makes a token without storing it.
 * @param seenBy name of the person who sees it besides its owner, if it is made here
 */
export const prepareToken = (
  operator: string,
  { expiresAt, hash }: TokenDraft,
  seenBy: string | undefined,
): { readonly prepared: store.PreparedToken; readonly issued: IssuedToken } => {
  const made = hash === undefined ? newToken() : { hash };
  const id = randomBytes(6).toString('hex');
  const seen = hash === undefined && seenBy !== undefined && seenBy !== operator ? { seenBy } : {};
  return {
    prepared: { hash: made.hash, id, expiresAt, ...seen },
    issued: { id, expiresAt, ...('token' in made ? { token: made.token } : {}) },
  };
};

/** Stores a token, which is valid from then on. @throws DomainError state_conflict */
export const putToken = async (c: TxContext, operator: string, prepared: store.PreparedToken): Promise<void> => {
  const { hash, id, expiresAt, ...seen } = prepared;
  if (await store.findToken(c.db, { _id: hash }, c.tx)) throw conflict('This token is issued already.');
  await store.insertToken({ _id: hash, id, operator, ...seen, createdAt: c.now, expiresAt }, c.tx);
  const after = { token: id, expiresAt: expiresAt.toISOString(), ...seen };
  c.audit('operator.token_issued', subject(operator), { before: null, after, reason: REASON });
};
