import type { ScoredLicense, ScoreFacts } from '../facts.ts';
import type { Color, Score } from '../schema.ts';
import { complaintsComponent } from './complaints.ts';
import {
  bayesianAverage,
  type ComponentResult,
  effectiveReviews,
  licenseStrength,
  longevityComponent,
  nano,
  type RatingSums,
  ratingMargin,
  ratingPoints,
  ratingSums,
  regulationComponent,
  transparencyComponent,
  userRatingComponent,
} from './components.ts';
import {
  CAPS,
  type CapCode,
  COLOR_FROM,
  COMPONENT_KEYS,
  CONFIDENCE_FROM,
  type ComponentKey,
  METHODOLOGY_VERSION,
  WEIGHTS,
} from './methodology.ts';

export { complaintCounts } from './complaints.ts';
export { bayesianAverage, entityRegulation, nano, ratingSums } from './components.ts';

/** Returns the licences of the broker's own entities. */
const ownLicenses = ({ entities, licenses }: Pick<ScoreFacts, 'entities' | 'licenses'>): readonly ScoredLicense[] => {
  const names = new Set(entities.map((entity) => entity.legalName));
  return licenses.filter((license) => names.has(license.entity.legalName));
};

/**
 * Returns the licences that add to the score: active or restricted authorisations of the broker's own entities.
 * @example scoringLicenses(broker).length // 1
 */
export const scoringLicenses = (facts: Pick<ScoreFacts, 'entities' | 'licenses'>): readonly ScoredLicense[] =>
  ownLicenses(facts).filter((license) => licenseStrength(license) > 0);

const utcTime = (text: string): Date => {
  const time = new Date(text);
  // A time without Z would be local, so another machine would compute another score.
  if (!text.endsWith('Z') || Number.isNaN(time.getTime()))
    throw new RangeError(`${text} is not an RFC 3339 time in UTC`);
  return time;
};

const oneDecimal = (value: number): number => Math.round(value * 10) / 10;

/** Returns for each cap true if it applies. */
const capConditions = (facts: ScoreFacts, reviews: number): Record<CapCode, boolean> => {
  const scoring = scoringLicenses(facts);
  const standing = facts.warnings.filter(
    ({ about, withdrawnAt }) => about === 'this_firm' && withdrawnAt === undefined,
  );
  return {
    noScoringLicense: scoring.length === 0,
    onlyLowTiers: scoring.length > 0 && scoring.every((license) => license.tier >= 3),
    fewReviews: reviews < CONFIDENCE_FROM.medium,
    officialWarning: standing.some(({ match }) => match !== 'unchecked'),
    uncheckedWarning: standing.some(({ match }) => match === 'unchecked'),
  };
};

const capsInForce = (conditions: Record<CapCode, boolean>): Score['caps'] =>
  (Object.keys(CAPS) as CapCode[]).filter((code) => conditions[code]).map((code) => ({ code, ...CAPS[code] }));

/**
 * Returns the color of a rounded value, and gray for null.
 * @example toScoreColor(69.9) // 'yellow'
 */
export const toScoreColor = (value: number | null): Color => {
  if (value === null) return 'gray';
  if (value >= COLOR_FROM.green) return 'green';
  return value >= COLOR_FROM.yellow ? 'yellow' : 'red';
};

const confidenceLevel = (reviews: number): Score['confidence']['level'] => {
  if (reviews < CONFIDENCE_FROM.medium) return 'low';
  return reviews < CONFIDENCE_FROM.high ? 'medium' : 'high';
};

const computeContribution = (key: ComponentKey, score: number): number => nano(WEIGHTS[key] * score);

const componentResults = (facts: ScoreFacts, sums: RatingSums, at: Date): Record<ComponentKey, ComponentResult> => ({
  regulation: regulationComponent(facts.entities, facts.licenses),
  userRating: userRatingComponent(sums),
  complaints: complaintsComponent(facts.complaints, at),
  transparency: transparencyComponent(facts.checklist),
  longevity: longevityComponent(ownLicenses(facts), at),
});

/**
 * Scores a broker by methodology 2026-1. It is pure: the same facts and time always give the same score, to the last
 * digit.
 * @example scoreBroker({ ...broker, complaints: { closed: 5, resolved: 4, timely: 4 } }, broker.updatedAt).value // 75.5
 * @param facts the facts of the broker, with `complaints` from `complaintCounts` for `computedAt`
 * @param computedAt RFC 3339 time in UTC at which ages are measured
 * @throws RangeError if a broken document would give a wrong number or NaN: a `computedAt`, month or `activeSince` that
 *   is not a date; a count that is negative, fractional or not finite; more resolved or timely complaints than closed
 *   ones; sums that no ratings from 1 to 5 add up to; an authorisation of an unknown tier or status
 * @see docs/methodology/2026-1.md
 */
export const scoreBroker = (facts: ScoreFacts, computedAt: string): Score => {
  const at = utcTime(computedAt);
  const sums = ratingSums(facts.ratingsByMonth, at);
  const reviews = effectiveReviews(sums);
  const results = componentResults(facts, sums, at);
  const components = COMPONENT_KEYS.map((key) => ({
    key,
    weight: WEIGHTS[key],
    score: results[key].score,
    contribution: computeContribution(key, results[key].score),
    inputs: results[key].inputs,
    explanation: results[key].explanation,
  }));
  // The contributions are whole nanopoints. Rounding their sum restores it exactly, so that 39.95 does not become
  // 39.949999999999996.
  const rawValue = nano(components.reduce((sum, component) => sum + component.contribution, 0));
  const caps = capsInForce(capConditions(facts, reviews));
  const limit = Math.min(100, ...caps.map((cap) => cap.limit));

  const rated = facts.licensesCheckedAt !== null && facts.status !== 'ceased' && facts.status !== 'merged';
  const capped = (raw: number) => (rated ? oneDecimal(Math.min(raw, limit)) : null);
  /** Returns the value that the broker would have with a rating of `stars`. */
  const valueAt = (stars: number) =>
    capped(
      nano(
        rawValue -
          computeContribution('userRating', results.userRating.score) +
          computeContribution('userRating', ratingPoints(Math.min(5, Math.max(1, stars)))),
      ),
    );
  const value = capped(rawValue);
  const stars = bayesianAverage(sums);
  const margin = ratingMargin(sums);
  return {
    value,
    rawValue,
    color: toScoreColor(value),
    methodologyVersion: METHODOLOGY_VERSION,
    computedAt,
    confidence: {
      level: confidenceLevel(reviews),
      effectiveReviews: reviews,
      low: valueAt(stars - margin),
      high: valueAt(stars + margin),
    },
    components,
    caps,
  };
};
