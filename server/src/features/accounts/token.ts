import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hashToHex } from '../../platform/sha256.rule.ts';

/** The prefix of account tokens. */
const PREFIX = 'btr_';
/** After the prefix: 256 random bits in base64url and their CRC-32 in hex, both of fixed length. */
const FORM = /^([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;

const computeChecksum = (secret: string): string => crc32(secret).toString(16).padStart(8, '0');

/** Creates a bearer token: a prefix, 256 random bits, and a checksum. It is shown once; only its hash is stored. */
export const mintToken = (prefix = PREFIX): string => {
  const secret = randomBytes(32).toString('base64url');
  return `${prefix}${secret}${computeChecksum(secret)}`;
};

/** Returns true if a text has the form of a token. Mistyped and invented tokens are refused without a query. */
export const isTokenForm = (text: string, prefix = PREFIX): boolean => {
  const parts = text.startsWith(prefix) ? FORM.exec(text.slice(prefix.length)) : null;
  return parts !== null && computeChecksum(parts[1] as string) === parts[2];
};

/** Returns the stored form of a token. 256 random bits need no salt. */
export const hashToken = (token: string): string => hashToHex(token);

/** Returns when a rotated token ends: after the overlap, but never later than before. */
export const computeOverlapEnd = (expiresAt: Date, now: Date, overlapMs: number): Date =>
  new Date(Math.min(expiresAt.getTime(), now.getTime() + overlapMs));

interface TokenLife {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date | undefined;
  readonly lastUsedAt?: Date | undefined;
}

/** Returns true if a token still works, but nobody has used it since a time. Such a token is only a risk. */
export const isUnused = ({ createdAt, expiresAt, revokedAt, lastUsedAt }: TokenLife, since: Date, now: Date): boolean =>
  revokedAt === undefined && expiresAt > now && (lastUsedAt ?? createdAt) < since;
