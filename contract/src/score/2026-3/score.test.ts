import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as numbersBefore from '../2026-2/methodology.ts';
import { scoreBroker as scoreBy2026_2 } from '../2026-2/score.ts';
import type { ScoreFacts } from '../facts.ts';
import { Score } from '../schema.ts';
import { recomputeScore } from '../score.ts';
import * as numbers from './methodology.ts';
import { entityRegulation, scoreBroker } from './score.ts';

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

test('differs from 2026-2 in no number but the cap for what nobody has checked', () => {
  const { uncheckedWarning, ...caps } = numbers.CAPS;
  expect(uncheckedWarning.limit).toBe(numbers.CAPS.officialWarning.limit);
  const same = { ...numbers, METHODOLOGY_VERSION: '2026-2', CAPS: caps, CAP_CODES: Object.keys(caps) };
  expect(same).toEqual({ ...numbersBefore });
  expect(numbers.METHODOLOGY_VERSION).toBe('2026-3');
});

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
  ])('of %s', (_, warnings, expected) => {
    expect(codes(warnings)).toEqual(expected);
    const value = scoreBroker({ ...facts, warnings }, AT).value ?? 0;
    if (expected.length > 0) expect(value).toBe(19);
    else expect(value).toBeGreaterThan(19);
  });

  test('stand in the order of the numbers, and the answer recomputes', () => {
    const warnings = [{ ...FIRM, match: 'unchecked' } as const];
    const score = scoreBroker({ ...facts, warnings }, AT);
    expect(Score.parse(score)).toEqual(score);
    expect(recomputeScore({ ...facts, warnings, complaintsByMonth: [], score })).toEqual(score);
    const order = score.caps.map(({ code }) => numbers.CAP_CODES.indexOf(code as numbers.CapCode));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });
});

test('any score is that of 2026-2, except for its version and the caps of warnings', () => {
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
      const [score, before] = [scoreBroker(given, AT), scoreBy2026_2(given, AT)];
      const withoutWarnings = ({ caps, methodologyVersion: _, ...rest }: Score) => ({
        ...rest,
        caps: caps.filter(({ code }) => !code.endsWith('Warning')),
      });
      expect(withoutWarnings(score)).toEqual(withoutWarnings(before));
      const limits = ({ caps }: Score) => [...new Set(caps.map(({ limit }) => limit))];
      expect(limits(score)).toEqual(limits(before));
    }),
    { seed: 20_261_123, numRuns: 300 },
  );
});

describe('two regulators of one regime', () => {
  const at = (regulatorCode: string, tier: 1 | 2 | 3, legalName = 'Alpha Ltd') => ({
    ...(facts.licenses[0] as ScoreFacts['licenses'][number]),
    entity: { legalName },
    regulatorCode,
    tier,
  });
  const strength = (...licenses: ScoreFacts['licenses'][number][]) =>
    scoreBroker({ ...facts, licenses }, AT).components.find(({ key }) => key === 'regulation')?.score;

  test.each([
    ['count once, for an entity that is licensed at both', [at('cftc', 2), at('nfa', 2)], 50],
    ['count as the better one', [at('cftc', 3), at('nfa', 2)], 50],
    ['count as one of them alone', [at('nfa', 2)], 50],
    ['count beside another regime', [at('cftc', 2), at('nfa', 2), at('fca', 1)], 87.5],
    ['are two where they are of two regimes', [at('asic', 2), at('nfa', 2)], 75],
  ])('%s', (_, licenses, expected) => {
    expect(strength(...licenses)).toBe(expected);
    expect(entityRegulation('Alpha Ltd', licenses)).toBe(expected);
  });
});
