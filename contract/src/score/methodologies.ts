import type { Tier } from '../primitives.ts';
import {
  CAPS as CAPS_2026_1,
  CHECKLIST_KEYS,
  type ChecklistKey,
  COLOR_FROM,
  COMPLAINT_PRIOR,
  CONFIDENCE_FROM,
  type ComponentKey,
  LICENSE_STRENGTH,
  type LicenseStatus,
  LONGEVITY_FULL_YEARS,
  RATING_PRIOR,
  TIER_STRENGTH,
  METHODOLOGY_VERSION as VERSION_2026_1,
  WEIGHTS,
} from './2026-1/methodology.ts';
import { METHODOLOGY_VERSION as VERSION_2026_2 } from './2026-2/methodology.ts';
import { CAPS as CAPS_2026_3, type CapCode, METHODOLOGY_VERSION as VERSION_2026_3 } from './2026-3/methodology.ts';
import { REGIMES } from './2026-3/regimes.ts';

/** Every number of a version of the methodology. */
export interface Methodology {
  readonly version: string;
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

/** Versions differ in their limits and regimes so far; every other number is that of the first one. */
const methodologyOf = (
  version: string,
  caps: Methodology['caps'],
  regimes: Methodology['regimes'] = {},
): Methodology => ({
  version,
  weights: WEIGHTS,
  tierStrength: TIER_STRENGTH,
  licenseStrength: LICENSE_STRENGTH,
  regimes,
  ratingPrior: RATING_PRIOR,
  complaintPrior: COMPLAINT_PRIOR,
  checklist: CHECKLIST_KEYS,
  longevityFullYears: LONGEVITY_FULL_YEARS,
  caps,
  confidenceFrom: CONFIDENCE_FROM,
  colorFrom: COLOR_FROM,
});

/** The numbers of every published version of the methodology, oldest first: the arithmetic uses these same ones. */
export const METHODOLOGIES: readonly Methodology[] = [
  /* @__PURE__ */ methodologyOf(VERSION_2026_1, CAPS_2026_1),
  /* @__PURE__ */ methodologyOf(VERSION_2026_2, CAPS_2026_1),
  /* @__PURE__ */ methodologyOf(VERSION_2026_3, CAPS_2026_3, REGIMES),
];
