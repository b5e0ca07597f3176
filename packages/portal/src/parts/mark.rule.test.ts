import type { BrokerDetail } from '@broker-transparency/client';
import { describe, expect, test } from 'vitest';
import { isMarkShown } from './mark.rule.ts';

type MarkedBroker = Parameters<typeof isMarkShown>[0];

const STATUSES = {
  operating: true,
  suspected_clone: false,
  ceased: false,
  merged: false,
} as const satisfies Record<BrokerDetail['status'], boolean>;

const LICENCES = [
  ['a confirmed licence', { confirmed: 1, held: 0, claimed: 0 }, true],
  ['no licence', { confirmed: 0, held: 0, claimed: 0 }, false],
  ['licences that no register confirms', { confirmed: 0, held: 2, claimed: 3 }, false],
] as const;

const WARNINGS = [
  ['no warning', [], true],
  ['a warning about it', [{ about: 'this_firm' }], false],
  ['a warning that nobody has checked', [{ about: 'this_firm', match: 'unchecked' }], false],
  ['a withdrawn warning', [{ about: 'this_firm', withdrawnAt: '2026-01-01T00:00:00.000Z' }], true],
  ['a warning about its clone', [{ about: 'clone_of_it' }], true],
  ['warnings about it and its clone', [{ about: 'clone_of_it' }, { about: 'this_firm' }], false],
] as const;

const CASES = Object.entries(STATUSES).flatMap(([status, open]) =>
  LICENCES.flatMap(([licences, licenseCounts, licensed]) =>
    WARNINGS.map(([warned, warnings, unwarned]) => ({
      says: `${status}, with ${licences} and ${warned}`,
      broker: { status, licenseCounts, warnings } as unknown as MarkedBroker,
      isShown: open && licensed && unwarned,
    })),
  ),
);

describe('the mark of a broker', () => {
  test.each(CASES)('pages show the mark of a broker that is $says: $isShown', ({ broker, isShown }) => {
    expect(isMarkShown(broker)).toBe(isShown);
  });

  test('three cases show the mark, and all others hide it', () => {
    expect(CASES.filter(({ isShown }) => isShown)).toHaveLength(3);
  });
});
