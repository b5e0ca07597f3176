import type { JSONWebKeySet, JWK } from 'jose';
import { isThisMachine } from '../../platform/outbound/addresses.ts';
import { fetchDocument } from '../../platform/outbound/fetch.ts';
import { NotPublicError, OutboundError, resolvePort } from '../../platform/outbound/rules.ts';
import { ALGORITHMS } from './jwt-claims.rule.ts';

/** Less than the deadline of a request, so that its answer can still name the cause. */
const TIMEOUT_MS = 1500;
/** Key sets that include whole certificates take some tens of kB. */
const MAX_BYTES = 128_000;
const MAX_KEYS = 100;

/** The address at which a provider publishes its keys. */
export interface KeySource {
  readonly jwksUrl: string;
  /** Private networks that may be contacted, as the operator lists them. */
  readonly networks: readonly string[];
}

const KEY_TYPES = new Set<unknown>(['RSA', 'EC', 'OKP']);

/** Returns true for a public key for signatures with an accepted algorithm. */
const isUsable = (key: unknown): key is JWK => {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use = 'sig', alg, d } = key as JWK;
  return KEY_TYPES.has(kty) && use === 'sig' && d === undefined && (alg === undefined || ALGORITHMS.includes(alg));
};

/**
 * Returns the usable keys of a set, which may contain others. @throws OutboundError with a text that continues the
 * address
 */
export const parseKeySet = (body: Buffer): JSONWebKeySet => {
  let set: { readonly keys?: unknown } | null;
  try {
    set = JSON.parse(body.toString());
  } catch {
    throw new OutboundError('is not JSON');
  }
  if (!Array.isArray(set?.keys)) throw new OutboundError('is no key set');
  if (set.keys.length > MAX_KEYS) throw new OutboundError(`has more than ${MAX_KEYS} keys`);
  return { keys: set.keys.filter(isUsable) };
};

const explainError = (jwksUrl: string, error: unknown): unknown => {
  if (!(error instanceof OutboundError)) return error;
  const cure = error instanceof NotPublicError ? ': if that is your own network, name it in JWT_JWKS_NETWORKS' : '';
  return new Error(`${jwksUrl} ${error.message}${cure}`, { cause: error });
};

/**
 * Fetches the keys of a provider. A loopback address is allowed if the setting names it. @throws Error naming the
 * address
 */
export const fetchKeys = async ({ jwksUrl, networks }: KeySource): Promise<JSONWebKeySet> => {
  const url = new URL(jwksUrl);
  try {
    const { status, body } = await fetchDocument(jwksUrl, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      rules: { ports: [resolvePort(url)], allowLoopback: isThisMachine(url.hostname), networks },
      maxBytes: MAX_BYTES,
      maxRedirects: 0, // a redirect could lead to an impostor
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 200) throw new OutboundError(`answers ${status}`);
    return parseKeySet(body);
  } catch (error) {
    throw explainError(jwksUrl, error);
  }
};
