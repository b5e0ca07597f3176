import { BrokerTransparencyError } from '../base-error.ts';
import { loadSubtle } from '../verify/platform.ts';

/** A thin event: read the feed from `data.number` for its contents. */
export interface WebhookEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly number: number; readonly kind: string; readonly key: string };
}

/**
 * The accepted keys. Several are accepted during a rotation.
 * @example const keys: VerificationKeys = { secrets: [process.env.WEBHOOK_SECRET] };
 */
export interface VerificationKeys {
  /** Secrets of the endpoint: `whsec_…`. */
  readonly secrets?: readonly string[] | undefined;
  /** Public keys of the service: `whpk_…`. */
  readonly publicKeys?: readonly string[] | undefined;
}

/** A message as it came. */
export interface WebhookMessage {
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | null | undefined;
  /** The body as it came, not parsed and written again. */
  readonly body: Uint8Array | string;
  /** Unix milliseconds; now by default. */
  readonly now?: number | undefined;
}

/** A delivery. Each retry has the same `id`. */
export interface Delivery {
  readonly id: string;
  readonly sentAt: Date;
}

/**
 * A message is not what a sender with one of the keys has sent, or not now.
 * @example if (error instanceof WebhookError) return new Response(error.message, { status: error.status });
 */
export class WebhookError extends BrokerTransparencyError {
  readonly code: 'missing_header' | 'wrong_time' | 'wrong_signature' | 'malformed';
  /** The status to answer. */
  readonly status: 400 | 401;
  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
    this.status = code === 'wrong_signature' || code === 'wrong_time' ? 401 : 400;
  }
}
WebhookError.prototype.name = 'WebhookError';

type Bytes = Uint8Array<ArrayBuffer>;

/** Maximum seconds between the sender's clock and this one (Standard Webhooks 1.0). */
const TOLERANCE = 300;

const decode = (text: string): Bytes => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

const keyBytes = (text: string, prefix: string): Bytes => {
  try {
    if (typeof text === 'string' && text.startsWith(prefix)) return decode(text.slice(prefix.length));
  } catch {
    // refused below, without the secret
  }
  throw new TypeError(`a key of a webhook must be ${prefix} followed by base64`);
};

/** Returns functions that verify a signature by each key. WebCrypto compares in constant time. */
const verifiers = async ({ secrets = [], publicKeys = [] }: VerificationKeys) => {
  const crypto = await loadSubtle();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const importing = [
    ...secrets.map(async (secret) => {
      const key = await crypto.importKey('raw', keyBytes(secret, 'whsec_'), hmac, false, ['verify']);
      return {
        version: 'v1',
        verify: (signature: Bytes, signed: Bytes) => crypto.verify('HMAC', key, signature, signed),
      };
    }),
    ...publicKeys.map(async (text) => {
      const key = await crypto.importKey('raw', keyBytes(text, 'whpk_'), { name: 'Ed25519' }, false, ['verify']);
      return {
        version: 'v1a',
        verify: (signature: Bytes, signed: Bytes) => crypto.verify('Ed25519', key, signature, signed),
      };
    }),
  ];
  if (importing.length === 0) throw new TypeError('a webhook needs secrets or publicKeys');
  return Promise.all(importing);
};

const required = ({ header }: WebhookMessage, name: string): string => {
  const value = header(name);
  if (value) return value;
  throw new WebhookError('missing_header', `the header ${name} is missing`);
};

const isSigned = async (signatures: string, signed: Bytes, keys: VerificationKeys): Promise<boolean> => {
  const known = await verifiers(keys);
  for (const each of signatures.split(' ')) {
    const [version, text = ''] = each.split(',', 2);
    for (const { version: own, verify } of known) {
      if (own !== version) continue;
      try {
        if (await verify(decode(text), signed)) return true;
      } catch {
        // it is no signature
      }
    }
  }
  return false;
};

/**
 * Verifies a message by Standard Webhooks 1.0: `v1` (HMAC-SHA256) and `v1a` (Ed25519).
 * @throws WebhookError
 * @throws TypeError if a key is none
 * @example const { event } = await verifyWebhook({ header: (name) => request.headers.get(name), body }, { secrets });
 */
export const verifyWebhook = async (
  message: WebhookMessage,
  keys: VerificationKeys,
): Promise<{ readonly event: WebhookEvent; readonly delivery: Delivery }> => {
  const { body, now = Date.now() } = message;
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    required(message, `webhook-${name}`),
  ) as [string, string, string];
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1000 - seconds) <= TOLERANCE))
    throw new WebhookError('wrong_time', `the message was sent at another time than now: ${timestamp}`);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  if (!(await isSigned(signatures, signed, keys)))
    throw new WebhookError('wrong_signature', 'none of the signatures is by a known key over this body');
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
    return { event, delivery: { id, sentAt: new Date(seconds * 1000) } };
  } catch {
    throw new WebhookError('malformed', 'the body is no JSON');
  }
};
