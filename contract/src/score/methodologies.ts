import type { Tier } from '../primitives.ts';
import {
  CAPS,
  CHECKLIST_KEYS,
  COLOR_FROM,
  COMPLAINT_PRIOR,
  CONFIDENCE_FROM,
  LICENSE_STRENGTH,
  LONGEVITY_FULL_YEARS,
  METHODOLOGY_VERSION,
  RATING_PRIOR,
  REGIMES,
  TIER_STRENGTH,
  WEIGHTS,
} from './2026-1/methodology.ts';
import { complaintCounts, scoreBroker } from './2026-1/score.ts';
import type { ComplaintCounts, ScoreFacts } from './facts.ts';
import type { CapCode, ChecklistKey, ComponentKey, LicenseStatus } from './methodology.ts';
import type { ComplaintMonth, Score } from './schema.ts';

/** A version of the methodology: every number of its rules, and the arithmetic that uses them. */
export interface Methodology {
  readonly version: string;
  /** SHA-256, in hexadecimal, of its arithmetic as one file: `methodology/<version>.mjs` in this package. */
  readonly sha256: string;
  /** Scores a broker by its rules. */
  readonly score: (facts: ScoreFacts, computedAt: string) => Score;
  /** Returns the complaints that count in a score at a time. */
  readonly countComplaints: (months: readonly ComplaintMonth[], at: Date) => ComplaintCounts;
  /** Share of each component, in the order in which they are summed. */
  readonly weights: Readonly<Record<ComponentKey, number>>;
  /** Strength of an authorisation by the tier of its regulator. */
  readonly tierStrength: Readonly<Record<Tier, number>>;
  /** Share of that strength by the status of the licence. */
  readonly licenseStrength: Readonly<Record<LicenseStatus, number>>;
  /** Regulators that count as another one, by code. */
  readonly regimes: Readonly<Record<string, string>>;
  readonly ratingPrior: { readonly mean: number; readonly count: number; readonly halfLifeDays: number };
  readonly complaintPrior: {
    readonly count: number;
    readonly resolvedShare: number;
    readonly timelyShare: number;
    readonly windowMonths: number;
  };
  readonly checklist: readonly ChecklistKey[];
  /** Number of years with which longevity is complete. */
  readonly longevityFullYears: number;
  /** Highest value while a condition holds, by code. */
  readonly caps: Readonly<Partial<Record<CapCode, { readonly limit: number; readonly reason: string }>>>;
  /** Effective reviews from which confidence has a level. */
  readonly confidenceFrom: { readonly medium: number; readonly high: number };
  /** Lowest rounded value of a color. */
  readonly colorFrom: { readonly green: number; readonly yellow: number };
}

/**
 * Every version of the methodology, oldest first; the last one is in force. No version is ever changed or removed, so
 * that old answers can still be checked.
 */
export const METHODOLOGIES: readonly Methodology[] = [
  {
    version: METHODOLOGY_VERSION,
    sha256: 'acc1f330d5ea48a439e9b4bc43d68f801cf013bb0d1fba4ffe3fc2ea17432e2b',
    score: scoreBroker,
    countComplaints: complaintCounts,
    weights: WEIGHTS,
    tierStrength: TIER_STRENGTH,
    licenseStrength: LICENSE_STRENGTH,
    regimes: REGIMES,
    ratingPrior: RATING_PRIOR,
    complaintPrior: COMPLAINT_PRIOR,
    checklist: CHECKLIST_KEYS,
    longevityFullYears: LONGEVITY_FULL_YEARS,
    caps: CAPS,
    confidenceFrom: CONFIDENCE_FROM,
    colorFrom: COLOR_FROM,
  },
];
