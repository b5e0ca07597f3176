import type { Tier } from '../primitives.ts';
import * as v2026_1 from './2026-1/methodology.ts';
import * as v2026_2 from './2026-2/methodology.ts';
import * as v2026_3 from './2026-3/methodology.ts';
import { REGIMES } from './2026-3/regimes.ts';

/** Every number of a version of the methodology. */
export interface Methodology {
  readonly version: string;
  /** Share of each component, in the order in which they are summed. */
  readonly weights: Readonly<Record<v2026_1.ComponentKey, number>>;
  /** Strength of an authorisation by the tier of its regulator. */
  readonly tierStrength: Readonly<Record<Tier, number>>;
  /** Share of that strength by the status of the licence. */
  readonly licenseStrength: Readonly<Record<v2026_1.LicenseStatus, number>>;
  /** Regulators that count as another one, by code. */
  readonly regimes: Readonly<Record<string, string>>;
  readonly ratingPrior: { readonly mean: number; readonly count: number; readonly halfLifeDays: number };
  readonly complaintPrior: {
    readonly count: number;
    readonly resolvedShare: number;
    readonly timelyShare: number;
    readonly windowMonths: number;
  };
  readonly checklist: readonly v2026_1.ChecklistKey[];
  /** Number of years with which longevity is complete. */
  readonly longevityFullYears: number;
  /** Highest value while a condition holds, by code. */
  readonly caps: Readonly<Partial<Record<v2026_3.CapCode, { readonly limit: number; readonly reason: string }>>>;
  /** Effective reviews from which confidence has a level. */
  readonly confidenceFrom: { readonly medium: number; readonly high: number };
  /** Lowest rounded value of a color. */
  readonly colorFrom: { readonly green: number; readonly yellow: number };
}

type Numbers = Omit<typeof v2026_1, 'METHODOLOGY_VERSION' | 'CAPS' | 'CAP_CODES'> & {
  readonly METHODOLOGY_VERSION: string;
  readonly CAPS: Methodology['caps'];
};

const methodologyOf = (numbers: Numbers, regimes: Methodology['regimes'] = {}): Methodology => ({
  version: numbers.METHODOLOGY_VERSION,
  weights: numbers.WEIGHTS,
  tierStrength: numbers.TIER_STRENGTH,
  licenseStrength: numbers.LICENSE_STRENGTH,
  regimes,
  ratingPrior: numbers.RATING_PRIOR,
  complaintPrior: numbers.COMPLAINT_PRIOR,
  checklist: numbers.CHECKLIST_KEYS,
  longevityFullYears: numbers.LONGEVITY_FULL_YEARS,
  caps: numbers.CAPS,
  confidenceFrom: numbers.CONFIDENCE_FROM,
  colorFrom: numbers.COLOR_FROM,
});

/** The numbers of every published version of the methodology, oldest first: the arithmetic uses these same ones. */
export const METHODOLOGIES: readonly Methodology[] = [
  /* @__PURE__ */ methodologyOf(v2026_1),
  /* @__PURE__ */ methodologyOf(v2026_2),
  /* @__PURE__ */ methodologyOf(v2026_3, REGIMES),
];
