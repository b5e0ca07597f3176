import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { BrokerDetail } from '../../brokers.ts';
import { LICENSE_TYPES } from '../../licenses.ts';
import type { Tier } from '../../primitives.ts';
import type { PublishedRating, ScoredLicense, ScoreFacts } from '../facts.ts';
import { type ComplaintMonth, type RatingMonth, Score } from '../schema.ts';
import { recomputeScore } from '../score.ts';
import { entityRegulation, licenseStrength, nano, ratingSums } from './components.ts';
import {
  CAP_CODES,
  CAPS,
  type CapCode,
  CHECKLIST_KEYS,
  COLOR_FROM,
  COLORS,
  COMPLAINT_PRIOR,
  COMPONENT_KEYS,
  CONFIDENCE_FROM,
  type ComponentKey,
  LICENSE_STATUSES,
  LICENSE_STRENGTH,
  LONGEVITY_FULL_YEARS,
  METHODOLOGY_VERSION,
  RATING_PRIOR,
  REGIMES,
  TIER_STRENGTH,
  WEIGHTS,
} from './methodology.ts';
import { scoreBroker, toScoreColor } from './score.ts';

const AT = '2026-11-01T00:00:00.000Z';
/** 4 383 days before AT: exactly 12 years of 365.25 days. */
const TWELVE_YEARS_AGO = '2014-11-01';
const TIERS: readonly Tier[] = [1, 2, 3, 4];

const license = (changes: Partial<ScoredLicense> = {}): ScoredLicense => ({
  entity: { legalName: 'Alpha Ltd' },
  regulatorCode: 'fca',
  type: 'authorisation',
  tier: 1,
  status: 'active',
  activeSince: TWELVE_YEARS_AGO,
  ...changes,
});

/** Returns a month of reviews with ratings in hundredths of a star. */
const month = (name: string, hundredths: readonly number[]): RatingMonth => ({
  month: name,
  count: hundredths.length,
  sum: hundredths.reduce((sum, rating) => sum + rating, 0),
  sumOfSquares: hundredths.reduce((sum, rating) => sum + rating * rating, 0),
  distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
});
const times = (count: number, rating: number): number[] => Array(count).fill(rating);
const met = (count: number) => CHECKLIST_KEYS.map((key, index) => ({ key, met: index < count }));
const warning = { about: 'this_firm' as const };
const unchecked = { ...warning, match: 'unchecked' as const };
/** Months of an answer whose complaints count as these. */
const createMonths = (complaints: ScoreFacts['complaints']): ComplaintMonth[] => [{ month: '2026-11', ...complaints }];
const clean = { closed: 0, resolved: 0, timely: 0 };

/**
 * The broker of the worked example. It has 24 reviews of 4 stars and 6 of 5 in the month that begins at AT, so that
 * their weight is 1 and their mean 4.2.
 */
const facts = (changes: Partial<ScoreFacts> = {}): ScoreFacts => ({
  status: 'operating',
  licensesCheckedAt: AT,
  entities: [{ legalName: 'Alpha Ltd', retailClients: true }],
  licenses: [license(), license({ regulatorCode: 'cysec', tier: 2 })],
  ratingsByMonth: [month('2026-11', [...times(24, 400), ...times(6, 500)])],
  complaints: { closed: 20, resolved: 15, timely: 18 },
  checklist: met(8),
  warnings: [],
  ...changes,
});

/** A broker with the best possible facts, so that any cap in force lowers its value. */
const best = (changes: Partial<ScoreFacts> = {}): ScoreFacts =>
  facts({
    licenses: TIERS.flatMap((tier) => times(9, 0).map((_, n) => license({ tier: 1, regulatorCode: `r${tier}${n}` }))),
    ratingsByMonth: [month('2026-11', times(500, 500))],
    complaints: clean,
    checklist: met(10),
    ...changes,
  });

const score = (changes: Partial<ScoreFacts> = {}, at = AT) => scoreBroker(facts(changes), at);
const component = (result: Score, key: ComponentKey) => {
  const found = result.components.find((candidate) => candidate.key === key);
  if (found === undefined) throw new Error(`no component ${key}`);
  return found;
};
const capCodes = (result: Score): string[] => result.caps.map((cap) => cap.code);

test('gives the score of the methodology’s worked example', () => {
  const result = score();
  expect(result.components.map(({ key, score: points }) => [key, Math.round(points * 100) / 100])).toEqual([
    ['regulation', 87.5],
    ['userRating', 72.5],
    ['complaints', 82.92],
    ['transparency', 80],
    ['longevity', 84.25],
  ]);
  expect(result.components.map((part) => part.score)).toEqual([87.5, 72.5, 82.916666667, 80, 84.248003092]);
  expect(result.components.map((part) => part.contribution)).toEqual([35, 18.125, 12.4375, 8, 8.424800309]);
  expect(component(result, 'userRating').inputs).toEqual({ reviews: 30, weight: 30, weightedStars: 126, stars: 3.9 });
  expect(component(result, 'longevity').inputs).toEqual({ years: 12 });
  expect(result).toMatchObject({
    value: 82,
    rawValue: 81.987300309,
    color: 'green',
    methodologyVersion: '2026-1',
    computedAt: AT,
    confidence: { level: 'medium', effectiveReviews: 30, low: 81, high: 83 },
    caps: [],
  });
  expect(Score.parse(result)).toEqual(result);
});

test('a number of the methodology changes only together with its version', () => {
  expect({
    METHODOLOGY_VERSION,
    WEIGHTS,
    TIER_STRENGTH,
    LICENSE_STRENGTH,
    REGIMES,
    RATING_PRIOR,
    COMPLAINT_PRIOR,
    checklist: CHECKLIST_KEYS.length,
    LONGEVITY_FULL_YEARS,
    caps: CAP_CODES.map((code) => [code, CAPS[code].limit]),
    CONFIDENCE_FROM,
    COLOR_FROM,
  }).toEqual({
    METHODOLOGY_VERSION: '2026-1',
    WEIGHTS: { regulation: 0.4, userRating: 0.25, complaints: 0.15, transparency: 0.1, longevity: 0.1 },
    TIER_STRENGTH: { 1: 0.75, 2: 0.5, 3: 0.25, 4: 0.1 },
    LICENSE_STRENGTH: {
      pending: 0,
      active: 1,
      restricted: 0.5,
      suspended: 0,
      withdrawn: 0,
      revoked: 0,
      expired: 0,
      unverified: 0,
    },
    REGIMES: { nfa: 'cftc' },
    RATING_PRIOR: { mean: 3, count: 10, halfLifeDays: 365 },
    COMPLAINT_PRIOR: { count: 4, resolvedShare: 0.7, timelyShare: 0.3, windowMonths: 36 },
    checklist: 10,
    LONGEVITY_FULL_YEARS: 20,
    caps: [
      ['noScoringLicense', 39],
      ['onlyLowTiers', 69],
      ['fewReviews', 69],
      ['officialWarning', 19],
      ['uncheckedWarning', 19],
    ],
    CONFIDENCE_FROM: { medium: 10, high: 50 },
    COLOR_FROM: { green: 70, yellow: 40 },
  });
  expect(Object.values(WEIGHTS).reduce((sum, weight) => sum + weight * 100, 0)).toBe(100);
});

describe('every licence', () => {
  /** Points of one active authorisation, by tier. */
  const activePoints: Record<Tier, number> = { 1: 75, 2: 50, 3: 25, 4: 10 };
  const restrictedPoints: Record<Tier, number> = { 1: 37.5, 2: 25, 3: 12.5, 4: 5 };
  const computePoints = (type: string, status: string, tier: Tier): number => {
    if (type !== 'authorisation') return 0;
    if (status === 'active') return activePoints[tier];
    return status === 'restricted' ? restrictedPoints[tier] : 0;
  };
  const cases = LICENSE_TYPES.flatMap((type) =>
    LICENSE_STATUSES.flatMap((status) => TIERS.map((tier) => ({ type, status, tier }))),
  ).map((kind) => ({ ...kind, points: computePoints(kind.type, kind.status, kind.tier) }));

  test.each(cases)('$type, $status, tier $tier: $points points', ({ points, ...kind }) => {
    const result = score({ licenses: [license(kind)] });
    expect(entityRegulation('Alpha Ltd', [license(kind)])).toBe(points);
    expect(component(result, 'regulation').score).toBe(points);
    expect(component(result, 'longevity').score > 0).toBe(points > 0);
    expect(capCodes(result).includes('noScoringLicense')).toBe(points === 0);
    expect(capCodes(result).includes('onlyLowTiers')).toBe(points > 0 && kind.tier >= 3);
  });
});

describe('regulation', () => {
  const at = (legalName: string, tier: Tier, changes: Partial<ScoredLicense> = {}) =>
    license({ entity: { legalName }, tier, regulatorCode: `${legalName}-${tier}`, ...changes });
  const retail = (legalName: string) => ({ legalName, retailClients: true });
  const professional = (legalName: string) => ({ legalName, retailClients: false });

  test.each([
    ['one entity', [retail('A')], [at('A', 1)], 75],
    ['two regulators', [retail('A')], [at('A', 1), at('A', 2)], 87.5],
    ['restricted halves', [retail('A')], [at('A', 1, { status: 'restricted' }), at('A', 2)], 68.75],
    ['one regulator counts once', [retail('A')], [at('A', 1), at('A', 1)], 75],
    ['its best licence counts', [retail('A')], [at('A', 1, { status: 'restricted' }), at('A', 1)], 75],
    ['ended ones add nothing', [retail('A')], [at('A', 1), at('A', 2, { status: 'revoked' })], 75],
    ['mean of strongest and weakest', [retail('A'), retail('B')], [at('A', 1), at('B', 3)], 50],
    ['the middle one does not count', [retail('A'), retail('B'), retail('C')], [at('A', 1), at('B', 2)], 37.5],
    ['an unlicensed retail entity inherits nothing', [retail('A'), retail('B')], [at('A', 1)], 37.5],
    ['entities without retail clients do not count', [retail('A'), professional('B')], [at('A', 1)], 75],
    ['nor do their licences', [retail('A'), professional('B')], [at('A', 3), at('B', 1)], 25],
    ['unless no entity takes retail clients', [professional('A'), professional('B')], [at('A', 1)], 37.5],
    ['no licence', [retail('A')], [], 0],
    ['no entity', [], [], 0],
    ['a licence of an unlisted entity', [retail('A')], [at('X', 1)], 0],
    ['names match exactly', [retail('A')], [at('a', 1)], 0],
  ])('%s', (_, entities, licenses, expected) => {
    expect(component(score({ entities, licenses }), 'regulation').score).toBe(expected);
  });

  test('ignores a licence of an unlisted entity', () => {
    const stranger = license({ entity: { legalName: 'Other Ltd' }, tier: 1, activeSince: '1990-01-01' });
    const own = [license({ tier: 3 })];
    expect(score({ licenses: [...own, stranger] })).toEqual(score({ licenses: own }));
    expect(score({ licenses: [stranger] })).toEqual(score({ licenses: [] }));
    expect(score({ entities: [], licenses: [license()] }).color).toBe('red');
  });
});

describe('two regulators of one regime', () => {
  const at = (regulatorCode: string, tier: Tier) => license({ regulatorCode, tier });

  test.each([
    ['count once, for an entity that is licensed at both', [at('cftc', 2), at('nfa', 2)], 50],
    ['count as the better one', [at('cftc', 3), at('nfa', 2)], 50],
    ['count as one of them alone', [at('nfa', 2)], 50],
    ['count beside another regime', [at('cftc', 2), at('nfa', 2), at('fca', 1)], 87.5],
    ['are two where they are of two regimes', [at('asic', 2), at('nfa', 2)], 75],
  ])('%s', (_, licenses, expected) => {
    expect(component(score({ licenses }), 'regulation').score).toBe(expected);
    expect(entityRegulation('Alpha Ltd', licenses)).toBe(expected);
  });
});

describe('user rating', () => {
  test('halves a review’s weight every 365 days, counted in whole days from the first day of its month', () => {
    const weight = (name: string, at: string) => ratingSums([month(name, [400])], new Date(at)).weight;
    expect(weight('2026-11', AT)).toBe(1);
    expect(weight('2025-11', AT)).toBe(0.5);
    expect(weight('2025-11', '2026-11-01T23:59:59.999Z')).toBe(0.5);
    expect(weight('2026-11', '2026-11-30T12:00:00Z')).toBe(2 ** (-29 / 365));
  });

  test('gives a month in the future full weight', () => {
    expect(ratingSums([month('2027-05', [400])], new Date(AT)).weight).toBe(1);
  });

  test('the user rating is the prior without reviews, and the cap for few reviews applies', () => {
    for (const ratingsByMonth of [[], [month('2026-11', [])]]) {
      const result = score({ ratingsByMonth });
      expect(component(result, 'userRating')).toMatchObject({ score: 50, inputs: { reviews: 0, weight: 0, stars: 3 } });
      expect(capCodes(result)).toEqual(['fewReviews']);
      expect(result.confidence).toMatchObject({ level: 'low', effectiveReviews: 0 });
    }
  });

  test.each([
    ['1 star', times(10, 100), 25],
    ['3 stars', times(10, 300), 50],
    ['5 stars', times(10, 500), 75],
    ['one review of 5 stars', [500], (100 * (35 / 11 - 1)) / 4],
  ])('%s is shrunk toward 3', (_, ratings, expected) => {
    expect(component(score({ ratingsByMonth: [month('2026-11', ratings)] }), 'userRating').score).toBe(nano(expected));
  });
});

describe('complaints', () => {
  test.each([
    [0, 0, 0, 100],
    [20, 15, 18, 82.916666667],
    [4, 0, 0, 50],
    [4, 4, 0, 85],
    [4, 0, 4, 65],
    [4, 4, 4, 100],
    [396, 0, 0, 1],
  ])('%i closed, %i resolved, %i timely: %d', (closed, resolved, timely, expected) => {
    const part = component(score({ complaints: { closed, resolved, timely } }), 'complaints');
    expect(part.score).toBe(expected);
    expect(part.inputs).toEqual({ closed, resolved, timely });
  });
});

describe('transparency', () => {
  test.each([...CHECKLIST_KEYS.keys(), CHECKLIST_KEYS.length])('scores %i of 10 disclosures', (count) => {
    expect(component(score({ checklist: met(count) }), 'transparency').score).toBe(count * 10);
  });

  test.each(CHECKLIST_KEYS)('%s counts once when met, and not when unmet, unknown or missing', (key) => {
    const points = (checklist: ScoreFacts['checklist']) => component(score({ checklist }), 'transparency').score;
    expect(points([{ key, met: true }])).toBe(10);
    expect(points([{ key, met: false }])).toBe(0);
    expect(points([{ key, met: null }])).toBe(0);
    expect(points([])).toBe(0);
    expect(points(Array(2).fill({ key, met: true }))).toBe(10);
  });
});

describe('longevity', () => {
  const older = '2000-01-01';
  test.each([
    ['today', [license({ activeSince: '2026-11-01' })], 0, 0],
    ['12 years', [license()], 12, 84.248003092],
    ['20 years', [license({ activeSince: '2006-11-01' })], 20, 100],
    ['30 years', [license({ activeSince: '1996-11-01' })], 29.99863107460643, 100],
    ['a start in the future', [license({ activeSince: '2027-01-01' })], 0, 0],
    ['an unknown start', [license({ activeSince: undefined })], 0, 0],
    ['no licence', [], 0, 0],
    ['the oldest counts', [license({ activeSince: '2020-01-01' }), license()], 12, 84.248003092],
    ['not a revoked one', [license({ status: 'revoked', activeSince: older }), license()], 12, 84.248003092],
    ['not a passport', [license({ type: 'passport', activeSince: older }), license()], 12, 84.248003092],
  ])('%s', (_, licenses, years, points) => {
    const part = component(score({ licenses }), 'longevity');
    expect(part.inputs).toEqual({ years: nano(years) });
    expect(part.score).toBe(points);
  });
});

describe('caps', () => {
  const few = [month('2026-11', times(9, 500))];
  const strongLowTiers = times(12, 0).map((_, n) => license({ tier: n % 2 === 0 ? 3 : 4, regulatorCode: `r${n}` }));
  const cases: Record<CapCode, { on: Partial<ScoreFacts>; value: number; color: string }> = {
    noScoringLicense: { on: { licenses: [] }, value: 39, color: 'red' },
    onlyLowTiers: { on: { licenses: strongLowTiers }, value: 69, color: 'yellow' },
    fewReviews: { on: { ratingsByMonth: few }, value: 69, color: 'yellow' },
    officialWarning: { on: { warnings: [warning] }, value: 19, color: 'red' },
    uncheckedWarning: { on: { warnings: [unchecked] }, value: 19, color: 'red' },
  };

  test('the table has every cap', () => expect(Object.keys(cases).sort()).toEqual([...CAP_CODES].sort()));

  test('no cap applies to a broker without a reason for one', () => {
    expect(scoreBroker(best(), AT)).toMatchObject({ caps: [], color: 'green' });
  });

  test.each(CAP_CODES.map((code) => ({ code, ...cases[code] })))('$code lowers the value to $value, $color', (row) => {
    const result = scoreBroker(best(row.on), AT);
    expect(result.caps).toEqual([{ code: row.code, ...CAPS[row.code] }]);
    expect(result.rawValue).toBeGreaterThan(row.value);
    expect(result).toMatchObject({ value: row.value, color: row.color });
    expect(result.confidence.high).toBe(row.value);
  });

  test('a cap above the value is shown, and does not change the value', () => {
    const weak = score({ licenses: [], complaints: { closed: 500, resolved: 0, timely: 0 }, checklist: met(0) });
    expect(weak.caps.map((cap) => cap.limit)).toEqual([39]);
    expect(weak.value).toBeLessThan(39);
    expect(weak.value).toBe(Math.round(weak.rawValue * 10) / 10);
  });

  test('the lowest cap applies', () => {
    const result = scoreBroker(best({ licenses: [], ratingsByMonth: few, warnings: [warning] }), AT);
    expect(capCodes(result)).toEqual(['noScoringLicense', 'fewReviews', 'officialWarning']);
    expect(result.value).toBe(19);
  });

  test.each([
    [[warning], true],
    [[{ ...warning, withdrawnAt: AT }], false],
    [[{ ...warning, withdrawnAt: undefined }], true],
    [[{ about: 'clone_of_it' as const }], false],
    [[{ about: 'clone_of_it' as const, withdrawnAt: AT }], false],
    [[{ about: 'clone_of_it' as const }, { ...warning, withdrawnAt: AT }], false],
    [[{ ...warning, withdrawnAt: AT }, warning], true],
    [[], false],
  ])('warnings %j: the cap applies is %s', (warnings, inForce) => {
    expect(capCodes(score({ warnings }))).toEqual(inForce ? ['officialWarning'] : []);
  });

  test('one scoring licence of tier 1 or 2 lifts the cap of low tiers', () => {
    const low = license({ tier: 4, regulatorCode: 'low' });
    for (const [changes, capped] of [
      [{ tier: 1 }, false],
      [{ tier: 2 }, false],
      [{ tier: 2, status: 'restricted' }, false],
      [{ tier: 1, status: 'suspended' }, true],
      [{ tier: 1, type: 'passport' }, true],
      [{ tier: 3 }, true],
    ] as [Partial<ScoredLicense>, boolean][])
      expect(capCodes(score({ licenses: [low, license(changes)] }))).toEqual(capped ? ['onlyLowTiers'] : []);
  });
});

describe('color', () => {
  test.each([
    [null, 'gray'],
    [0, 'red'],
    [19, 'red'],
    [39, 'red'],
    [39.9, 'red'],
    [40, 'yellow'],
    [69, 'yellow'],
    [69.9, 'yellow'],
    [70, 'green'],
    [100, 'green'],
  ])('%s is %s', (value, color) => expect(toScoreColor(value)).toBe(color));

  test('every color occurs', () => {
    expect(new Set([null, 0, 50, 90].map(toScoreColor))).toEqual(new Set(COLORS));
  });

  /** Regulation, plus 15.95 or 15.946875 points for ten reviews, 15 for no complaints and one for each disclosure. */
  const boundary = (tiers: readonly Tier[], disclosures: number, lastRating: number) =>
    score({
      licenses: tiers.map((tier) => license({ tier, regulatorCode: `t${tier}`, activeSince: undefined })),
      ratingsByMonth: [month('2026-11', [...times(9, 410), lastRating])],
      complaints: clean,
      checklist: met(disclosures),
    });
  test.each([
    [[1, 2], 4, 414, 69.95, 70, 'green'],
    [[1, 2], 4, 413, 69.946875, 69.9, 'yellow'],
    [[4], 5, 414, 39.95, 40, 'yellow'],
    [[4], 5, 413, 39.946875, 39.9, 'red'],
  ] as [Tier[], number, number, number, number, string][])(
    'follows the rounded value: tiers %j, %i disclosures, last rating %i',
    (tiers, disclosures, last, rawValue, value, color) => {
      expect(boundary(tiers, disclosures, last)).toMatchObject({ rawValue, value, color });
    },
  );
});

describe('a broker without a rating is gray', () => {
  const cases: Record<ScoreFacts['status'], boolean> = {
    operating: true,
    suspected_clone: true,
    ceased: false,
    merged: false,
  };
  test.each(Object.entries(cases) as [ScoreFacts['status'], boolean][])('%s: rated is %s', (status, rated) => {
    for (const licensesCheckedAt of [AT, null]) {
      const result = score({ status, licensesCheckedAt });
      const shown = rated && licensesCheckedAt !== null;
      expect(result.color === 'gray').toBe(!shown);
      expect(result.value === null).toBe(!shown);
      expect(result.confidence.low === null && result.confidence.high === null).toBe(!shown);
      expect(result.rawValue).toBe(81.987300309);
    }
  });
});

describe('confidence', () => {
  test.each([
    [0, 'low'],
    [1, 'low'],
    [9, 'low'],
    [10, 'medium'],
    [49, 'medium'],
    [50, 'high'],
    [5000, 'high'],
  ])('%i reviews of one month give %s, whatever their age', (count, level) => {
    for (const name of ['2026-11', '2026-10', '2019-02']) {
      const result = score({ ratingsByMonth: [month(name, times(count, 400))] });
      expect(result.confidence).toMatchObject({ level, effectiveReviews: count });
      expect(capCodes(result).includes('fewReviews')).toBe(level === 'low');
    }
  });

  test('counts old reviews less: (Σw)²/Σw²', () => {
    const result = score({ ratingsByMonth: [month('2026-11', times(8, 400)), month('2025-11', times(8, 400))] });
    expect(result.confidence.effectiveReviews).toBe(14.4); // 12² / (8 + 2)
  });

  test('low and high are the values at B ± 1.96·√(v/(n + C)), computed from single reviews', () => {
    const months = { '2026-11': [...times(12, 500), ...times(8, 250)], '2025-11': times(10, 125) };
    const reviews = Object.values(months).flatMap((ratings, n) =>
      ratings.map((r) => ({ w: n === 0 ? 1 : 0.5, r: r / 100 })),
    );
    const total = (of: (review: { w: number; r: number }) => number) => reviews.reduce((sum, one) => sum + of(one), 0);
    const W = total(({ w }) => w);
    const B = (30 + total(({ w, r }) => w * r)) / (10 + W);
    const n = W ** 2 / total(({ w }) => w * w);
    const v = (total(({ w, r }) => w * (r - B) ** 2) + 1) / (W + 1);
    const margin = 1.96 * Math.sqrt(v / (n + 10));

    const result = score({ ratingsByMonth: Object.entries(months).map(([name, ratings]) => month(name, ratings)) });
    const others = result.rawValue - component(result, 'userRating').contribution;
    expect(result.confidence).toEqual({
      level: 'medium',
      effectiveReviews: nano(n),
      low: Math.round((others + 6.25 * (B - margin - 1)) * 10) / 10,
      high: Math.round((others + 6.25 * (B + margin - 1)) * 10) / 10,
    });
  });
});

/** Returns a generator of reproducible numbers from 0 to below 1 (mulberry32), so that a failure can be repeated. */
const random = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const randomFacts = (seed: number): ScoreFacts => {
  const next = random(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const many = <T>(limit: number, make: (index: number) => T): T[] =>
    Array.from({ length: below(limit + 1) }, (_, n) => make(n));
  const day = () => new Date(Date.UTC(1995 + below(33), below(12), 1 + below(28))).toISOString().slice(0, 10);
  const closed = below(60);
  return {
    status: pick(['operating', 'operating', 'operating', 'suspected_clone', 'ceased', 'merged']),
    licensesCheckedAt: pick([AT, AT, AT, null]),
    entities: many(4, (n) => ({ legalName: `E${n}`, retailClients: next() < 0.7 })),
    licenses: many(8, () => ({
      entity: { legalName: `E${below(5)}` },
      regulatorCode: `r${below(6)}`,
      type: pick(['authorisation', 'authorisation', 'passport', 'registration'] as const),
      tier: pick(TIERS),
      status: pick(['active', 'active', ...LICENSE_STATUSES] as const),
      activeSince: pick([day(), day(), undefined]),
    })),
    ratingsByMonth: many(30, (n) => {
      const name = `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`;
      return month(
        name,
        many(40, () => 100 + below(401)),
      );
    }),
    complaints: { closed, resolved: below(closed + 1), timely: below(closed + 1) },
    checklist: CHECKLIST_KEYS.map((key) => ({ key, met: pick([true, false, null]) })),
    warnings: many(1, () => ({
      about: pick(['this_firm', 'clone_of_it'] as const),
      withdrawnAt: pick([AT, undefined]),
      match: pick(['unchecked', 'confirmed', undefined] as const),
    })),
  };
};

const shuffled = <T>(items: readonly T[], next: () => number): T[] =>
  items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('on 2 000 random brokers', () => {
  const all = Array.from({ length: 2000 }, (_, seed) => ({ seed, broker: randomFacts(seed) }));
  const each = (check: (broker: ScoreFacts, result: Score, seed: number) => void) => () => {
    for (const { seed, broker } of all) check(broker, scoreBroker(broker, AT), seed);
  };

  test('every color and cap occurs', () => {
    const results = all.map(({ broker }) => scoreBroker(broker, AT));
    expect(new Set(results.map((result) => result.color))).toEqual(new Set(COLORS));
    expect(new Set(results.flatMap(capCodes))).toEqual(new Set(CAP_CODES));
  });

  test(
    'low ≤ value ≤ high, all from 0 to 100 with one decimal',
    each((_, { value, confidence: { low, high } }, seed) => {
      if (value === null || low === null || high === null)
        return expect([value, low, high]).toEqual([null, null, null]);
      for (const number of [low, value, high]) expect(Number(number.toFixed(1)), `seed ${seed}`).toBe(number);
      expect([0, low, value, high, 100], `seed ${seed}`).toEqual([0, low, value, high, 100].sort((a, b) => a - b));
    }),
  );

  test(
    'components are from 0 to 100, and rawValue is their exact decimal sum',
    each((_, result, seed) => {
      expect(result.components.map((part) => part.key)).toEqual(COMPONENT_KEYS);
      let billionths = 0n;
      for (const part of result.components) {
        expect(part.score, `seed ${seed}`).toBeGreaterThanOrEqual(0);
        expect(part.score, `seed ${seed}`).toBeLessThanOrEqual(100);
        expect(part.contribution).toBe(nano(part.weight * part.score));
        billionths += BigInt(part.contribution.toFixed(9).replace('.', ''));
      }
      expect(BigInt(result.rawValue.toFixed(9).replace('.', '')), `seed ${seed}`).toBe(billionths);
      expect(Number(result.rawValue.toFixed(9)), `seed ${seed}`).toBe(result.rawValue);
    }),
  );

  test(
    'the order of months, licences, entities and checklist changes no byte of the score',
    each((broker, result, seed) => {
      const next = random(seed + 1e6);
      const other = {
        ...broker,
        ratingsByMonth: shuffled(broker.ratingsByMonth, next),
        licenses: shuffled(broker.licenses, next),
        entities: shuffled(broker.entities, next),
        checklist: shuffled(broker.checklist, next),
      };
      expect(JSON.stringify(scoreBroker(other, AT)), `seed ${seed}`).toBe(JSON.stringify(result));
    }),
  );

  test(
    'a published answer recomputes to its own score',
    each(({ complaints, ...published }, result, seed) => {
      const complaintsByMonth = createMonths(complaints);
      const answer = JSON.parse(JSON.stringify({ ...published, complaintsByMonth, score: result })) as PublishedRating;
      const again = recomputeScore(answer);
      expect(again, `seed ${seed}`).toEqual(result);
      expect(JSON.stringify(again), `seed ${seed}`).toBe(JSON.stringify(result));
    }),
  );
});

describe('recomputeScore', () => {
  const published = (at = AT): PublishedRating => ({
    ...facts(),
    complaintsByMonth: createMonths(facts().complaints).map((one) => ({ ...one, month: at.slice(0, 7) })),
    score: score({}, at),
  });

  test('takes the detail answer of the API', () => expectTypeOf<BrokerDetail>().toExtend<PublishedRating>());

  test('reveals a manipulated number', () => {
    const broker = published();
    expect(recomputeScore({ ...broker, checklist: met(9) })).not.toEqual(broker.score);
    const forged = { ...score(), value: 99 };
    expect(recomputeScore({ ...broker, score: forged }).value).toBe(82);
  });

  test('ignores additions of newer API versions that the score does not need', () => {
    const broker = published();
    const newer: PublishedRating = {
      ...broker,
      status: 'acquired',
      licenses: [...broker.licenses, license({ type: 'exemption', tier: 5, status: 'sandbox' })],
      checklist: [...broker.checklist, { key: 'audit', met: true }],
      warnings: [...broker.warnings, { about: 'its_owner' }],
    };
    expect(recomputeScore(newer)).toEqual(broker.score);
  });

  test('uses the published time, not the current one', () => {
    const at = '2024-03-05T06:07:08.009Z';
    const old = published(at);
    expect(recomputeScore(old)).toEqual(old.score);
    expect(old.score.computedAt).toBe(at);
  });
});

describe('a broken document throws instead of giving NaN', () => {
  const reviews = (changes: Partial<RatingMonth>) => ({ ratingsByMonth: [{ ...month('2026-11', [400]), ...changes }] });
  const complaints = (changes: Partial<ScoreFacts['complaints']>) => ({
    complaints: { closed: 2, resolved: 1, timely: 1, ...changes },
  });
  const notCounts = [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    0.5,
    2 ** 53,
    '1',
    null,
    undefined,
  ];
  const cases: [string, object][] = [
    ...notCounts.flatMap((bad) => [
      ...['count', 'sum', 'sumOfSquares'].map((key): [string, object] => [`${key} ${bad}`, reviews({ [key]: bad })]),
      ...['closed', 'resolved', 'timely'].map((key): [string, object] => [`${key} ${bad}`, complaints({ [key]: bad })]),
    ]),
    ['more resolved than closed', complaints({ resolved: 3 })],
    ['more timely than closed', complaints({ timely: 3 })],
    ['a sum above 5 stars', reviews({ sum: 501 })],
    ['a sum below 1 star', reviews({ sum: 99 })],
    ['squares above 5 stars', reviews({ sumOfSquares: 250_001 })],
    ['a sum without reviews', reviews({ count: 0 })],
    ['month 13', reviews({ month: '2026-13' })],
    ['no month', reviews({ month: '' })],
    ['an unknown start', { licenses: [license({ activeSince: 'long ago' })] }],
    ['an unknown tier', { licenses: [license({ tier: 5 })] }],
    ['an unknown status', { licenses: [license({ status: 'sandbox' })] }],
    ['a status from the prototype', { licenses: [license({ status: 'constructor' })] }],
  ];
  test.each(cases)('%s', (_, changes) => expect(() => score(changes)).toThrow(RangeError));

  test.each(['', 'now', '2026-13-01T00:00:00Z', '2026-11-01T00:00:00', '2026-11-01', 'NaNZ'])(
    'computedAt "%s"',
    (at) => {
      expect(() => score({}, at)).toThrow(RangeError);
    },
  );

  test('ratingSums throws for an invalid date, and licenseStrength for an unknown licence', () => {
    expect(() => ratingSums([month('2026-11', [400])], new Date('?'))).toThrow(RangeError);
    expect(() => licenseStrength(license({ status: 'sandbox' }))).toThrow(RangeError);
    expect(licenseStrength(license({ type: 'passport', status: 'sandbox' }))).toBe(0);
  });

  test('counts -0 as 0', () => {
    const result = score({
      complaints: { closed: -0, resolved: -0, timely: -0 },
      ...reviews({ count: -0, sum: -0, sumOfSquares: -0 }),
    });
    expect(component(result, 'complaints').inputs).toEqual(clean);
    expect(component(result, 'userRating').inputs).toMatchObject({ reviews: 0, weight: 0, weightedStars: 0 });
  });
});

describe('docs/methodology/2026-1.md', () => {
  const doc = readFileSync(new URL('../../../../docs/methodology/2026-1.md', import.meta.url), 'utf8');

  test('the page has a worked example that prints what it says', () => {
    const [, script, printed] = /<<'EOF'\n(.*?)\nEOF\n```.*?```text\n(.*?)```/s.exec(doc) ?? [];
    const root = new URL('../../../..', import.meta.url);
    expect(
      execFileSync(process.execPath, ['--input-type=module'], { cwd: root, input: script, encoding: 'utf8' }),
    ).toBe(printed);
  });

  test.each([
    'regulation',
    'user-rating',
    'complaints',
    'transparency',
    'longevity',
    'caps',
    'confidence',
    'regulator-tiers',
  ])('the page has the anchor #%s', (anchor) => {
    const anchors = [...doc.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title?.toLowerCase().replaceAll(' ', '-'));
    expect(anchors.filter((found) => found === anchor)).toEqual([anchor]);
  });
});

describe('for any facts', () => {
  const anyLicense = fc.record({
    entity: fc.record({ legalName: fc.constantFrom('Alpha Ltd', 'Alpha Offshore Ltd', 'Someone Else Ltd') }),
    regulatorCode: fc.constantFrom('fca', 'cysec', 'cftc', 'nfa'),
    type: fc.constantFrom(...LICENSE_TYPES),
    tier: fc.constantFrom(...TIERS),
    status: fc.constantFrom(...LICENSE_STATUSES),
    activeSince: fc.constantFrom('1999-01-01', TWELVE_YEARS_AGO, '2026-10-31'),
  });
  const anyMonth = fc
    .tuple(fc.constantFrom('2020-02', '2025-11', '2026-10', '2026-11'), fc.array(fc.integer({ min: 100, max: 500 })))
    .map(([name, ratings]) => month(name, ratings));
  const anyComplaints = fc.tuple(fc.nat(500), fc.nat(500), fc.nat(500)).map(([closed, resolved, timely]) => ({
    closed,
    resolved: Math.min(closed, resolved),
    timely: Math.min(closed, timely),
  }));
  const anyFacts: fc.Arbitrary<ScoreFacts> = fc.record({
    status: fc.constantFrom('operating', 'ceased', 'merged', 'suspected_clone'),
    licensesCheckedAt: fc.constantFrom(null, AT),
    entities: fc.uniqueArray(
      fc.record({ legalName: fc.constantFrom('Alpha Ltd', 'Alpha Offshore Ltd'), retailClients: fc.boolean() }),
      { selector: ({ legalName }) => legalName },
    ),
    licenses: fc.array(anyLicense),
    ratingsByMonth: fc.uniqueArray(anyMonth, { selector: ({ month: name }) => name }),
    complaints: anyComplaints,
    checklist: fc.tuple(
      ...CHECKLIST_KEYS.map((key) => fc.record({ key: fc.constant(key), met: fc.constantFrom(true, false, null) })),
    ),
    warnings: fc.array(
      fc.record({
        about: fc.constantFrom('this_firm', 'clone_of_it'),
        match: fc.constantFrom('unchecked', 'confirmed', undefined),
        withdrawnAt: fc.constantFrom(undefined, AT),
      }),
      { maxLength: 2 },
    ),
  });
  const RUN = { seed: 20_261_121, numRuns: 300 } as const;

  test('the score fits the contract, keeps to its caps and bounds, and can be recomputed', () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const result = scoreBroker(given, AT);
        expect(Score.parse(result)).toEqual(result);
        for (const { score: points, contribution, weight } of result.components) {
          expect(points >= 0 && points <= 100).toBe(true);
          expect(Math.abs(contribution - weight * points)).toBeLessThan(1e-8);
        }
        const limit = Math.min(100, ...result.caps.map((cap) => cap.limit));
        if (result.value !== null) {
          expect(result.value).toBeLessThanOrEqual(limit);
          expect(result.confidence.low as number).toBeLessThanOrEqual(result.value);
          expect(result.confidence.high as number).toBeGreaterThanOrEqual(result.value);
        }
        expect(result.color).toBe(toScoreColor(result.value));
        expect(recomputeScore({ ...given, complaintsByMonth: createMonths(given.complaints), score: result })).toEqual(
          result,
        );
      }),
      RUN,
    );
  });

  test('the order of the facts does not matter', () => {
    const reversed = (given: ScoreFacts): ScoreFacts => ({
      ...given,
      licenses: [...given.licenses].reverse(),
      ratingsByMonth: [...given.ratingsByMonth].reverse(),
      entities: [...given.entities].reverse(),
      checklist: [...given.checklist].reverse(),
    });
    fc.assert(
      fc.property(anyFacts, (given) => {
        expect(scoreBroker(reversed(given), AT).value).toBe(scoreBroker(given, AT).value);
      }),
      RUN,
    );
  });

  test('a better review, a resolved complaint or a met disclosure never lowers the score', () => {
    const at = (given: ScoreFacts) => scoreBroker(given, AT).rawValue;
    fc.assert(
      fc.property(anyFacts, (given) => {
        const before = at(given);
        expect(
          at({ ...given, checklist: given.checklist.map((item) => ({ ...item, met: true })) }),
        ).toBeGreaterThanOrEqual(before);
        const { closed, timely } = given.complaints;
        expect(at({ ...given, complaints: { closed, resolved: closed, timely } })).toBeGreaterThanOrEqual(before);
        const better = given.ratingsByMonth.map(({ month: name, count }) => month(name, times(count, 500)));
        expect(at({ ...given, ratingsByMonth: better })).toBeGreaterThanOrEqual(before - 1e-8);
      }),
      RUN,
    );
  });
});
