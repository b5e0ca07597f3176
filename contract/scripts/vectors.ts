import * as fc from 'fast-check';
import type { ComplaintMonth, PublishedRating, Score, ScoreFacts } from '../src/index.ts';
import {
  CHECKLIST_KEYS,
  LICENSE_STATUSES,
  LICENSE_STRENGTH,
  METHODOLOGY_VERSION,
  TIER_STRENGTH,
} from '../src/score/methodology.ts';
import { recomputeScore } from '../src/score.ts';

/**
 * A test vector: facts of a broker that does not exist, with its score. It has the fields of `GET /brokers/{slug}` from
 * which a score follows, and the score without its sentences.
 */
export interface Vector extends Omit<PublishedRating, 'score'> {
  readonly score: Omit<Score, 'components' | 'caps'> & {
    readonly components: readonly Omit<Score['components'][number], 'explanation'>[];
    readonly caps: readonly Omit<Score['caps'][number], 'reason'>[];
  };
}

type Facts = Omit<Vector, 'score'>;

/** Reads vectors, one a line. */
export const readVectors = (text: string): Vector[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): Vector => JSON.parse(line));

/** Returns the vector of these facts at a time, by a version of the methodology. */
export const toVector = (facts: Facts, computedAt: string, methodologyVersion = METHODOLOGY_VERSION): Vector => {
  const { components, caps, ...score } = recomputeScore({
    ...facts,
    score: { methodologyVersion, computedAt, components: [] },
  });
  return {
    ...facts,
    score: {
      ...score,
      components: components.map(({ explanation: _, ...component }) => component),
      caps: caps.map(({ reason: _, ...cap }) => cap),
    },
  };
};

type VectorLicense = ScoreFacts['licenses'][number];
type VectorMonth = ScoreFacts['ratingsByMonth'][number];

const AT = '2026-11-15T12:34:56.789Z';
const NAMES = ['Alpha Ltd', 'Beta GmbH', 'Gamma SA', 'alpha ltd'];

const toMonth = (year: number, month: number): string => `${year}-${String(month).padStart(2, '0')}`;

/** Sums ratings in hundredths of a star. */
const sumRatings = (month: string, ratings: readonly number[]): VectorMonth => ({
  month,
  count: ratings.length,
  sum: ratings.reduce((sum, rating) => sum + rating, 0),
  sumOfSquares: ratings.reduce((sum, rating) => sum + rating ** 2, 0),
  distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
});

const license = (changes: Partial<VectorLicense> = {}): VectorLicense => ({
  entity: { legalName: 'Alpha Ltd' },
  regulatorCode: 'fca',
  type: 'authorisation',
  tier: 1,
  status: 'active',
  activeSince: '2014-11-01',
  ...changes,
});

const complaints = (month: string, closed: number, resolved = closed, timely = closed): ComplaintMonth => ({
  month,
  closed,
  resolved,
  timely,
});

/** The broker of the worked example on the page of 2026-1. */
const EXAMPLE: Facts = {
  status: 'operating',
  licensesCheckedAt: '2026-11-01T00:00:00.000Z',
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  licenses: [license(), license({ regulatorCode: 'cysec', tier: 2 })],
  ratingsByMonth: [sumRatings('2026-11', [...Array<number>(24).fill(400), ...Array<number>(6).fill(500)])],
  complaintsByMonth: [complaints('2023-10', 9, 2, 3), complaints('2023-11', 8, 6, 7), complaints('2026-11', 12, 9, 11)],
  checklist: CHECKLIST_KEYS.map((key, index) => ({ key, met: index < 8 })),
  warnings: [],
};

const example = (changes: Partial<Facts> = {}, at = AT): Vector => toVector({ ...EXAMPLE, ...changes }, at);
const warning = { about: 'this_firm' } as const;
const unchecked = { ...warning, match: 'unchecked' } as const;

/** One vector for each rule, with what lies just before and just after its limit. */
const rules = (): Vector[] => [
  example({}, '2026-11-01T00:00:00Z'),
  // not rated
  example({ licensesCheckedAt: null }),
  ...(['operating', 'ceased', 'merged', 'suspected_clone'] as const).map((status) => example({ status })),
  // regulation
  example({ entities: [], licenses: [] }),
  example({ licenses: [] }),
  ...LICENSE_STATUSES.flatMap((status) =>
    ([1, 2, 3, 4] as const).map((tier) => example({ licenses: [license({ status, tier })] })),
  ),
  ...(['passport', 'registration'] as const).map((type) => example({ licenses: [license({ type })] })),
  example({ licenses: [license({ regulatorCode: 'cftc' }), license({ regulatorCode: 'nfa', status: 'restricted' })] }),
  example({ licenses: [license({ regulatorCode: 'nfa', tier: 3 }), license({ regulatorCode: 'cftc', tier: 3 })] }),
  example({ licenses: [license(), license({ tier: 4 }), license({ status: 'withdrawn' })] }),
  example({ licenses: [license({ entity: { legalName: 'alpha ltd' } })] }),
  ...[true, false].flatMap((retailClients) =>
    [true, false].map((other) =>
      example({
        entities: [
          { legalName: 'Alpha Ltd', retailClients },
          { legalName: 'Beta GmbH', retailClients: other },
          { legalName: 'Gamma SA', retailClients: other },
        ],
        licenses: [license(), license({ entity: { legalName: 'Gamma SA' }, tier: 4 })],
      }),
    ),
  ),
  // longevity: whole days, of the oldest start among licences that score
  ...['2026-11-14', '2026-11-15', '2026-11-16', '2006-11-15', '2006-11-16', '2024-02-29', '1899-12-31'].map(
    (activeSince) => example({ licenses: [license({ activeSince })] }),
  ),
  example({ licenses: [license({ activeSince: undefined })] }),
  example({ licenses: [license({ activeSince: '1990-01-01', status: 'expired' }), license()] }),
  example({}, '2026-11-14T23:59:59.999Z'),
  example({}, '2026-11-15T00:00:00.000Z'),
  // user rating: whole days from the first day of the month
  example({ ratingsByMonth: [] }),
  ...['2026-12', '2026-11', '2026-10', '2025-11', '2019-02'].map((month) =>
    example({ ratingsByMonth: [sumRatings(month, [100, 450, 500, 350, 275])] }),
  ),
  ...[9, 10, 49, 50, 400].map((count) =>
    example({ ratingsByMonth: [sumRatings('2026-10', Array<number>(count).fill(500))] }),
  ),
  example({ ratingsByMonth: [sumRatings('2026-11', Array<number>(5).fill(500)), sumRatings('2020-01', [100, 100])] }),
  // complaints: whole months
  example({ complaintsByMonth: [] }),
  ...['2023-09', '2023-10', '2023-11', '2026-11', '2026-12'].map((month) =>
    example({ complaintsByMonth: [complaints(month, 40, 3, 20)] }),
  ),
  example({ complaintsByMonth: [complaints('2023-11', 7, 1, 2)] }, '2026-11-30T23:59:59.999Z'),
  example({ complaintsByMonth: [complaints('2023-11', 7, 1, 2)] }, '2026-12-01T00:00:00.000Z'),
  // transparency
  ...([true, false, null] as const).map((met) =>
    example({ checklist: CHECKLIST_KEYS.map((key, index) => ({ key, met: index % 3 === 0 || met })) }),
  ),
  example({ checklist: [] }),
  // caps that lower the value
  ...([[], [1, 2, 3, 4, 5, 6], [1, 2, 3]] as const).map((regulators) =>
    example({
      licenses: regulators.map((n) =>
        license({ regulatorCode: `r${n}`, tier: regulators.length > 3 ? 3 : 1, activeSince: '1999-12-31' }),
      ),
      ratingsByMonth: [sumRatings('2026-10', Array<number>(regulators.length === 3 ? 9 : 90).fill(500))],
      complaintsByMonth: [],
      checklist: CHECKLIST_KEYS.map((key) => ({ key, met: true })),
    }),
  ),
  // warnings
  ...[
    [warning],
    [unchecked],
    [{ ...warning, match: 'confirmed' as const }],
    [warning, unchecked],
    [{ ...warning, withdrawnAt: '2026-11-02T00:00:00Z' }],
    [{ ...unchecked, withdrawnAt: '2026-11-02T00:00:00Z' }],
    [{ about: 'clone_of_it' as const }],
    [{ about: 'not_this_firm' as const, match: 'confirmed' as const }],
  ].map((warnings) => example({ warnings })),
];

const anyMonth = fc
  .tuple(fc.integer({ min: 2021, max: 2026 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => toMonth(year, month));
const ordered = <T extends { readonly month: string }>(months: readonly T[]): T[] =>
  months.toSorted((a, b) => (a.month < b.month ? -1 : 1));

const anyFacts: fc.Arbitrary<Facts> = fc.record({
  status: fc.constantFrom('operating', 'operating', 'operating', 'suspected_clone', 'ceased', 'merged'),
  licensesCheckedAt: fc.constantFrom('2026-11-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z', null),
  entities: fc.uniqueArray(fc.record({ legalName: fc.constantFrom(...NAMES), retailClients: fc.boolean() }), {
    maxLength: 4,
    selector: ({ legalName }) => legalName,
  }),
  licenses: fc.array(
    fc.record(
      {
        entity: fc.record({ legalName: fc.constantFrom(...NAMES) }),
        regulatorCode: fc.constantFrom('fca', 'cysec', 'asic', 'cftc', 'nfa', 'vfsc'),
        type: fc.constantFrom('authorisation', 'authorisation', 'authorisation', 'passport', 'registration'),
        tier: fc.constantFrom(...(Object.keys(TIER_STRENGTH).map(Number) as (1 | 2 | 3 | 4)[])),
        status: fc.constantFrom('active', 'active', ...(Object.keys(LICENSE_STRENGTH) as typeof LICENSE_STATUSES)),
        activeSince: fc
          .date({ min: new Date('1995-01-01'), max: new Date('2027-06-30'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10)),
      },
      { requiredKeys: ['entity', 'regulatorCode', 'type', 'tier', 'status'] },
    ),
    { maxLength: 6 },
  ),
  ratingsByMonth: fc
    .uniqueArray(fc.tuple(anyMonth, fc.array(fc.integer({ min: 10, max: 50 }), { minLength: 1, maxLength: 25 })), {
      maxLength: 8,
      selector: ([month]) => month,
    })
    .map((months) =>
      ordered(
        months.map(([month, tenths]) =>
          sumRatings(
            month,
            tenths.map((rating) => 10 * rating),
          ),
        ),
      ),
    ),
  complaintsByMonth: fc
    .uniqueArray(fc.tuple(anyMonth, fc.nat(30), fc.nat(30), fc.nat(30)), { maxLength: 5, selector: ([month]) => month })
    .map((months) =>
      ordered(
        months.map(([month, closed, resolved, timely]) =>
          complaints(month, closed, Math.min(closed, resolved), Math.min(closed, timely)),
        ),
      ),
    ),
  checklist: fc
    .tuple(...CHECKLIST_KEYS.map(() => fc.constantFrom(true, true, false, null)))
    .map((met) => CHECKLIST_KEYS.map((key, index) => ({ key, met: met[index] ?? null }))),
  warnings: fc.array(
    fc.record(
      {
        about: fc.constantFrom('this_firm', 'clone_of_it', 'not_this_firm'),
        match: fc.constantFrom('unchecked', 'confirmed'),
        withdrawnAt: fc.constant('2026-11-02T00:00:00Z'),
      },
      { requiredKeys: ['about'] },
    ),
    { maxLength: 2 },
  ),
});
const anyTime = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Returns the vectors of the version in force. */
export const makeVectors = (): Vector[] => [
  ...rules(),
  ...fc
    .sample(fc.tuple(anyFacts, anyTime), { seed: 20_261_126, numRuns: 120 })
    .map(([facts, at]) => toVector(facts, at)),
];
