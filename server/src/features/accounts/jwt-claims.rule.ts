import { SCOPES, type Scope } from '@broker-transparency/contract';

/** What a verified JWT says. */
export type Claims = Readonly<Record<string, unknown>>;

/** Clocks of issuer and service may differ by this much. Seconds, as all times of a JWT. */
export const CLOCK_TOLERANCE = 60;
/** Longest life of a token, since none can be revoked. RFC 6750 §5.3 advises an hour; some providers take a day. */
export const MAX_LIFETIME = 86_400;

/** Signatures that are made with a private key: `none` and shared secrets are never among them. */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  ...['EdDSA', 'Ed25519'],
];

/** RFC 9068 §2.1, and what most providers write. Tokens made for something else, such as logout, say so here or say nothing. */
const TYPES = new Set(['at+jwt', 'jwt']);

/** A media type may be written without its `application/` (RFC 7515 §4.1.9). */
const isAccessTokenType = (typ: unknown): boolean =>
  typeof typ === 'string' && TYPES.has(typ.toLowerCase().replace(/^application\//, ''));

/** Only ID tokens have them (OpenID Connect Core §2 and §3.3.2.11, FAPI 1): those say who signed in, and open nothing. */
const OF_ID_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash'];

const refusalOfLife = ({ iat, exp }: Claims, now: number): string | undefined => {
  if (typeof iat !== 'number' || typeof exp !== 'number') return 'it does not say when it was made ("iat")';
  if (exp - iat > MAX_LIFETIME) return `it lives for longer than ${MAX_LIFETIME / 3600} hours ("exp" - "iat")`;
  return iat > now + CLOCK_TOLERANCE ? 'it was made in the future ("iat")' : undefined;
};

/**
 * Why a token that is signed, in time and for this service is no access token that can be taken; undefined where it is one.
 * RFC 8725 §3.11 and §3.12: nothing that was made for another purpose may pass. `now` in seconds.
 */
export const refusalOf = ({ typ }: { readonly typ?: unknown }, claims: Claims, now: number): string | undefined => {
  if (!isAccessTokenType(typ)) return 'its "typ" is neither at+jwt nor JWT';
  const ofIdToken = OF_ID_TOKENS.find((name) => Object.hasOwn(claims, name));
  if (ofIdToken !== undefined) return `it is an ID token: it has "${ofIdToken}"`;
  // RFC 7800: its holder has to prove that they have a key; taken as a bearer token, it would serve a thief
  if (Object.hasOwn(claims, 'cnf')) return 'it is bound to a key of its holder ("cnf"), which is not checked here';
  return refusalOfLife(claims, now);
};

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
