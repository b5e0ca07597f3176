import { hash } from 'node:crypto';

export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

/** Returns the SHA-256 of a text in UTF-8, as 64 small hexadecimal digits. */
export const hashToHex = (text: string): string => hash('sha256', text, 'hex');
