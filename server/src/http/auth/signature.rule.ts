import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ProblemItem } from '@broker-transparency/contract';

/** A signed message as received. The signature covers the bytes of the body, not their meaning. */
export interface SignedMessage {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: Buffer;
}

/** Age in seconds from which a message may be a replay. */
const TOLERANCE = 300;
const PREFIX = 'whsec_';
const KEY_BYTES = { min: 24, max: 64 };

/** Returns the key in a secret of the form `whsec_` and base64; undefined for another form. */
export const webhookKey = (secret: string): Buffer | undefined => {
  if (!secret.startsWith(PREFIX)) return undefined;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isWhole && key.length >= KEY_BYTES.min && key.length <= KEY_BYTES.max ? key : undefined;
};

const fault = (parameter: string, code: string, detail: string): ProblemItem => ({
  parameter,
  code,
  detail: `"${parameter}" ${detail}.`,
});

const idFault = (id: string | undefined): ProblemItem | undefined => {
  if (id === undefined) return fault('webhook-id', 'required', 'is required');
  if (!/^[\x21-\x7e]{1,255}$/.test(id))
    return fault('webhook-id', 'invalid_format', 'must be 1 to 255 printable ASCII characters without blanks');
};

const timestampFault = (timestamp: string | undefined, now: Date): ProblemItem | undefined => {
  if (timestamp === undefined) return fault('webhook-timestamp', 'required', 'is required');
  if (!/^\d{1,12}$/.test(timestamp))
    return fault('webhook-timestamp', 'invalid_format', 'must be a time in whole seconds since 1970');
  const age = now.getTime() / 1000 - Number(timestamp);
  if (age > TOLERANCE) return fault('webhook-timestamp', 'too_small', 'must not be more than 5 minutes ago');
  if (age < -TOLERANCE) return fault('webhook-timestamp', 'too_big', 'must not be more than 5 minutes ahead');
};

const isSignedBy = (key: Buffer, { id, timestamp, signature, body }: SignedMessage): boolean => {
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return (signature ?? '').split(' ').some((part) => {
    const given = part.startsWith('v1,') ? Buffer.from(part.slice(3), 'base64') : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
};

const signatureFault = (message: SignedMessage, keys: readonly Buffer[]): ProblemItem | undefined => {
  if (message.signature === undefined) return fault('webhook-signature', 'required', 'is required');
  if (!keys.some((key) => isSignedBy(key, message)))
    return fault(
      'webhook-signature',
      'invalid_signature',
      'has no "v1" signature of this message by a secret known here',
    );
};

/**
 * Returns the faults of a message by Standard Webhooks 1.0 (https://www.standardwebhooks.com); empty if it is genuine
 * and fresh. Any of the keys may match, so that an operator can change keys while messages come.
 */
export const messageFaults = (message: SignedMessage, keys: readonly Buffer[], now: Date): ProblemItem[] =>
  [idFault(message.id), timestampFault(message.timestamp, now), signatureFault(message, keys)].filter(
    (item) => item !== undefined,
  );
