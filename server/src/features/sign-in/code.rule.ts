import { hash } from 'node:crypto';
import { hashToHex } from '../../platform/sha256.rule.ts';

/** Digits and letters that are not confused with each other. There are 32, so that each takes five bits. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LENGTH = 8;

/**
 * Returns the code that a link shows in a browser that did not ask for it: 40 bits, in two groups. It follows from the
 * link, so that a page can show it and change nothing.
 */
export const toCode = (token: string): string => {
  const bytes = hash('sha256', `code ${token}`, 'buffer');
  const code = Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
};

/**
 * Returns the stored form of a code, which only the browser that asked for it can use. Small letters, blanks and
 * hyphens do not matter.
 */
export const hashCode = (code: string, browser: string): string =>
  hashToHex(`${browser} ${code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')}`);
