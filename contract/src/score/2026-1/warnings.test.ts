import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScoreFacts } from '../facts.ts';
import { Score } from '../schema.ts';
import { recomputeScore } from '../score.ts';
import { CAP_CODES, type CapCode } from './methodology.ts';
import { scoreBroker } from './score.ts';

const AT = '2026-11-15T12:00:00.000Z';

const facts: ScoreFacts = {
  status: 'operating',
  licensesCheckedAt: AT,
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  licenses: [
    {
      entity: { legalName: 'Alpha Ltd' },
      regulatorCode: 'fca',
      type: 'authorisation',
      tier: 1,
      status: 'active',
      activeSince: '2014-11-01',
    },
  ],
  ratingsByMonth: [],
  complaints: { closed: 0, resolved: 0, timely: 0 },
  checklist: [],
  warnings: [],
};

describe('the caps', () => {
  const FIRM = { about: 'this_firm' } as const;
  const codes = (warnings: ScoreFacts['warnings']) =>
    scoreBroker({ ...facts, warnings }, AT)
      .caps.map(({ code }) => code)
      .filter((code) => code.endsWith('Warning'));

  test.each<[string, ScoreFacts['warnings'], string[]]>([
    ['no warning', [], []],
    ['one that the authority or editors made about the firm', [FIRM], ['officialWarning']],
    ['one that a person confirmed', [{ ...FIRM, match: 'confirmed' }], ['officialWarning']],
    ['one that was matched automatically', [{ ...FIRM, match: 'unchecked' }], ['uncheckedWarning']],
    ['both kinds', [{ ...FIRM, match: 'unchecked' }, FIRM], ['officialWarning', 'uncheckedWarning']],
    ['an unchecked one that was withdrawn', [{ ...FIRM, match: 'unchecked', withdrawnAt: AT }], []],
    ['one about a clone of it', [{ about: 'clone_of_it', match: 'confirmed' }], []],
    ['one that was corrected', [{ about: 'not_this_firm', match: 'confirmed' }], []],
    ['one about something that a later release knows', [{ about: 'other' as never }], []],
  ])('gives the caps for these warnings: %s', (_, warnings, expected) => {
    expect(codes(warnings)).toEqual(expected);
    const value = scoreBroker({ ...facts, warnings }, AT).value ?? 0;
    if (expected.length > 0) expect(value).toBe(19);
    else expect(value).toBeGreaterThan(19);
  });

  test('caps stand in the order of the numbers, and the answer recomputes', () => {
    const warnings = [{ ...FIRM, match: 'unchecked' } as const];
    const score = scoreBroker({ ...facts, warnings }, AT);
    expect(Score.parse(score)).toEqual(score);
    expect(recomputeScore({ ...facts, warnings, complaintsByMonth: [], score })).toEqual(score);
    const order = score.caps.map(({ code }) => CAP_CODES.indexOf(code as CapCode));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});

test('a match that nobody has checked changes nothing in a score but which cap is in force', () => {
  const warning = fc.record(
    {
      about: fc.constantFrom('this_firm', 'clone_of_it', 'not_this_firm'),
      match: fc.constantFrom('unchecked', 'confirmed'),
      withdrawnAt: fc.constant(AT),
    },
    { requiredKeys: ['about'] },
  );
  fc.assert(
    fc.property(fc.array(warning, { maxLength: 4 }), fc.constantFrom(null, AT), (warnings, licensesCheckedAt) => {
      const given = { ...facts, licensesCheckedAt, warnings: warnings as ScoreFacts['warnings'] };
      const checked = given.warnings.map((one) => ({ ...one, match: 'confirmed' as const }));
      const [score, other] = [scoreBroker(given, AT), scoreBroker({ ...given, warnings: checked }, AT)];
      const withoutWarnings = ({ caps, ...rest }: Score) => ({
        ...rest,
        caps: caps.filter(({ code }) => !code.endsWith('Warning')),
      });
      expect(withoutWarnings(score)).toEqual(withoutWarnings(other));
      const limits = ({ caps }: Score) => [...new Set(caps.map(({ limit }) => limit))];
      expect(limits(score)).toEqual(limits(other));
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});
