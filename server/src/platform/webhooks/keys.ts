import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { DomainError } from '../domain-error.ts';
import { readPrivate } from '../private-file.ts';
import type { Secret } from './message.rule.ts';

/* Keys of `v1a` signatures, as Standard Webhooks writes them: `whsk_` with seed and public key, `whpk_` with the latter. */

const SIZE = 32;

/** Makes the secret of an endpoint. */
export const newSecret = (now: Date): Secret => ({
  secret: `whsec_${randomBytes(SIZE).toString('base64')}`,
  createdAt: now,
  endsAt: null,
});

/** A key that signs webhooks. The private key does not leave it. */
export interface WebhookKey {
  /** Key that receivers verify with: `whpk_` and base64. */
  readonly publicKey: string;
  /** Returns an Ed25519 signature in base64. */
  readonly sign: (message: string) => string;
}

/** Prefix of the 32 bytes of an Ed25519 private key in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const toPrivateKey = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

/** Returns the raw public key: the last 32 bytes of its SPKI form. */
const derivePublicKey = (privateKey: KeyObject): Buffer =>
  createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-SIZE);

/** Makes a new private key: the text to keep in a file that only its owner can read. */
export const newWebhookKey = (): string => {
  const seed = randomBytes(SIZE);
  return `whsk_${Buffer.concat([seed, derivePublicKey(toPrivateKey(seed))]).toString('base64')}\n`;
};

/** Reads a private key. @throws SyntaxError with the fault, without any part of the key */
export const parseWebhookKey = (text: string): WebhookKey => {
  const [, encoded = ''] = /^whsk_([A-Za-z0-9+/]+={0,2})\n?$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== 2 * SIZE)
    throw new SyntaxError(
      'it must be one line, whsk_ and 64 bytes in base64, as admin enterprise new-webhook-key makes it',
    );
  const privateKey = toPrivateKey(bytes.subarray(0, SIZE));
  const publicKey = derivePublicKey(privateKey);
  if (!publicKey.equals(bytes.subarray(SIZE))) throw new SyntaxError('its two halves do not belong together');
  return {
    publicKey: `whpk_${publicKey.toString('base64')}`,
    sign: (message) => sign(null, Buffer.from(message), privateKey).toString('base64'),
  };
};

/** Reads the private key in a file. @throws DomainError `unreadable_file` that names the file */
export const readWebhookKey = async (file: string): Promise<WebhookKey> => {
  try {
    return parseWebhookKey(await readPrivate(file));
  } catch (error) {
    throw new DomainError('unreadable_file', `the key of webhooks ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
};
