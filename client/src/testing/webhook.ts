import type { WebhookEvent } from '@broker-transparency/client/enterprise';
import { fromBase64, toBase64 } from '@broker-transparency/log';
import { loadSubtle } from '../verify/platform.ts';
import { createSigner } from './ed25519.ts';

/**
 * A webhook to sign. Omitted fields are as the service sends them.
 * @example const draft: WebhookDraft = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
 */
export interface WebhookDraft {
  /** Secret of the endpoint, `whsec_` and base64, or several of them. */
  readonly secret: string | readonly string[];
  readonly url?: string;
  /** The body. By default an entry of the record was published. */
  readonly event?: Partial<Omit<WebhookEvent, 'data'>> & { readonly data?: object };
  /** The `webhook-id`, which each retry of a message repeats. */
  readonly id?: string;
  /** Time at which it is sent; now by default. A receiver refuses one that is five minutes away. */
  readonly at?: Date;
}

const SIGNER = createSigner(3, '7UkoxijRwsbq6QM4kFmVYSlZJzpcY/k2NsFGFKyHN9E=');

/** The public key of the `v1a` signatures of test servers. */
export const WEBHOOK_PUBLIC_KEY = `whpk_${toBase64(SIGNER.publicKey)}`;

const utf8 = new TextEncoder();

/** @throws TypeError if a secret has another form, without any part of it */
const decodeSecret = (secret: string): Uint8Array<ArrayBuffer> => {
  try {
    if (secret.startsWith('whsec_')) return Uint8Array.from(fromBase64(secret.slice('whsec_'.length)));
  } catch {
    // refused below
  }
  throw new TypeError('the secret of a webhook must be whsec_ followed by base64');
};

const signBySecret = async (secret: string, message: Uint8Array<ArrayBuffer>): Promise<string> => {
  const subtle = await loadSubtle();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', decodeSecret(secret), algorithm, false, ['sign']);
  return `v1,${toBase64(new Uint8Array(await subtle.sign('HMAC', key, message)))}`;
};

/**
 * Makes the request with which the service sends an event, signed by `v1` with your secret, and by `v1a`.
 * @throws TypeError if a secret is not `whsec_` and base64
 * @example const response = await handler.web(await signWebhook({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }));
 */
export const signWebhook = async ({
  secret,
  url = 'https://hooks.example/',
  event: {
    type = 'entry.published',
    timestamp,
    data = { number: 1, kind: 'broker', key: 'broker/alpha-markets' },
  } = {},
  id = 'we_test_1',
  at = new Date(),
}: WebhookDraft): Promise<Request> => {
  const body = JSON.stringify({ type, timestamp: timestamp ?? at.toISOString(), data });
  const seconds = String(Math.floor(at.getTime() / 1000));
  const message = utf8.encode(`${id}.${seconds}.${body}`);
  const bySecrets = await Promise.all([secret].flat().map((each) => signBySecret(each, message)));
  const signatures = [...bySecrets, `v1a,${toBase64(await SIGNER.sign(message))}`];
  return new Request(url, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'broker-rating-webhooks',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': signatures.join(' '),
    },
  });
};
