import { randomInt } from 'node:crypto';
import * as z from 'zod';
import { hashToHex } from '../../platform/sha256.rule.ts';

/** RFC 5321 allows 254 characters. */
const MailAddress = z.email().max(254);

/** Returns an address of mail with its domain in lower case; undefined if it is none. */
export const mailAddress = (text: unknown): string | undefined => {
  const { data } = MailAddress.safeParse(typeof text === 'string' ? text.trim() : text);
  if (data === undefined) return undefined;
  const at = data.lastIndexOf('@');
  return `${data.slice(0, at)}@${data.slice(at + 1).toLowerCase()}`;
};

/** Returns the address in a sender such as `Ratings <mail@ratings.example>`; undefined if there is none. */
export const addressIn = (sender: string): string | undefined =>
  mailAddress(/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender);

/** Returns an address as lists show it: enough to recognise it. */
export const maskedAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
};

/** Letters and digits that are not confused with each other when spoken. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';
const CODE_LENGTH = 10;

/** Makes a code that confirms an address: 49 bits, in two groups. */
export const newCode = (): string => {
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${code.slice(0, 5)}-${code.slice(5)}`;
};

/** Returns the stored form of a code or an address. Small letters, blanks and hyphens of a code do not matter. */
export const hashCode = (code: string): string => hashToHex(code.toUpperCase().replaceAll(/[\s-]/g, ''));

export const hashAddress = (address: string): string => hashToHex(address.toLowerCase());

/** Returns what is kept of a network address, so that its requests can be counted. */
export const hashAsker = (asker: string): string => hashToHex(`asker ${asker}`);

/** Returns an address without the tag by which one mailbox has many: `anna+x@mail.example` is that of `anna`. */
export const stripTag = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [mailbox = ''] = address.slice(0, at).split('+');
  return mailbox + address.slice(at);
};
