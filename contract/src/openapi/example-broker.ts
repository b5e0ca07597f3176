import type { BrokerDetail } from '../brokers.ts';
import { countLicenses } from '../license-counts.ts';
import { CHECKLIST_KEYS, type ChecklistKey } from '../score/methodology.ts';
import type { RatingMonth, StarDistribution } from '../score/schema.ts';
import { bayesianAverage, complaintCounts, entityRegulation, ratingSums, scoreBroker } from '../score/score.ts';
import { FCA, FCA_RULES } from './example-fca.ts';

const COMPUTED_AT = '2026-11-02T09:30:00.000Z';
const SITE = 'https://alpha-markets.example';

/** Checklist of the example. Two disclosures are missing and one has not been checked. */
const MET: Readonly<Partial<Record<ChecklistKey, boolean | null>>> = {
  executionPolicy: false,
  leverage: false,
  ownership: null,
};

const distribution = (ratings: readonly number[]): StarDistribution => {
  const counts: StarDistribution = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 };
  for (const rating of ratings) counts[Math.round(rating) as keyof StarDistribution]++;
  return counts;
};

const ratingMonth = (month: string, ratings: readonly number[]): RatingMonth => {
  const hundredths = ratings.map((rating) => Math.round(rating * 100));
  return {
    month,
    count: ratings.length,
    sum: hundredths.reduce((sum, rating) => sum + rating, 0),
    sumOfSquares: hundredths.reduce((sum, rating) => sum + rating ** 2, 0),
    distribution: distribution(ratings),
  };
};

const september = [4.5, 4, 5, 3.5, 4.5, 2, 4];
const october = [5, 4.5, 4, 4.5, 3, 5, 4.5];

const licenses: BrokerDetail['licenses'] = [
  {
    entity: { legalName: 'Alpha Markets Ltd', lei: '529900T8BM49AURSDO55' },
    regulatorCode: 'fca',
    referenceNumber: '000001',
    type: 'authorisation',
    tier: 1,
    status: 'active',
    statusEffectiveAt: '2014-03-01T00:00:00.000Z',
    activeSince: '2014-03-01',
    permissions: ['Dealing in investments as principal'],
    issuedAt: '2014-03-01T00:00:00.000Z',
    sourceUrl: 'https://register.fca.org.uk/',
    lastVerifiedAt: COMPUTED_AT,
    stale: false,
  },
];

const facts = {
  status: 'operating',
  licensesCheckedAt: COMPUTED_AT,
  warnings: [],
  licenses,
  ratingsByMonth: [ratingMonth('2026-09', september), ratingMonth('2026-10', october)],
  complaintsByMonth: [
    { month: '2025-03', closed: 2, resolved: 1, timely: 1 },
    { month: '2026-08', closed: 3, resolved: 3, timely: 3 },
  ],
  checklist: CHECKLIST_KEYS.map((key) => {
    const met = MET[key] === undefined ? true : MET[key];
    return { key, met, sourceUrl: met ? `${SITE}/legal` : null, checkedAt: met === null ? null : COMPUTED_AT };
  }),
} satisfies Partial<BrokerDetail>;

const entities: BrokerDetail['entities'] = [
  {
    legalName: 'Alpha Markets Ltd',
    lei: '529900T8BM49AURSDO55',
    country: 'GB',
    retailClients: true,
    serves: { countries: ['GB'], sourceUrl: `${SITE}/legal`, asOf: COMPUTED_AT },
    regulationScore: entityRegulation('Alpha Markets Ltd', licenses),
  },
];

const average = (ratings: readonly number[]): number =>
  Math.round((100 * ratings.reduce((sum, rating) => sum + rating, 0)) / ratings.length) / 100;

/** Returns a made-up broker with a score from the real arithmetic, so that readers can recompute it. */
export const exampleBroker = (): BrokerDetail => {
  const complaints = complaintCounts(facts.complaintsByMonth, new Date(COMPUTED_AT));
  const score = scoreBroker({ ...facts, entities, complaints }, COMPUTED_AT);
  const ratings = [...september, ...october];
  return {
    id: '6730f1d2a3b4c5d6e7f80912',
    slug: 'alpha-markets',
    name: 'Alpha Markets',
    legalName: 'Alpha Markets Ltd',
    tradingNames: ['AlphaFX'],
    website: SITE,
    domains: ['alpha-markets.example'],
    country: 'GB',
    foundedYear: 2012,
    description: 'Broker for currency pairs and indices.',
    color: score.color,
    score,
    ratingSummary: {
      average: average(ratings),
      bayesianAverage: bayesianAverage(ratingSums(facts.ratingsByMonth, new Date(COMPUTED_AT))),
      count: ratings.length,
      distribution: distribution(ratings),
    },
    complaintSummary: { open: 1, overdue: 0, closed: 5, resolvedRate: 0.8, timelyRate: 0.8, medianResponseDays: 6 },
    licenseCount: 1,
    licenseCounts: countLicenses({ ...facts, entities }),
    bestTier: 1,
    updatedAt: COMPUTED_AT,
    ...facts,
    entities,
    recentReviews: [
      {
        id: '6730f1d2a3b4c5d6e7f80a01',
        brokerSlug: 'alpha-markets',
        rating: 4.5,
        title: 'Withdrawals arrive in two days',
        content: 'I withdrew three times this year, and each time the money was there after two days.',
        language: 'en',
        author: { displayName: 'Alice', country: 'GB' },
        identityVerified: true,
        createdAt: '2026-10-30T18:04:11.000Z',
        publishedAt: '2026-10-31T08:12:45.000Z',
      },
    ],
    provenance: [{ fact: 'licenses', sourceUrl: 'https://register.fca.org.uk/', lastVerifiedAt: COMPUTED_AT }],
    registers: [
      {
        ...FCA,
        readAt: COMPUTED_AT,
        readUntil: '2026-12-07T09:30:00.000Z',
        rules: {
          ...FCA_RULES,
          lastVerifiedAt: COMPUTED_AT,
        },
      },
    ],
  };
};
