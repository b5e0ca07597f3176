import type { Account, Accounts } from './accounts.ts';
import { CallRefusal, type NamedRoute, type Scope } from './policy.ts';

const REALM = 'Bearer realm="broker-transparency"';

/** Returns the header that asks for a credential. */
export const challenge = (rest = '') => ({ headers: { 'WWW-Authenticate': REALM + rest } });

/** The credential of a request. `account` is undefined if the token is not valid. */
export interface Credential {
  readonly account: Account | undefined;
}

export const readCredential = (authorization: string | null, accounts: Accounts): Credential | undefined => {
  if (authorization === null || !/^bearer( |$)/i.test(authorization)) return undefined;
  const token = /^bearer (\S+)$/i.exec(authorization)?.[1];
  return { account: token === undefined ? undefined : accounts.find(token) };
};

/**
 * Checks a caller against the route's policy (RFC 6750).
 * @throws CallRefusal with the challenge
 */
export const requireAccess = (
  { access }: NamedRoute['metadata'],
  credential: Credential | undefined,
): Account | undefined => {
  if (access === 'public') return credential?.account;
  if (credential === undefined)
    throw new CallRefusal('authentication_required', 'Send "Authorization: Bearer <token>".', challenge());
  const { account } = credential;
  if (account === undefined)
    throw new CallRefusal(
      'invalid_token',
      'The bearer token is malformed, unknown, expired or revoked, or its account is blocked.',
      challenge(', error="invalid_token"'),
    );
  if (access === 'token') return account;
  const missing = challenge(`, error="insufficient_scope", scope="${access.scope}"`);
  if (!account.scopes.includes(access.scope as Scope))
    throw new CallRefusal('insufficient_scope', `This needs a token with the scope "${access.scope}".`, missing);
  if (access.kyc && account.kyc !== 'verified')
    throw new CallRefusal(
      'kyc_required',
      'This needs a verified identity. Complete the verification with the operator.',
      missing,
    );
  return account;
};
