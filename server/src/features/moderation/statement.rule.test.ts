import { DECISIONS, REASON_CODES, REASONS } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../platform/domain-error.ts';
import { buildStatement, computeAppealEnd, findAppellant, isAppealable } from './statement.rule.ts';

const UNREPORTED = { isReported: false };

describe.each(['reject', 'remove'] as const)('to %s', (kind) => {
  test.each(REASON_CODES)(
    'the statement for %s has its ground, the note or a public text, and a machine only after a merger',
    (reasonCode) => {
      const { ground, description, needsNote } = REASONS[reasonCode];
      const origin = { origin: 'own_initiative', scope: 'everywhere', until: null };
      const rest = { reasonCode, ground, automatedMeans: reasonCode === 'merged', ...origin };
      expect(buildStatement({ kind, reasonCode, note: 'Line 2.' }, UNREPORTED)).toEqual({ facts: 'Line 2.', ...rest });
      if (needsNote) expect(() => buildStatement({ kind, reasonCode }, UNREPORTED)).toThrow(DomainError);
      else expect(buildStatement({ kind, reasonCode }, UNREPORTED)).toEqual({ facts: description, ...rest });
    },
  );

  test('needs a reason', () => expect(() => buildStatement({ kind }, UNREPORTED)).toThrow(DomainError));
});

test.each(['publish', 'keep'] as const)('a decision to %s restricts nothing', (kind) => {
  expect(buildStatement({ kind, reasonCode: 'insult' }, { isReported: true })).toMatchObject({
    reasonCode: null,
    ground: null,
    automatedMeans: false,
    origin: null,
    scope: null,
    until: null,
  });
  expect(buildStatement({ kind, note: 'It is criticism.' }, UNREPORTED).facts).toBe('It is criticism.');
});

test('a statement says whether a report led to the decision, and until when it applies', () => {
  const until = new Date('2027-01-01T00:00:00Z');
  expect(buildStatement({ kind: 'withhold', reasonCode: 'insult' }, { isReported: true, until })).toMatchObject({
    origin: 'report',
    until: '2027-01-01T00:00:00.000Z',
  });
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

test.each([
  ['withhold', { side: 'author', status: 'withheld' }, true],
  ['reject', { side: 'author', status: 'rejected' }, true],
  ['withhold', { side: 'author', status: 'withdrawn' }, false],
  ['remove', { side: 'author', status: 'published' }, false],
  ['keep', { side: 'author', status: 'published' }, false],
  ['keep', { side: 'reporter' }, true],
  ['remove', { side: 'reporter' }, false],
] as const)('a decision to %s can be appealed by %o: %s', (kind, reader, expected) => {
  expect(isAppealable(kind, reader)).toBe(expected);
});
