import { DECISIONS, REASON_CODES, REASONS } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { appealUntil, appellantOf, statementOf } from './statement.rule.ts';

describe.each(['reject', 'remove'] as const)('to %s', (kind) => {
  test.each(REASON_CODES)(
    'for %s states the ground, the public description if there is no note, and a machine only after a merger',
    (reasonCode) => {
      const { ground, description, needsNote } = REASONS[reasonCode];
      const rest = { reasonCode, ground, automatedMeans: reasonCode === 'merged' };
      expect(statementOf({ kind, reasonCode, note: 'Line 2.' })).toEqual({ facts: 'Line 2.', ...rest });
      if (needsNote) expect(() => statementOf({ kind, reasonCode })).toThrow(DomainError);
      else expect(statementOf({ kind, reasonCode })).toEqual({ facts: description, ...rest });
    },
  );

  test('needs a reason', () => expect(() => statementOf({ kind })).toThrow(DomainError));
});

test.each(['publish', 'keep'] as const)('to %s restricts nothing', (kind) => {
  expect(statementOf({ kind, reasonCode: 'insult' })).toMatchObject({
    reasonCode: null,
    ground: null,
    automatedMeans: false,
  });
  expect(statementOf({ kind, note: 'It is criticism.' }).facts).toBe('It is criticism.');
});

test('the side that a decision goes against can appeal', () => {
  expect(DECISIONS.map(appellantOf)).toEqual([undefined, 'author', 'author', 'reporter', 'author', undefined]);
});

test.each([
  ['2026-01-15T10:00:00.000Z', '2026-07-15T10:00:00.000Z'],
  ['2026-08-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
  ['2027-08-30T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
  ['2026-12-31T00:00:00.000Z', '2027-06-30T00:00:00.000Z'],
])('allows an appeal against a decision of %s until %s', (decidedAt, until) => {
  expect(appealUntil(new Date(decidedAt)).toISOString()).toBe(until);
});
