import * as crypto from 'node:crypto';

/** Hashes at once, which is twice as fast; Node 18 and 20.11 cannot. */
const { hash } = crypto as Partial<Pick<typeof crypto, 'hash'>>;

/** SHA-256. */
export const sha256 = (bytes: Uint8Array): Uint8Array =>
  hash ? hash('sha256', bytes, 'buffer') : crypto.createHash('sha256').update(bytes).digest();
