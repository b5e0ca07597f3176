import { Webhook } from 'standardwebhooks';

/** A secret as `KYC_WEBHOOK_SECRETS` takes it. Secrets differ in one byte. */
export const webhookSecret = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

/** The headers of a message, made by the provider's own signing library. */
export const webhookHeaders = (secret: string, id: string, at: Date, body: string): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, at, body),
});
