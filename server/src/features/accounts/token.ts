import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'btr_';
/** 256 random bits and their CRC-32, both in base64url and hex of fixed length. */
const FORM = /^btr_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/;

const checksum = (secret: string): string => crc32(secret).toString(16).padStart(8, '0');

/** A new bearer token: `btr_`, 256 random bits, checksum. It is shown once; only its hash is kept. */
export const mintToken = (): string => {
  const secret = randomBytes(32).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
};

/** Whether a text can be a token at all: mistyped and invented ones are refused without asking the database. */
export const isTokenForm = (text: string): boolean => {
  const parts = FORM.exec(text);
  return parts !== null && checksum(parts[1] as string) === parts[2];
};

/** What is stored of a token. 256 random bits need no salt. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** When a token that was rotated ends: after the overlap, and never later than it would have. */
export const endOfRotated = (expiresAt: Date, now: Date, overlapMs: number): Date =>
  new Date(Math.min(expiresAt.getTime(), now.getTime() + overlapMs));

interface TokenLife {
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt?: Date | undefined;
  readonly lastUsedAt?: Date | undefined;
}

/** Whether a token is good for nothing but harm: it still works, and nobody has used it since. */
export const isUnused = ({ createdAt, expiresAt, revokedAt, lastUsedAt }: TokenLife, since: Date, now: Date): boolean =>
  revokedAt === undefined && expiresAt > now && (lastUsedAt ?? createdAt) < since;
