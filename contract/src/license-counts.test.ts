import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classifyLicense,
  countLicenses,
  type LicensedBroker,
  type LicenseStanding,
  listLicenseChoices,
} from './license-counts.ts';
import { LICENSE_TYPES } from './licenses.ts';
import { LICENSE_STATUSES } from './score/methodology.ts';
import { scoringLicenses } from './score/score.ts';
import { decideVerdict } from './verdict.ts';

const OWN = 'Alpha Markets Ltd';
const NEW_STATE = 'a state of a later release';

const license = (over: object) =>
  ({
    entity: { legalName: OWN },
    status: 'active',
    type: 'authorisation',
    ...over,
  }) as LicensedBroker['licenses'][number];
const broker = (licenses: LicensedBroker['licenses'], licensesCheckedAt: string | null = '2026-01-05T00:00:00Z') => ({
  licensesCheckedAt,
  entities: [{ legalName: OWN }],
  licenses,
});

describe('a licence of one of the legal entities, once the registers were compared', () => {
  test.each<[string, LicenseStanding]>([
    ['active', 'confirmed'],
    ['restricted', 'confirmed'],
    ['suspended', 'held'],
    ['pending', 'claimed'],
    ['unverified', 'claimed'],
    [NEW_STATE, 'claimed'],
    ['withdrawn', 'ended'],
    ['revoked', 'ended'],
    ['expired', 'ended'],
  ])('counts in the state %s as %s', (status, standing) => {
    const one = license({ status });
    expect(classifyLicense(broker([one]), one)).toBe(standing);
  });

  test.each([
    ['authorisation', 'confirmed'],
    ['passport', 'held'],
    ['registration', 'held'],
    ['a type of a later release', 'held'],
  ])('counts as the type %s as %s', (type, standing) => {
    const one = license({ type });
    expect(classifyLicense(broker([one]), one)).toBe(standing);
  });
});

test.each([
  ['of another firm', license({ entity: { legalName: 'Victim Ltd' } }), '2026-01-05T00:00:00Z'],
  ['that was never compared with a register', license({}), null],
])('a licence %s is only claimed', (_, one, checkedAt) => {
  expect(countLicenses(broker([one], checkedAt))).toEqual({ confirmed: 0, held: 0, claimed: 1 });
});

const drawnLicense = fc
  .record({
    status: fc.constantFrom(...LICENSE_STATUSES, NEW_STATE),
    type: fc.constantFrom(...LICENSE_TYPES, 'a type of a later release'),
    holder: fc.constantFrom(OWN, 'Victim Ltd'),
  })
  .map(({ holder, ...over }) => license({ ...over, entity: { legalName: holder } }));
const drawnBroker = fc
  .record({
    licenses: fc.array(drawnLicense, { maxLength: 12 }),
    checkedAt: fc.constantFrom(null, '2026-01-05T00:00:00Z'),
  })
  .map(({ licenses, checkedAt }) => broker(licenses, checkedAt));

test('the counts never overstate: confirmed licences are held ones, and held and claimed ones are all that have not ended', () => {
  fc.assert(
    fc.property(drawnBroker, (one) => {
      const { confirmed, held, claimed } = countLicenses(one);
      const inForce = one.licenses.filter(
        ({ status, type, entity }) =>
          (status === 'active' || status === 'restricted') && type === 'authorisation' && entity.legalName === OWN,
      );
      expect(confirmed).toBe(one.licensesCheckedAt === null ? 0 : inForce.length);
      expect(held).toBeGreaterThanOrEqual(confirmed);
      const ended = one.licenses.filter(({ status }) => ['withdrawn', 'revoked', 'expired'].includes(status));
      expect(held + claimed).toBe(one.licenses.length - ended.length);
    }),
  );
});

test('exactly the confirmed licences of a broker add to its score', () => {
  fc.assert(
    fc.property(drawnBroker, (one) => {
      const known = one.licenses.filter(({ status }) => (LICENSE_STATUSES as readonly string[]).includes(status));
      const scored = known.map((each) => ({ ...each, regulatorCode: 'fca', tier: 1 as const }));
      const entities = one.entities.map((entity) => ({ ...entity, retailClients: true }));
      const { confirmed } = countLicenses(broker(known));
      expect(confirmed).toBe(scoringLicenses({ entities, licenses: scored }).length);
    }),
  );
});

const AT = new Date('2026-11-28T12:00:00Z');
const dated = (changes: object) => ({
  ...license({}),
  tier: 2,
  lastVerifiedAt: '2026-11-01T00:00:00Z',
  stale: false,
  ...changes,
});
const STALE = { stale: true };

test.each([
  ['a broker without a confirmed licence', {}, [dated({ status: 'suspended' })], ['none']],
  ['a broker of which no licence scores', { bestTier: null }, [dated({})], ['none']],
  ['a broker with a confirmed licence', {}, [dated({}), dated({ tier: 3, ...STALE })], ['confirmed', '2']],
  ['a broker that has ceased', { status: 'ceased' }, [dated({})], ['confirmed', '2']],
  ['a broker whose licences were all checked too long ago', {}, [dated(STALE), dated({ lastVerifiedAt: null })], []],
  ['a broker whose licence has ended by the clock', {}, [dated({ expiresAt: '2026-11-28T00:00:00Z' })], []],
  ['a broker whose best licence was checked too long ago', {}, [dated(STALE), dated({ tier: 3 })], ['confirmed']],
  ['a suspected clone, whose licences are those of its victim,', { status: 'suspected_clone' }, [dated({})], []],
])('the filter by licence has %s among these choices', (_, changes, licenses, choices) => {
  const one = { status: 'operating', bestTier: 2, ...broker([]), licenses, ...changes };
  expect(listLicenseChoices(one, AT)).toEqual(choices);
});

const drawnDated = fc
  .record({
    one: fc.oneof(fc.constant(license({})), drawnLicense),
    tier: fc.constantFrom(1, 2, 3, 4),
    stale: fc.constantFrom(false, false, true, undefined),
    lastVerifiedAt: fc.constantFrom('2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', null),
    expiresAt: fc.constantFrom(undefined, '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z'),
  })
  .map(({ one, ...over }) => ({
    ...one,
    ...over,
    regulatorCode: 'cysec',
    referenceNumber: '1',
    sourceUrl: 'https://register.example/1',
  }));

test('the filter has a broker among the confirmed exactly if the verdict says that somebody supervises it', () => {
  const seen = { confirmed: 0, other: 0 };
  fc.assert(
    fc.property(
      fc.array(drawnDated, { maxLength: 4 }),
      fc.constantFrom('2026-01-05T00:00:00Z', '2026-01-05T00:00:00Z', null),
      fc.constantFrom('operating', 'operating', 'operating', 'suspected_clone'),
      (licenses, checkedAt, status) => {
        const given = {
          ...broker([], checkedAt),
          entities: [{ legalName: OWN, retailClients: true }],
          status,
          warnings: [],
          registers: [],
          licenses,
        };
        const tiers = licenses.filter((one) => classifyLicense(given, one) === 'confirmed').map(({ tier }) => tier);
        const bestTier = tiers.length === 0 ? null : Math.min(...tiers);
        const isConfirmed = listLicenseChoices({ ...given, bestTier }, AT).includes('confirmed');
        const { entities } = decideVerdict(given, 'DE', AT);
        expect(isConfirmed).toBe(entities.some(({ supervision }) => supervision.length > 0));
        seen[isConfirmed ? 'confirmed' : 'other']++;
      },
    ),
    { numRuns: 1000 },
  );
  expect(Math.min(seen.confirmed, seen.other)).toBeGreaterThan(50);
});
