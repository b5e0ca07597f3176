import { SCOPES, type Scope } from '@broker-transparency/contract';

/** What is read of a verified JWT; the rest of its claims is nobody's business here. */
export interface Claims {
  readonly sub?: unknown;
  readonly scope?: unknown;
  readonly scp?: unknown;
}

/** Signatures that are made with a private key: `none` and shared secrets are never among them. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
];

/** RFC 9068 §2.1, and what providers wrote before it. Tokens made for something else, such as logout, say so here. */
const TYPES = new Set(['jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

export const isAccessTokenType = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && TYPES.has(typ.toLowerCase()));

/** OpenID Connect Core §2 allows 255 characters. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * The subject of the account: the issuer and its name for the person, joined by the `#` that no issuer contains. No subject of
 * another source is like it, unless the operator writes this very person's. Undefined where `sub` cannot be a name.
 */
export const subjectOf = (issuer: string, { sub }: Claims): string | undefined =>
  typeof sub === 'string' && SUBJECT.test(sub) && sub.trim() !== '' ? `${issuer}#${sub}` : undefined;

const words = (claim: unknown): unknown[] => (typeof claim === 'string' ? claim.split(' ') : [claim].flat());

/** Our scopes among those of the token: `scope` (RFC 9068 §2.2.3), else `scp` as Okta and Entra write it. */
export const scopesOf = ({ scope, scp }: Claims): Scope[] => {
  const granted = words(scope ?? scp);
  return SCOPES.filter((known) => granted.includes(known));
};
