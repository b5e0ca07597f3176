import { DECISIONS, REASON_CODES, REASONS } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { buildStatement, computeAppealEnd, findAppellant } from './statement.rule.ts';

describe.each(['reject', 'remove'] as const)('to %s', (kind) => {
  test.each(REASON_CODES)(
    'the statement for %s has its ground, the note or a public text, and a machine only after a merger',
    (reasonCode) => {
      const { ground, description, needsNote } = REASONS[reasonCode];
      const rest = { reasonCode, ground, automatedMeans: reasonCode === 'merged' };
      expect(buildStatement({ kind, reasonCode, note: 'Line 2.' })).toEqual({ facts: 'Line 2.', ...rest });
      if (needsNote) expect(() => buildStatement({ kind, reasonCode })).toThrow(DomainError);
      else expect(buildStatement({ kind, reasonCode })).toEqual({ facts: description, ...rest });
    },
  );

  test('needs a reason', () => expect(() => buildStatement({ kind })).toThrow(DomainError));
});

test.each(['publish', 'keep'] as const)('a decision to %s restricts nothing', (kind) => {
  expect(buildStatement({ kind, reasonCode: 'insult' })).toMatchObject({
    reasonCode: null,
    ground: null,
    automatedMeans: false,
  });
  expect(buildStatement({ kind, note: 'It is criticism.' }).facts).toBe('It is criticism.');
});

test('the side that a decision goes against can appeal', () => {
  expect(DECISIONS.map(findAppellant)).toEqual([undefined, 'author', 'author', 'reporter', 'author', undefined]);
});

test.each([
  ['2026-01-15T10:00:00.000Z', '2026-07-15T10:00:00.000Z'],
  ['2026-08-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'],
  ['2027-08-30T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
  ['2026-12-31T00:00:00.000Z', '2027-06-30T00:00:00.000Z'],
])('allows an appeal against a decision of %s until %s', (decidedAt, until) => {
  expect(computeAppealEnd(new Date(decidedAt)).toISOString()).toBe(until);
});
