import type { Principal, VerifyToken } from '../../http/auth/access.ts';
import { type Context, inTransaction } from '../../ledger/context.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/mongo.ts';
import { isDuplicateKey } from '../../platform/mongo-errors.ts';
import { mailAddress } from '../notices/address.rule.ts';
import { ensureAccount, toPrincipal } from './actions.ts';
import type { Bearer } from './jwt.ts';
import * as store from './store.ts';

/** Returns the account of a person of the identity provider. Creates it on their first visit. */
export const findOrCreateAccount = async (context: Context, subject: string): Promise<store.Account | null> => {
  const known = await store.findAccountBySubject(context.db, subject);
  if (known) return known;
  try {
    return await inTransaction(context, (c) => ensureAccount(c, subject, 'signed_in'));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return store.findAccountBySubject(context.db, subject); // another request of the same person created it first
  }
};

/**
 * Returns the verifier of JWTs. With `keepsAddresses`, a principal has the address of mail that the provider verified.
 * It resolves to undefined if a JWT is invalid or its account is blocked. */
export const verifyJwt = (
  db: Db,
  readJwt: (token: string) => Promise<Bearer | undefined>,
  clock: Clock,
  keepsAddresses: boolean,
): VerifyToken => {
  const context: Context = { actor: { type: 'system', name: 'identity-provider' }, clock, db };
  return async (token: string): Promise<Principal | undefined> => {
    const bearer = await readJwt(token);
    const account = bearer && (await findOrCreateAccount(context, bearer.subject));
    if (!bearer || !account || account.blocked) return undefined;
    const { verifiedEmail, locale } = bearer;
    const email = keepsAddresses ? mailAddress(verifiedEmail) : undefined;
    return {
      ...toPrincipal(account, bearer, clock()),
      ...(email === undefined ? {} : { verifiedEmail: email }),
      ...(locale === undefined ? {} : { locale }),
    };
  };
};

/** Chooses the verifier by the prefix of the service's own tokens, so that only one verifier sees a credential. */
export const verifyEither =
  (own: VerifyToken, foreign: VerifyToken | undefined): VerifyToken =>
  (token) =>
    foreign && !token.startsWith('btr_') ? foreign(token) : own(token);
