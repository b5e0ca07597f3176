import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERASURE_REASONS, type ErasureReason } from './policy.rule.ts';
import { type Erasure, hashSubject, readLines } from './record.rule.ts';

const toLine = (value: Erasure): string => JSON.stringify(value);

const erasure = (number: number, over: Partial<Erasure> = {}): Erasure => ({
  accountId: `account-${number}`,
  subjectHash: 'a'.repeat(64),
  reason: 'requested',
  erasedAt: new Date('2026-11-02T09:30:00.000Z'),
  ...over,
});

test('written lines read back unchanged', () => {
  const all = [erasure(1), erasure(2, { personHash: 'b'.repeat(64), reason: 'legal_order' })];
  expect(readLines(all.map(toLine).join('\n'))).toEqual({
    erasures: all,
    completeAt: all[0]?.erasedAt,
    unreadable: [],
  });
});

describe('reports the number of an unreadable line, and reads the others', () => {
  const good = toLine(erasure(1));
  test.each([
    ['cut off', good.slice(0, 40)],
    ['without an account', '{"reason":"requested"}'],
    ['an unknown reason', good.replace('requested', 'because')],
    ['an unknown field', good.replace('{', '{"subject":"alice",')],
    ['not JSON', 'alice'],
    ['null', 'null'],
  ])('%s', (_, line) => {
    expect(readLines(`${good}\n\n${line}\n${toLine(erasure(2))}\n`)).toEqual({
      erasures: [erasure(1), erasure(2)],
      completeAt: erasure(1).erasedAt,
      unreadable: [3],
    });
  });
});

test('an empty list and blank lines contain no erasures', () => {
  for (const text of ['', '\n', '\n \n'])
    expect(readLines(text)).toEqual({ erasures: [], completeAt: undefined, unreadable: [] });
});

test.each([
  ['a line says so', [{ completeAt: '2026-11-03T00:00:00.000Z' }], '2026-11-03T00:00:00.000Z'],
  ['an older line does not take that back', [{ completeAt: '2026-11-01T00:00:00.000Z' }], '2026-11-02T09:30:00.000Z'],
])('a list is complete until its last erasure, or later if %s', (_, lines, until) => {
  const text = [erasure(1), ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(readLines(text)).toEqual({ erasures: [erasure(1)], completeAt: new Date(until), unreadable: [] });
});

test('identifies a subject by a hash that does not reveal it', () => {
  expect(hashSubject('alice@example.org')).toBe(hashSubject('alice@example.org'));
  expect(hashSubject('alice@example.org')).not.toBe(hashSubject('alice@example.com'));
  expect(hashSubject('alice')).toMatch(/^[0-9a-f]{64}$/);
});

test('a list that is cut off anywhere still names everybody but the last person', () => {
  const one = fc.record({
    accountId: fc.string({ unit: 'grapheme', minLength: 1 }),
    reason: fc.constantFrom(...(Object.keys(ERASURE_REASONS) as ErasureReason[])),
    erasedAt: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1 }), fc.nat(), (all, cut) => {
      const erasures = all.map((over, index) => erasure(index, over));
      const lines = erasures.map((each) => `${toLine(each)}\n`);
      const text = lines.join('');
      expect(readLines(text)).toMatchObject({ erasures, unreadable: [] });
      const kept = text.slice(0, cut % text.length);
      const whole = kept.split('\n').length - 1;
      const { erasures: found, unreadable } = readLines(kept);
      expect(found.slice(0, whole)).toEqual(erasures.slice(0, whole));
      expect(found.length + unreadable.length).toBe(kept === '' || kept.endsWith('\n') ? whole : whole + 1);
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
