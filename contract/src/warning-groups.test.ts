import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScoreFacts } from './score/facts.ts';
import { scoreBroker } from './score/score.ts';
import { classifyWarning, groupWarnings, isWarned, type WarningStanding, type WarningState } from './warning-groups.ts';

const AT = '2026-02-01T00:00:00Z';

test.each<[string, WarningState, WarningStanding]>([
  ['that stands', { about: 'this_firm' }, 'confirmed'],
  ['that a person confirmed', { about: 'this_firm', match: 'confirmed' }, 'confirmed'],
  ['that a machine matched', { about: 'this_firm', match: 'unchecked' }, 'unchecked'],
  ['that was withdrawn before anybody checked it', { about: 'this_firm', match: 'unchecked', withdrawnAt: AT }, 'past'],
  ['that was corrected', { about: 'not_this_firm', correctedAt: AT }, 'past'],
  ['that was never about this firm', { about: 'not_this_firm' }, 'past'],
  ['about a clone', { about: 'clone_of_it' }, 'clone'],
  ['about a clone that a machine matched', { about: 'clone_of_it', match: 'unchecked' }, 'clone'],
  ['about a clone that was withdrawn', { about: 'clone_of_it', withdrawnAt: AT }, 'past'],
  ['about something that a later release knows', { about: 'its_owner' }, 'past'],
])('a warning %s is classified', (_, warning, standing) => {
  expect(classifyWarning(warning)).toBe(standing);
  expect(groupWarnings([warning])[standing]).toEqual([warning]);
  expect(isWarned([warning])).toBe(standing === 'confirmed' || standing === 'unchecked');
});

const warning = fc.record(
  {
    about: fc.constantFrom('this_firm' as const, 'clone_of_it' as const, 'its_owner' as never),
    match: fc.constantFrom('unchecked' as const, 'confirmed' as const),
    withdrawnAt: fc.constant(AT),
  },
  { requiredKeys: ['about'] },
);
const corrected = fc.constant({ about: 'not_this_firm' as const, correctedAt: AT });

test('exactly the warnings that stand and are about the broker cap its score', () => {
  const facts: Omit<ScoreFacts, 'warnings'> = {
    status: 'operating',
    licensesCheckedAt: AT,
    entities: [],
    licenses: [],
    ratingsByMonth: [],
    complaints: { closed: 0, resolved: 0, timely: 0 },
    checklist: [],
  };
  fc.assert(
    fc.property(fc.array(fc.oneof(warning, corrected), { maxLength: 5 }), (warnings) => {
      const codes: string[] = scoreBroker({ ...facts, warnings }, AT).caps.map(({ code }) => code);
      const { confirmed, unchecked, clone, past } = groupWarnings(warnings);
      expect(codes.includes('officialWarning')).toBe(confirmed.length > 0);
      expect(codes.includes('uncheckedWarning')).toBe(unchecked.length > 0);
      expect(confirmed.length + unchecked.length + clone.length + past.length).toBe(warnings.length);
    }),
  );
});
