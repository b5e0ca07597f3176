import type { Tier } from '../../primitives.ts';

/** Version of the rules below. A change of any number gets a new version. */
export const METHODOLOGY_VERSION = '2026-1';

/** Components in the order they are summed, with their weights (sum 1). */
export const WEIGHTS = {
  regulation: 0.4,
  userRating: 0.25,
  complaints: 0.15,
  transparency: 0.1,
  longevity: 0.1,
} as const;
export type ComponentKey = keyof typeof WEIGHTS;
export const COMPONENT_KEYS = Object.keys(WEIGHTS) as [ComponentKey, ...ComponentKey[]];

/** Strength of an authorisation by the tier of its regulator: q. */
export const TIER_STRENGTH: Readonly<Record<Tier, number>> = { 1: 0.75, 2: 0.5, 3: 0.25, 4: 0.1 };

/** Every status a licence can have, with the share of its strength that counts: s. */
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
/** Every status a licence can have. */
export const LICENSE_STATUSES = Object.keys(LICENSE_STRENGTH) as [LicenseStatus, ...LicenseStatus[]];

/** Prior of the user rating: `mean` stars held by `count` imagined reviews. `halfLifeDays` halves a review's weight. */
export const RATING_PRIOR = { mean: 3, count: 10, halfLifeDays: 365 } as const;

/** Prior of the complaint rates, and the share of each rate. */
export const COMPLAINT_PRIOR = { count: 4, resolvedShare: 0.7, timelyShare: 0.3, windowMonths: 36 } as const;

/** What a broker should publish. */
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

/** Years after which longevity is full. */
export const LONGEVITY_FULL_YEARS = 20;

/** Highest value a broker can have while the condition holds. */
export const CAPS = {
  noScoringLicense: { limit: 39, reason: 'No authorisation of its entities is active or restricted.' },
  onlyLowTiers: { limit: 69, reason: 'Every scoring authorisation is of a tier 3 or 4 regulator.' },
  fewReviews: { limit: 69, reason: 'Fewer than 10 effective reviews.' },
  officialWarning: { limit: 19, reason: 'A regulator warns about this firm and has not withdrawn the warning.' },
} as const;
export type CapCode = keyof typeof CAPS;
export const CAP_CODES = Object.keys(CAPS) as [CapCode, ...CapCode[]];

/** Effective reviews from which confidence is medium, and high. */
export const CONFIDENCE_FROM = { medium: 10, high: 50 } as const;

/** Lowest rounded value of a color; below yellow is red. Brokers without a value are gray. */
export const COLOR_FROM = { green: 70, yellow: 40 } as const;
/** Every color a broker can have. */
export const COLORS = ['green', 'yellow', 'red', 'gray'] as const;
