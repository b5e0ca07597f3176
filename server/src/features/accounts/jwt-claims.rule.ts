import { SCOPES, type Scope } from '@broker-transparency/contract';

/** The claims of a verified JWT. */
export type Claims = Readonly<Record<string, unknown>>;

/** Tolerated clock difference between issuer and service, in seconds like all times in a JWT. */
export const CLOCK_TOLERANCE = 60;
/**
 * Maximum lifetime of a token in seconds, since JWTs cannot be revoked. RFC 6750 §5.3 advises an hour; some providers
 * use a day.
 */
export const MAX_LIFETIME = 86_400;

/** Algorithms that sign with a private key. `none` and shared secrets are excluded. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Types of RFC 9068 §2.1 and of most providers. Tokens for other purposes, such as logout, have another type or none.
 */
const TYPES = new Set(['at+jwt', 'jwt']);

/** Compares a media type, whose `application/` prefix is optional (RFC 7515 §4.1.9). */
const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && TYPES.has(typ.toLowerCase().replace(/^application\//, ''));

/**
 * Claims of ID tokens only (OpenID Connect Core §2 and §3.3.2.11, FAPI 1). An ID token says who signed in and grants no
 * access.
 */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

const findLifetimeFault = ({ iat, exp }: Claims, now: number): string | undefined => {
  if (typeof iat !== 'number' || typeof exp !== 'number') return 'it does not say when it was made ("iat")';
  if (exp - iat > MAX_LIFETIME) return `it lives for longer than ${MAX_LIFETIME / 3600} hours ("exp" - "iat")`;
  return iat > now + CLOCK_TOLERANCE ? 'it was made in the future ("iat")' : undefined;
};

/**
 * Returns why a token with a valid signature, lifetime and audience is not an acceptable access token, or undefined if
 * it is one. RFC 8725 §3.11 and §3.12: a token for another purpose must not pass.
 * @param now in seconds
 */
export const findClaimFault = (
  { typ }: { readonly typ?: unknown },
  claims: Claims,
  now: number,
): string | undefined => {
  if (!isAccessTokenType(typ)) return 'its "typ" is neither at+jwt nor JWT';
  const ofIdToken = OF_ID_TOKENS.find((name) => Object.hasOwn(claims, name));
  if (ofIdToken !== undefined) return `it is an ID token: it has "${ofIdToken}"`;
  // RFC 7800: the holder must prove possession of the key. As a bearer token it would work for a thief
  if (Object.hasOwn(claims, 'cnf')) return 'it is bound to a key of its holder ("cnf"), which is not checked here';
  return findLifetimeFault(claims, now);
};

/** OpenID Connect Core §2 allows up to 255 characters. */
const SUBJECT = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/**
 * Returns the subject of the account: issuer and `sub`, joined by `#`, which no issuer contains. Subjects of other
 * sources never match it unless the operator enters the same text. Returns undefined if `sub` is no valid name.
 */
export const toAccountSubject = (issuer: string, { sub }: Claims): string | undefined =>
  typeof sub === 'string' && SUBJECT.test(sub) && sub.trim() !== '' ? `${issuer}#${sub}` : undefined;

const splitWords = (claim: unknown): unknown[] => (typeof claim === 'string' ? claim.split(' ') : [claim].flat());

/** Returns our scopes among those of the token: `scope` (RFC 9068 §2.2.3), or else `scp`, which Okta and Entra use. */
export const parseScopes = ({ scope, scp }: Claims): Scope[] => {
  const granted = splitWords(scope ?? scp);
  return SCOPES.filter((known) => granted.includes(known));
};

/**
 * Returns the address of mail that the provider has verified (OpenID Connect Core §5.1); undefined if there is none.
 */
export const parseVerifiedEmail = ({ email, email_verified: verified }: Claims): string | undefined =>
  verified === true && typeof email === 'string' ? email : undefined;

/** Returns the language of the person (OpenID Connect Core §5.1). */
export const parseLocale = ({ locale }: Claims): string | undefined =>
  typeof locale === 'string' ? locale : undefined;

/** A client that acts for itself, and every scope that its token names. */
export interface JwtClient {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/**
 * Returns the client of a token: `client_id` (RFC 9068 §2.2), or else `azp`, which Keycloak and Entra use. Returns
 * undefined if it names none.
 */
export const parseClient = ({ client_id: id, azp, scope, scp }: Claims): JwtClient | undefined => {
  const clientId = id ?? azp;
  if (typeof clientId !== 'string' || !SUBJECT.test(clientId)) return undefined;
  return { clientId, scopes: splitWords(scope ?? scp).filter((word) => typeof word === 'string') };
};
