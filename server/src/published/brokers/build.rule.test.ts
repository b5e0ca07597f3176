import {
  BrokerDetail,
  BrokerSummary,
  CHECKLIST_KEYS,
  ENDED_LICENSE_STATUSES,
  LICENSE_STATUSES,
  LICENSE_TYPES,
  METHODOLOGY_VERSION,
  type RatingMonth,
  type Review,
  recomputeScore,
  type Tier,
} from '@broker-transparency/contract';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { isHeld } from '../../features/brokers/license-status.rule.ts';
import { BrokerRecord } from '../../features/brokers/record.rule.ts';
import type { RegulatorState } from '../../features/regulators/record.rule.ts';
import { type BrokerFacts, buildBroker } from './build.rule.ts';
import { detailView, summaryView } from './view.ts';

const AT = '2026-11-30T12:00:00.000Z';
const UK = 'Alpha Markets Ltd';
const ISLAND = 'Alpha Markets (Island) Ltd';

type LicenseInput = NonNullable<z.input<typeof BrokerRecord>['licenses']>[number];

const license = (changes: Partial<LicenseInput> = {}): LicenseInput => ({
  entity: { legalName: UK },
  regulatorCode: 'fca',
  referenceNumber: '123456',
  type: 'authorisation',
  status: 'active',
  activeSince: '2014-03-01',
  sourceUrl: 'https://register.example/123456',
  ...changes,
});

const month = (name: string, stars: number, count: number): RatingMonth => ({
  month: name,
  count,
  sum: stars * 100 * count,
  sumOfSquares: stars * stars * 10_000 * count,
  distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, [stars]: count },
});

const review: Review = {
  id: 'r1',
  brokerSlug: 'alpha-markets',
  rating: 4.5,
  title: 'Withdrawals arrive in two days',
  content: 'I withdrew three times this year, and each time the money was there.',
  language: 'en',
  author: { displayName: 'Alice' },
  identityVerified: true,
  createdAt: AT,
  publishedAt: AT,
};

const TIERS = new Map<string, Tier>([
  ['fca', 1],
  ['cysec', 2],
  ['fsc-mu', 3],
  ['vfsc', 4],
]);

const REGULATORS = new Map(
  [...TIERS].map(([code, tier]): [string, RegulatorState] => [
    code,
    {
      _id: code,
      name: code,
      country: code === 'fca' ? 'GB' : 'VU',
      tier,
      tierReason: 'A regulator of this test, with a register that is made up.',
      website: 'https://regulator.example',
      registerUrl: 'https://regulator.example/register',
      complaintsUrl: 'https://regulator.example/complain',
      protections: {
        compensationLimit: null,
        negativeBalance: null,
        segregation: null,
        retailLeverageCap: null,
        retailLeveragedFx: 'licensed',
      },
      sources: [],
      lastVerifiedAt: null,
      registerReadAt: null,
    },
  ]),
);

const facts = (
  profile: Partial<z.input<typeof BrokerRecord>> = {},
  changes: Partial<Omit<BrokerFacts, 'profile' | 'licenses'>> = {},
): BrokerFacts => {
  const { licenses = [], ...rest } = BrokerRecord.parse({
    slug: 'alpha-markets',
    name: 'Alpha Markets',
    legalName: UK,
    website: 'https://alpha-markets.example',
    country: 'GB',
    licensesCheckedAt: AT,
    entities: [
      { legalName: UK, country: 'GB' },
      { legalName: ISLAND, country: 'VU' },
    ],
    licenses: [license()],
    ...profile,
  });
  return {
    key: 'alpha-markets',
    id: 'b1',
    profile: rest,
    licenses,
    regulators: REGULATORS,
    ratingsByMonth: [month('2026-11', 4, 20)],
    recentReviews: [review],
    complaints: {
      summary: { open: 1, overdue: 0, closed: 4, resolvedRate: 0.75, timelyRate: 1, medianResponseDays: 3.5 },
      byMonth: [
        { month: '2023-10', closed: 2, resolved: 0, timely: 0 },
        { month: '2025-12', closed: 1, resolved: 0, timely: 1 },
        { month: '2026-11', closed: 3, resolved: 3, timely: 3 },
      ],
    },
    ...changes,
  };
};
const fold = (...given: Parameters<typeof facts>) => buildBroker(facts(...given), AT);

/** Returns a generator of numbers in [0, 1), the same in every run. */
const seeded = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const random = seeded(3);
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** Returns the facts of a random broker. */
const anyFacts = (): BrokerFacts =>
  facts(
    {
      licenses: Array.from({ length: Math.floor(random() * 8) }, (_, n) =>
        license({
          referenceNumber: `${n}`,
          entity: { legalName: pick([UK, ISLAND]) },
          regulatorCode: pick([...TIERS.keys(), 'unknown']),
          type: pick(LICENSE_TYPES),
          status: pick(LICENSE_STATUSES),
        }),
      ),
      checklist: CHECKLIST_KEYS.filter(() => random() < 0.5).map((key) => ({ key, met: pick([true, false, null]) })),
      status: pick(['operating', 'ceased', 'merged', 'suspected_clone']),
      licensesCheckedAt: pick([AT, null]),
    },
    {
      ratingsByMonth: ['2024-02', '2025-12', '2026-01', '2026-11']
        .filter(() => random() < 0.7)
        .map((name) => month(name, pick([1, 2, 3, 4, 5]), 1 + Math.floor(random() * 40))),
    },
  );

const undefinedPlaces = (value: unknown, path = '$'): string[] => {
  if (value === undefined) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => undefinedPlaces(inner, `${path}.${key}`));
};

describe('any broker', () => {
  const some = Array.from({ length: 100 }, anyFacts);

  test('any broker has the same bytes for the same facts in any order', () => {
    for (const known of some) {
      const mixed: BrokerFacts = {
        ...known,
        licenses: shuffled(known.licenses),
        regulators: new Map(shuffled([...known.regulators])),
        ratingsByMonth: shuffled(known.ratingsByMonth),
        profile: { ...known.profile, checklist: shuffled(known.profile.checklist) },
      };
      expect(JSON.stringify(buildBroker(mixed, AT))).toBe(JSON.stringify(buildBroker(known, AT)));
    }
  });

  test('building a broker does not change its facts', () => {
    for (const known of some) {
      const before = structuredClone(known);
      buildBroker(known, AT);
      expect(known).toEqual(before);
    }
  });

  test('any broker has the score that can be recomputed from its own answer', () => {
    for (const known of some) {
      const detail = detailView(buildBroker(known, AT));
      expect(recomputeScore(detail)).toEqual(detail.score);
      expect(recomputeScore(JSON.parse(JSON.stringify(detail)))).toEqual(detail.score);
      expect(detail.color).toBe(detail.score.color);
      expect(detail.score.computedAt).toBe(AT);
      expect(detail.updatedAt).toBe(AT);
    }
  });

  test('fits the contract without extra fields', () => {
    for (const known of some) {
      const document = buildBroker(known, AT);
      const detail = { ...detailView(document), registers: [] };
      expect(BrokerDetail.parse(detail)).toEqual(detail);
      expect(Object.keys(detail).sort()).toEqual(
        Object.keys(BrokerDetail.shape)
          .filter((key) => !['lei', 'successor', 'predecessors', 'disputes'].includes(key))
          .sort(),
      );
      expect(BrokerSummary.safeParse(summaryView(document)).success).toBe(true);
    }
  });

  test('contains no undefined, which the database would store as null or drop', () => {
    for (const known of some) expect(undefinedPlaces(buildBroker(known, AT))).toEqual([]);
  });
});

describe('the document', () => {
  test('the document has its slug as id, and its answer lacks the fields that only the database needs', () => {
    const document = fold();
    expect(document).toMatchObject({ _id: 'alpha-markets', slug: 'alpha-markets', id: 'b1' });
    expect(detailView(document)).not.toHaveProperty('_id');
    expect(detailView(document)).not.toHaveProperty('regulatedBy');
    expect(detailView(document)).not.toHaveProperty('serves');
  });

  test('the document has a LEI only if one is known', () => {
    expect(fold()).not.toHaveProperty('lei');
    expect(fold({ lei: '529900T8BM49AURSDO55' })).toHaveProperty('lei', '529900T8BM49AURSDO55');
  });

  test('the score of the document counts complaints of its own month and the 36 before', () => {
    const { score } = fold();
    const findInputs = (at: string) =>
      buildBroker(facts(), at).score.components.find(({ key }) => key === 'complaints')?.inputs;
    expect(score.methodologyVersion).toBe(METHODOLOGY_VERSION);
    expect(findInputs(AT)).toEqual({ closed: 4, resolved: 3, timely: 4 });
    expect(findInputs('2026-10-31T23:59:59.999Z')).toEqual({ closed: 3, resolved: 0, timely: 1 });
    expect(findInputs('2029-01-01T00:00:00.000Z')).toEqual({ closed: 3, resolved: 3, timely: 3 });
  });

  test('contains reviews and complaint counts unchanged', () => {
    const known = facts();
    expect(buildBroker(known, AT)).toMatchObject({
      recentReviews: known.recentReviews,
      complaintSummary: known.complaints.summary,
      complaintsByMonth: known.complaints.byMonth,
    });
  });
});

describe('licences', () => {
  const ENDED: readonly string[] = ENDED_LICENSE_STATUSES;

  test.each(LICENSE_STATUSES)('licences in status %s are held unless they have ended', (status) => {
    const held = !['withdrawn', 'revoked', 'expired'].includes(status);
    expect(ENDED.includes(status)).toBe(!held);
    expect(isHeld({ status })).toBe(held);
    const document = fold({ licenses: [license({ status })] });
    expect(document.licenseCount).toBe(held ? 1 : 0);
    expect(document.regulatedBy).toEqual(held ? ['fca'] : []);
    expect(document.licenses).toHaveLength(1);
  });

  test.each(LICENSE_STATUSES)('licences in status %s give the best tier if they score', (status) => {
    const scores = status === 'active' || status === 'restricted';
    expect(fold({ licenses: [license({ status })] }).bestTier).toBe(scores ? 1 : null);
  });

  test.each(LICENSE_TYPES)('licences of type %s give the best tier if they score', (type) => {
    expect(fold({ licenses: [license({ type })] }).bestTier).toBe(type === 'authorisation' ? 1 : null);
  });

  test('licences are sorted, name each regulator once, and give the lowest tier as the best', () => {
    const document = fold({
      licenses: [
        license({ regulatorCode: 'vfsc' }),
        license({ regulatorCode: 'cysec', referenceNumber: '2' }),
        license({ regulatorCode: 'cysec', referenceNumber: '1' }),
        license({ regulatorCode: 'fca', status: 'revoked' }),
        license({ regulatorCode: 'cysec', referenceNumber: '1', entity: { legalName: ISLAND } }),
      ],
    });
    expect(document).toMatchObject({ regulatedBy: ['cysec', 'vfsc'], licenseCount: 4, bestTier: 2 });
    expect(document.licenses.map((one) => [one.regulatorCode, one.referenceNumber, one.entity.legalName])).toEqual([
      ['cysec', '1', ISLAND],
      ['cysec', '1', UK],
      ['cysec', '2', UK],
      ['fca', '123456', UK],
      ['vfsc', '123456', UK],
    ]);
  });

  test('licences have the tier of their regulator, or the weakest if it has none', () => {
    const document = fold({ licenses: [license(), license({ regulatorCode: 'unknown' })] });
    expect(document.licenses.map(({ regulatorCode, tier }) => [regulatorCode, tier])).toEqual([
      ['fca', 1],
      ['unknown', 4],
    ]);
  });

  test('licences may be missing: then none is held and none scores', () => {
    const document = fold({ licenses: [] });
    expect(document).toMatchObject({ licenses: [], regulatedBy: [], licenseCount: 0, bestTier: null });
    expect(document.score.caps.map(({ code }) => code)).toContain('noScoringLicense');
  });
});

describe('an entity', () => {
  const scores = (licenses: LicenseInput[]) =>
    fold({ licenses }).entities.map(({ legalName, regulationScore }) => [legalName, regulationScore]);

  test('an entity does not inherit another entity’s licence', () => {
    expect(scores([license()])).toEqual([
      [UK, 75],
      [ISLAND, 0],
    ]);
    expect(scores([license({ entity: { legalName: ISLAND }, regulatorCode: 'vfsc' })])).toEqual([
      [UK, 0],
      [ISLAND, 10],
    ]);
  });

  test('counts in the score by the mean of the strongest and the weakest entity', () => {
    expect(fold().score.components[0]).toMatchObject({ key: 'regulation', score: 37.5 });
  });

  test('an entity that is not listed adds nothing to the broker', () => {
    const known = facts();
    const stray = known.licenses.map((one) => ({ ...one, entity: { legalName: 'Someone Else Ltd' } }));
    const document = buildBroker({ ...known, licenses: stray }, AT);
    expect(document.bestTier).toBeNull();
    expect(document.entities.map(({ regulationScore }) => regulationScore)).toEqual([0, 0]);
    expect(document.score.caps.map(({ code }) => code)).toContain('noScoringLicense');
  });
});

describe('the checklist', () => {
  test('always has all ten keys in order, with null for what is not known', () => {
    const { checklist } = fold({
      checklist: [
        { key: 'ownership', met: true },
        { key: 'fees', met: false },
      ],
    });
    expect(checklist.map(({ key }) => key)).toEqual(CHECKLIST_KEYS);
    expect(checklist.filter(({ met }) => met !== null)).toEqual([
      { key: 'fees', met: false, sourceUrl: null, checkedAt: null },
      { key: 'ownership', met: true, sourceUrl: null, checkedAt: null },
    ]);
    expect(fold().checklist.every(({ met }) => met === null)).toBe(true);
  });

  test('keeps its sources', () => {
    const item = { key: 'fees' as const, met: true, sourceUrl: 'https://alpha-markets.example/fees', checkedAt: AT };
    expect(fold({ checklist: [item] }).checklist).toContainEqual(item);
  });
});

describe('ratings', () => {
  test('ratings add up over the months, which are sorted', () => {
    const { ratingSummary, ratingsByMonth } = fold(
      {},
      { ratingsByMonth: [month('2026-11', 5, 2), month('2025-12', 2, 1), month('2026-02', 5, 1)] },
    );
    expect(ratingsByMonth.map((one) => one.month)).toEqual(['2025-12', '2026-02', '2026-11']);
    expect(ratingSummary).toMatchObject({ average: 4.25, count: 4, distribution: { 1: 0, 2: 1, 3: 0, 4: 0, 5: 3 } });
  });

  test('ratings have an average with two decimals', () => {
    const thirds = { ...month('2026-11', 4, 2), count: 3, sum: 1300, sumOfSquares: 570_000 };
    expect(fold({}, { ratingsByMonth: [thirds] }).ratingSummary.average).toBe(4.33);
  });

  test('ratings may be missing: then there is no average, and the Bayesian average is the prior', () => {
    expect(fold({}, { ratingsByMonth: [] }).ratingSummary).toEqual({
      average: null,
      bayesianAverage: 3,
      count: 0,
      distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    });
  });

  test('ratings show the Bayesian average that the score uses', () => {
    const { ratingSummary, score } = fold();
    expect(score.components.find(({ key }) => key === 'userRating')?.inputs['stars']).toBe(
      ratingSummary.bayesianAverage,
    );
  });
});

describe('a broker that is not rated', () => {
  test.each([{ licensesCheckedAt: null }, { status: 'ceased' as const }, { status: 'merged' as const }])(
    '%j is gray',
    (profile) => {
      expect(fold(profile)).toMatchObject({ color: 'gray', score: { value: null, color: 'gray' } });
    },
  );
});
