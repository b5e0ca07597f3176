import type { ExtensibleValue } from '../../primitives.ts';
import type { ScoredEntity, ScoredLicense } from '../facts.ts';
import type { RatingMonth } from '../schema.ts';
import {
  CHECKLIST_KEYS,
  type ChecklistKey,
  LICENSE_STRENGTH,
  LONGEVITY_FULL_YEARS,
  RATING_PRIOR,
  REGIMES,
  TIER_STRENGTH,
} from './methodology.ts';

/** The result of a formula: points from 0 to 100, the numbers that went in, and a sentence that explains it. */
export interface ComponentResult {
  readonly score: number;
  readonly inputs: Record<string, number>;
  readonly explanation: string;
}

const DAY = 86_400_000;
const YEAR_DAYS = 365.25;

/**
 * Rounds to 1e-9, so that differences between engines in the last bit never reach a published number.
 * @example nano(0.1 + 0.2) // 0.3
 */
export const nano = (value: number): number => Math.round(value * 1e9) / 1e9;

/** Returns a whole number from 0 to `max`. Throws on a broken document, whose NaN would otherwise become a score. */
export const count = (name: string, value: number, max = Number.MAX_SAFE_INTEGER): number => {
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be a whole number from 0 to ${max}, not ${value}`);
  return value + 0; // turns -0 into 0
};

/** Number of days from 1970-01-01 to the UTC day of a time. */
const utcDay = (name: string, milliseconds: number): number => {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`${name} is not a date`);
  return Math.floor(milliseconds / DAY);
};

/** Returns NaN for a key that this methodology does not know. */
const findStrength = (strengths: Readonly<Record<string, number>>, key: string | number): number =>
  strengths[key] ?? Number.NaN;

/**
 * Returns the share with which a licence counts: q·s, or 0 if it does not score.
 * @throws RangeError for an authorisation with a tier or status that this methodology does not know
 */
export const licenseStrength = (license: ScoredLicense): number => {
  if (license.type !== 'authorisation') return 0;
  const strength = findStrength(TIER_STRENGTH, license.tier) * findStrength(LICENSE_STRENGTH, license.status);
  if (Number.isNaN(strength)) throw new RangeError(`no strength for tier ${license.tier}, status ${license.status}`);
  return strength;
};

/**
 * Returns the strength of one legal entity's supervision, 0–100: `100·(1 − ∏(1 − q·s))` over the best authorisation of
 * each regime.
 * @example entityRegulation('Alpha Markets Ltd', broker.licenses) // 75
 * @see docs/methodology/2026-1.md#regulation
 */
export const entityRegulation = (legalName: string, licenses: readonly ScoredLicense[]): number => {
  const best = new Map<string, number>();
  for (const license of licenses) {
    if (license.entity.legalName !== legalName) continue;
    const regime = REGIMES[license.regulatorCode] ?? license.regulatorCode;
    best.set(regime, Math.max(best.get(regime) ?? 0, licenseStrength(license)));
  }
  const strengths = [...best.values()].sort((a, b) => b - a);
  return nano(100 * (1 - strengths.reduce((open, strength) => open * (1 - strength), 1)));
};

/**
 * The regulation component: the mean of the strongest and the weakest entity that takes retail clients. If no entity
 * takes them, all entities count.
 */
export const regulationComponent = (
  entities: readonly ScoredEntity[],
  licenses: readonly ScoredLicense[],
): ComponentResult => {
  const retail = entities.filter((entity) => entity.retailClients);
  const counted = (retail.length > 0 ? retail : entities).map((entity) => entityRegulation(entity.legalName, licenses));
  const strongest = Math.max(0, ...counted);
  const weakest = counted.length > 0 ? Math.min(...counted) : 0;
  return {
    score: nano((strongest + weakest) / 2),
    inputs: { entities: counted.length, strongest, weakest },
    explanation:
      counted.length === 0
        ? 'No legal entity is known.'
        : `Mean of the strongest (${strongest}) and the weakest (${weakest}) of ${counted.length} legal ` +
          `${counted.length === 1 ? 'entity' : 'entities'}.`,
  };
};

/** Weighted sums over the published reviews, at a point in time. */
export interface RatingSums {
  /** Number of published reviews, without weights. */
  readonly count: number;
  /** Σw */
  readonly weight: number;
  /** Σw² */
  readonly weightSquared: number;
  /** Σw·r, in stars */
  readonly weighted: number;
  /** Σw·r², in stars² */
  readonly weightedSquares: number;
}

/** Number of whole days from the first day of a month to the UTC day of `at`; never negative. */
const monthAgeDays = (month: string, at: Date): number =>
  Math.max(0, utcDay('at', at.getTime()) - utcDay(`month ${month}`, Date.parse(`${month}-01T00:00:00Z`)));

/** Returns the sums of a month. Throws if no ratings from 1 to 5 can add up to them. */
const checkedMonth = (month: RatingMonth): Pick<RatingMonth, 'count' | 'sum' | 'sumOfSquares'> => {
  const reviews = count('count', month.count);
  const sum = count('sum', month.sum, 500 * reviews);
  if (sum < 100 * reviews) throw new RangeError(`sum must be at least ${100 * reviews}, not ${sum}`);
  return { count: reviews, sum, sumOfSquares: count('sumOfSquares', month.sumOfSquares, 250_000 * reviews) };
};

/**
 * Sums the months with weights that halve with every 365 days of age. Sorts the months first, because the order of a
 * float sum affects its last digits.
 * @example ratingSums(broker.ratingsByMonth, new Date(broker.score.computedAt)).count // 14
 * @throws RangeError for an invalid date or month, and for sums that no ratings from 1 to 5 can add up to
 */
export const ratingSums = (months: readonly RatingMonth[], at: Date): RatingSums => {
  let reviews = 0;
  let weight = 0;
  let weightSquared = 0;
  let weighted = 0;
  let weightedSquares = 0;
  for (const month of [...months].sort((a, b) => (a.month < b.month ? -1 : 1))) {
    const w = 2 ** (-monthAgeDays(month.month, at) / RATING_PRIOR.halfLifeDays);
    const sums = checkedMonth(month);
    reviews += sums.count;
    weight += w * sums.count;
    weightSquared += w * w * sums.count;
    weighted += (w * sums.sum) / 100;
    weightedSquares += (w * sums.sumOfSquares) / 10_000;
  }
  return { count: reviews, weight, weightSquared, weighted, weightedSquares };
};

/**
 * Returns the rating in stars, shrunk toward the prior: `(C·m + Σwr)/(C + Σw)`.
 * @example bayesianAverage(ratingSums([], new Date())) // 3
 */
export const bayesianAverage = (sums: RatingSums): number =>
  (RATING_PRIOR.count * RATING_PRIOR.mean + sums.weighted) / (RATING_PRIOR.count + sums.weight);

/** Effective number of reviews: `(Σw)²/Σw²`, or 0 if there are none. */
export const effectiveReviews = (sums: RatingSums): number =>
  sums.weightSquared === 0 ? 0 : nano(sums.weight ** 2 / sums.weightSquared);

/** Half the width of the 95 % interval of the rating, in stars: `1.96·√(v/(n + C))`. */
export const ratingMargin = (sums: RatingSums): number => {
  const b = bayesianAverage(sums);
  const squares = sums.weightedSquares - 2 * b * sums.weighted + b * b * sums.weight;
  const variance = (Math.max(0, squares) + 1) / (sums.weight + 1);
  return 1.96 * Math.sqrt(variance / (effectiveReviews(sums) + RATING_PRIOR.count));
};

/** Converts a rating in stars into points: 1 star is 0, 5 stars are 100. */
export const ratingPoints = (stars: number): number => nano(((stars - 1) / 4) * 100);

/** The user-rating component: the age-weighted rating, shrunk toward the prior. */
export const userRatingComponent = (sums: RatingSums): ComponentResult => {
  const stars = bayesianAverage(sums);
  return {
    score: ratingPoints(stars),
    inputs: { reviews: sums.count, weight: nano(sums.weight), weightedStars: nano(sums.weighted), stars: nano(stars) },
    explanation:
      sums.count === 0
        ? 'No published reviews: the neutral prior of 3 stars.'
        : `${stars.toFixed(2)} stars over ${sums.count} published reviews, faded with age and shrunk toward 3 stars.`,
  };
};

/** The transparency component: the share of the checklist that is met. Unknown items count as unmet. */
export const transparencyComponent = (
  checklist: readonly { readonly key: ExtensibleValue<ChecklistKey>; readonly met: boolean | null }[],
): ComponentResult => {
  const met = CHECKLIST_KEYS.filter((key) => checklist.some((item) => item.key === key && item.met === true)).length;
  const total = CHECKLIST_KEYS.length;
  return {
    score: nano((100 * met) / total),
    inputs: { met, total },
    explanation: `${met} of ${total} disclosures are met.`,
  };
};

/**
 * The longevity component: the years since the oldest scoring licence became active, on a logarithmic scale. A start in
 * the future counts as today.
 * @throws RangeError for an invalid date
 */
export const longevityComponent = (licenses: readonly ScoredLicense[], at: Date): ComponentResult => {
  const since = licenses
    .filter((license) => licenseStrength(license) > 0 && license.activeSince !== undefined)
    .map((license) => license.activeSince as string)
    .sort()[0];
  const today = utcDay('at', at.getTime());
  const start = since === undefined ? today : utcDay(`activeSince ${since}`, Date.parse(`${since}T00:00:00Z`));
  const years = nano(Math.max(0, today - start) / YEAR_DAYS);
  return {
    score: nano(100 * Math.min(1, Math.log(1 + years) / Math.log(1 + LONGEVITY_FULL_YEARS))),
    inputs: { years },
    explanation:
      since === undefined
        ? 'No scoring licence with a known start.'
        : `${years.toFixed(1)} years since the oldest scoring licence became active (${since}).`,
  };
};
