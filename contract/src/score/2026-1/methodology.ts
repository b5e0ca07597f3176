import type { Tier } from '../../primitives.ts';

/**
 * Version of the rules. Any change of a number, formula or condition needs a new version. The type is `string`, so that
 * a new version breaks no caller's types.
 */
export const METHODOLOGY_VERSION: string = '2026-1';

/** The components in the order in which they are summed, with their weights. The weights add up to 1. */
export const WEIGHTS = {
  regulation: 0.4,
  userRating: 0.25,
  complaints: 0.15,
  transparency: 0.1,
  longevity: 0.1,
} as const;
export type ComponentKey = keyof typeof WEIGHTS;
export const COMPONENT_KEYS = Object.keys(WEIGHTS) as [ComponentKey, ...ComponentKey[]];

/** Strength q of an authorisation, by the tier of its regulator. */
export const TIER_STRENGTH: Readonly<Record<Tier, number>> = { 1: 0.75, 2: 0.5, 3: 0.25, 4: 0.1 };

/** Every status of a licence, with the share s of its strength that counts. */
export const LICENSE_STRENGTH = {
  pending: 0,
  active: 1,
  restricted: 0.5,
  suspended: 0,
  withdrawn: 0,
  revoked: 0,
  expired: 0,
  unverified: 0,
} as const;
export type LicenseStatus = keyof typeof LICENSE_STRENGTH;
/** Every status of a licence. */
export const LICENSE_STATUSES = Object.keys(LICENSE_STRENGTH) as [LicenseStatus, ...LicenseStatus[]];

/** Regulators that supervise under the regime of another one, by code. A licence at both is supervised once. */
export const REGIMES: Readonly<Record<string, string>> = { nfa: 'cftc' };

/**
 * Prior of the user rating: `count` imaginary reviews with `mean` stars. A review's weight halves every `halfLifeDays`
 * days.
 */
export const RATING_PRIOR = { mean: 3, count: 10, halfLifeDays: 365 } as const;

/** Prior of the complaint rates, the weight of each rate, and the period in months. */
export const COMPLAINT_PRIOR = { count: 4, resolvedShare: 0.7, timelyShare: 0.3, windowMonths: 36 } as const;

/** The disclosures that a broker should publish. */
export const CHECKLIST_KEYS = [
  'legalEntity',
  'registerLink',
  'fees',
  'executionPolicy',
  'clientMoney',
  'riskWarning',
  'complaintProcedure',
  'leverage',
  'address',
  'ownership',
] as const;
/** One of {@link CHECKLIST_KEYS}. */
export type ChecklistKey = (typeof CHECKLIST_KEYS)[number];

/** Number of years after which longevity reaches its maximum. */
export const LONGEVITY_FULL_YEARS = 20;

/** The highest value that a broker can have while a condition holds. */
export const CAPS = {
  noScoringLicense: { limit: 39, reason: 'No authorisation of its entities is active or restricted.' },
  onlyLowTiers: { limit: 69, reason: 'Every scoring authorisation is of a tier 3 or 4 regulator.' },
  fewReviews: { limit: 69, reason: 'Fewer than 10 effective reviews.' },
  officialWarning: { limit: 19, reason: 'A regulator warns about this firm and has not withdrawn the warning.' },
  uncheckedWarning: {
    limit: 19,
    reason:
      'A warning of a regulator was matched to this firm automatically by LEI or licence number, and nobody has ' +
      'checked it yet.',
  },
} as const;
export type CapCode = keyof typeof CAPS;
export const CAP_CODES = Object.keys(CAPS) as [CapCode, ...CapCode[]];

/** Number of effective reviews from which confidence is medium or high. */
export const CONFIDENCE_FROM = { medium: 10, high: 50 } as const;

/** Lowest rounded value for each color. A lower value is red; a broker without a value is gray. */
export const COLOR_FROM = { green: 70, yellow: 40 } as const;
/** Every color a broker can have. */
export const COLORS = ['green', 'yellow', 'red', 'gray'] as const;
