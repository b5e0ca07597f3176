import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScoreFacts } from './score/facts.ts';
import { scoreBroker } from './score/score.ts';
import {
  classifyWarning,
  decideWarningChange,
  groupWarnings,
  isWarned,
  isWarningInForce,
  type WarningChange,
  type WarningStanding,
  type WarningState,
} from './warning-groups.ts';

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

const standing = { about: 'this_firm' };
const unchecked = { about: 'this_firm', match: 'unchecked' };
const clone = { about: 'clone_of_it' };
const withdrawn = { about: 'this_firm', withdrawnAt: AT };
const mistake = { about: 'not_this_firm', correctedAt: AT };

test.each<[string, WarningState | undefined, WarningState | undefined, WarningChange]>([
  ['is listed', undefined, standing, 'new'],
  ['is listed and was not checked', undefined, unchecked, 'new'],
  ['is listed and is about a clone', undefined, clone, 'new'],
  ['is about a clone and turns out to be about the broker', clone, standing, 'new'],
  ['was withdrawn and stands again', withdrawn, standing, 'new'],
  ['was a mistake and stands again', mistake, unchecked, 'new'],
  ['is confirmed by a person', unchecked, standing, 'confirmed'],
  ['is confirmed as one about a clone', { ...clone, match: 'unchecked' }, clone, 'confirmed'],
  ['loses its confirmation', standing, unchecked, 'reworded'],
  ['is about the broker and turns out to be about a clone', unchecked, clone, 'corrected'],
  ['is withdrawn', standing, withdrawn, 'withdrawn'],
  ['was withdrawn before it was listed', undefined, withdrawn, 'withdrawn'],
  ['is a mistake', standing, mistake, 'corrected'],
  ['is a mistake by its subject alone', standing, { about: 'not_this_firm' }, 'corrected'],
  ['was withdrawn and turns out to be a mistake', withdrawn, { ...mistake, withdrawnAt: AT }, 'corrected'],
  ['was a mistake and is withdrawn', mistake, { ...mistake, withdrawnAt: AT }, 'withdrawn'],
  ['stays as it was', standing, standing, 'reworded'],
  ['is no longer listed', standing, undefined, 'removed'],
])('a change of a warning that %s is told as such', (_, before, after, change) => {
  expect(decideWarningChange(before, after)).toBe(change);
});

test('a change is new or an ending exactly as the warning comes into force or ceases to be', () => {
  const either = fc.oneof(warning, corrected);
  fc.assert(
    fc.property(fc.option(either, { nil: undefined }), either, (before, after) => {
      const change = decideWarningChange(before, after);
      const [was, is] = [isWarningInForce(before), isWarningInForce(after)];
      if (is && !was) expect(change).toBe('new');
      if (was && !is) expect(['corrected', 'withdrawn', 'reworded']).toContain(change);
      if (change === 'confirmed') expect([was, is]).toEqual([true, true]);
      if (change === 'withdrawn') expect(is).toBe(false);
    }),
  );
});
