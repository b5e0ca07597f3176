import type { JSONWebKeySet, JWK } from 'jose';
import { isThisMachine } from '../../platform/outbound/addresses.ts';
import { fetchDocument } from '../../platform/outbound/fetch.ts';
import { NotPublic, OutboundError, portOf } from '../../platform/outbound/rules.ts';
import { ALGORITHMS } from './jwt-claims.rule.ts';

/** Below the deadline of a request, so that its answer can still say what is missing. */
const TIMEOUT_MS = 1500;
/** Sets with whole certificates in them take some tens of kB. */
const MAX_BYTES = 128_000;
const MAX_KEYS = 100;

/** Where keys are published. */
export interface KeySource {
  readonly jwksUrl: string;
  /** Networks that are not public and may be asked, as the operator names them. */
  readonly networks: readonly string[];
}

const KEY_TYPES = new Set<unknown>(['RSA', 'EC', 'OKP']);

/** Whether a key proves something: it is public, for signatures, and of an algorithm that is taken. */
const isUsable = (key: unknown): key is JWK => {
  if (typeof key !== 'object' || key === null) return false;
  const { kty, use = 'sig', alg, d } = key as JWK;
  return KEY_TYPES.has(kty) && use === 'sig' && d === undefined && (alg === undefined || ALGORITHMS.includes(alg));
};

/** The usable keys of a set; providers publish others in it, too. @throws Error that goes on after the address */
export const keysOf = (body: Buffer): JSONWebKeySet => {
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

const explain = (jwksUrl: string, error: unknown): unknown => {
  if (!(error instanceof OutboundError)) return error;
  const cure = error instanceof NotPublic ? ': if that is your own network, name it in JWT_JWKS_NETWORKS' : '';
  return new Error(`${jwksUrl} ${error.message}${cure}`, { cause: error });
};

/** Asks a provider for its keys. Whoever names this machine in the address means it. @throws Error naming the address */
export const fetchKeys = async ({ jwksUrl, networks }: KeySource): Promise<JSONWebKeySet> => {
  const url = new URL(jwksUrl);
  try {
    const { status, body } = await fetchDocument(jwksUrl, {
      headers: { accept: 'application/jwk-set+json, application/json' },
      rules: { ports: [portOf(url)], allowLoopback: isThisMachine(url.hostname), networks },
      maxBytes: MAX_BYTES,
      maxRedirects: 0, // whoever can send us elsewhere could be anyone
      timeoutMs: TIMEOUT_MS,
    });
    if (status !== 200) throw new OutboundError(`answers ${status}`);
    return keysOf(body);
  } catch (error) {
    throw explain(jwksUrl, error);
  }
};
