import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { computeOverlapEnd, hashToken, isTokenForm, isUnused, mintToken } from './token.ts';

/** Fixed, so that a change of the form fails the test: tokens outlive a release. */
const TOKEN = 'btr_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA0c2b5986';
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('a new token', () => {
  test('a new token has the prefix, 256 bits and a checksum', () => {
    const token = mintToken();
    expect(token).toMatch(/^btr_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/);
    expect(Buffer.from(token.slice(4, 47), 'base64url')).toHaveLength(32);
  });

  test('always has the right form, and is never repeated', () => {
    const tokens = Array.from({ length: 1000 }, mintToken);
    expect(tokens.filter((token) => !isTokenForm(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(1000);
  });
});

describe('the checksum', () => {
  test('matches the tokens in use', () => {
    expect(isTokenForm(TOKEN)).toBe(true);
  });

  test('detects every typo of one character', () => {
    const missed: string[] = [];
    for (let at = 0; at < TOKEN.length; at++)
      for (const typo of ALPHABET) {
        const text = TOKEN.slice(0, at) + typo + TOKEN.slice(at + 1);
        if (text !== TOKEN && isTokenForm(text)) missed.push(text);
      }
    expect(missed).toEqual([]);
  });

  test('detects every swap of two neighbours, and every lost or doubled character', () => {
    const token = mintToken();
    const missed: string[] = [];
    for (let at = 0; at < token.length; at++) {
      const [here = '', next = ''] = token.slice(at, at + 2);
      for (const text of [
        token.slice(0, at) + next + here + token.slice(at + 2),
        token.slice(0, at) + token.slice(at + 1),
        token.slice(0, at) + here + token.slice(at),
      ])
        if (text !== token && isTokenForm(text)) missed.push(text);
    }
    expect(missed).toEqual([]);
  });
});

describe('the form', () => {
  test.each([
    ['nothing', ''],
    ['the prefix alone', 'btr_'],
    ['a blank before', ` ${TOKEN}`],
    ['a blank after', `${TOKEN} `],
    ['a line feed after', `${TOKEN}\n`],
    ['an upper-case prefix', TOKEN.replace('btr_', 'BTR_')],
    ['no prefix', TOKEN.slice(4)],
    ['an upper-case checksum', TOKEN.slice(0, -8) + TOKEN.slice(-8).toUpperCase()],
    ['two tokens', TOKEN + TOKEN],
    ['another alphabet', TOKEN.replace('AAAA', 'AA+/')],
    ['much', 'btr_'.padEnd(100_000, 'A')],
  ])('refuses %s', (_, text) => {
    expect(isTokenForm(text)).toBe(false);
  });
});

describe('the hash', () => {
  test('the hash is the hex SHA-256 of the whole token', () => {
    expect(hashToken(TOKEN)).toBe(createHash('sha256').update(TOKEN, 'ascii').digest('hex'));
    expect(hashToken(TOKEN)).not.toContain(TOKEN.slice(4, 47));
    expect(hashToken('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });
});

const day = (number: number): Date => new Date(Date.UTC(2026, 0, number));

describe('a rotated token', () => {
  test.each([
    [10, 0, 5],
    [10, 2, 7],
    [10, 30, 10],
  ])(
    'a token that would end on day %d, rotated on day 5 with %d days of overlap, ends on day %d',
    (end, overlapDays, expected) => {
      expect(computeOverlapEnd(day(end), day(5), overlapDays * 86_400_000)).toEqual(day(expected));
    },
  );
});

describe('a token, seen on day 20, is unused since day 10', () => {
  test.each([
    [{ createdAt: day(1), expiresAt: day(30) }, true],
    [{ createdAt: day(10), expiresAt: day(30) }, false],
    [{ createdAt: day(1), expiresAt: day(30), lastUsedAt: day(9) }, true],
    [{ createdAt: day(1), expiresAt: day(30), lastUsedAt: day(10) }, false],
    [{ createdAt: day(1), expiresAt: day(20) }, false],
    [{ createdAt: day(1), expiresAt: day(30), revokedAt: day(2) }, false],
  ])('%j: %s', (token, unused) => {
    expect(isUnused(token, day(10), day(20))).toBe(unused);
  });
});
