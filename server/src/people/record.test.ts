import { describe, expect, test } from 'vitest';
import { type Erasure, hashSubject, readLines, toLine } from './record.ts';

const erasure = (number: number, over: Partial<Erasure> = {}): Erasure => ({
  accountId: `account-${number}`,
  subjectHash: 'a'.repeat(64),
  reason: 'requested',
  erasedAt: new Date('2026-11-02T09:30:00.000Z'),
  ...over,
});

test('what is written is read again', () => {
  const all = [erasure(1), erasure(2, { personHash: 'b'.repeat(64), reason: 'legal_order' })];
  expect(readLines(all.map(toLine).join('\n'))).toEqual({ erasures: all, unreadable: [] });
});

describe('a line that cannot be read is named, and the others count', () => {
  const good = toLine(erasure(1));
  test.each([
    ['cut off', good.slice(0, 40)],
    ['without an account', '{"reason":"requested"}'],
    ['a reason nobody knows', good.replace('requested', 'because')],
    ['a field nobody knows', good.replace('{', '{"subject":"alice",')],
    ['no JSON', 'alice'],
    ['null', 'null'],
  ])('%s', (_, line) => {
    expect(readLines(`${good}\n\n${line}\n${toLine(erasure(2))}\n`)).toEqual({
      erasures: [erasure(1), erasure(2)],
      unreadable: [3],
    });
  });
});

test('nothing, and blank lines, are no erasures', () => {
  for (const text of ['', '\n', '\n \n']) expect(readLines(text)).toEqual({ erasures: [], unreadable: [] });
});

test('a subject is known by its hash, which does not show it', () => {
  expect(hashSubject('alice@example.org')).toBe(hashSubject('alice@example.org'));
  expect(hashSubject('alice@example.org')).not.toBe(hashSubject('alice@example.com'));
  expect(hashSubject('alice')).toMatch(/^[0-9a-f]{64}$/);
});
