import type { BrokerDetail } from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import { findMarkObstacle } from './shown.rule.ts';

const STATUSES = {
  operating: undefined,
  suspected_clone: 'clone',
  ceased: 'ended',
  merged: 'ended',
} as const satisfies Record<BrokerDetail['status'], string | undefined>;

const NOW = new Date('2026-06-01T00:00:00Z');
const CONFIRMED = {
  entity: { legalName: 'Alpha Ltd' },
  type: 'authorisation',
  status: 'active',
  tier: 1,
  lastVerifiedAt: '2026-05-31T00:00:00.000Z',
  stale: false,
};

const LICENCES = [
  ['a confirmed licence', [CONFIRMED], true],
  ['a restricted licence', [{ ...CONFIRMED, status: 'restricted' }], true],
  ['no licence', [], false],
  ['a licence that no register confirms', [{ ...CONFIRMED, status: 'unverified' }], false],
  ['a suspended licence', [{ ...CONFIRMED, status: 'suspended' }], false],
  ['the licence of another firm', [{ ...CONFIRMED, entity: { legalName: 'Beta Ltd' } }], false],
  ['a licence that was checked too long ago', [{ ...CONFIRMED, stale: true }], false],
  ['a licence that has expired', [{ ...CONFIRMED, expiresAt: '2026-05-31T00:00:00.000Z' }], false],
] as const;

const WARNINGS = [
  ['no warning', [], true],
  ['a warning about it', [{ about: 'this_firm' }], false],
  ['a warning that nobody has checked', [{ about: 'this_firm', match: 'unchecked' }], false],
  ['a withdrawn warning', [{ about: 'this_firm', withdrawnAt: '2026-01-01T00:00:00.000Z' }], true],
  ['a warning about its clone', [{ about: 'clone_of_it' }], true],
  ['warnings about it and its clone', [{ about: 'clone_of_it' }, { about: 'this_firm' }], false],
] as const;

const CASES = Object.entries(STATUSES).flatMap(([status, obstacle]) =>
  LICENCES.flatMap(([named, licenses, licensed]) =>
    WARNINGS.map(([warned, warnings, unwarned]) => ({
      says: `${status}, with ${named} and ${warned}`,
      broker: {
        status,
        licenses,
        warnings,
        entities: [{ legalName: 'Alpha Ltd' }],
        bestTier: 1,
        licensesCheckedAt: '2026-05-31T00:00:00.000Z',
      } as unknown as BrokerDetail,
      obstacle: obstacle ?? (unwarned ? (licensed ? undefined : 'not_confirmed') : 'warned'),
    })),
  ),
);

describe('the mark of a broker', () => {
  test.each(CASES)('the reason to hide the mark of a broker that is $says: $obstacle', ({ broker, obstacle }) => {
    expect(findMarkObstacle(broker, NOW)).toBe(obstacle);
  });

  test('six cases show the mark, and all others hide it', () => {
    expect(CASES.filter(({ obstacle }) => obstacle === undefined)).toHaveLength(6);
  });
});
