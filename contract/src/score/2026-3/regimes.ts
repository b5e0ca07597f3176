import { entityRegulation as byRegulator } from '../2026-2/score.ts';

/** Regulators that supervise under the regime of another one. A licence at both is supervised once. */
export const REGIMES: Readonly<Record<string, string>> = { nfa: 'cftc' };

/** Returns licences under the regulator whose regime they belong to. */
export const inOneRegime = <T extends { readonly regulatorCode: string }>(licenses: readonly T[]): T[] =>
  licenses.map((license) => ({ ...license, regulatorCode: REGIMES[license.regulatorCode] ?? license.regulatorCode }));

/**
 * Returns the strength of one legal entity's supervision, 0–100: `100·(1 − ∏(1 − q·s))` over the best authorisation of
 * each regime.
 * @example entityRegulation('Alpha Markets Ltd', broker.licenses) // 75
 * @see docs/methodology/2026-3.md#regulation
 */
export const entityRegulation = (legalName: string, licenses: Parameters<typeof byRegulator>[1]): number =>
  byRegulator(legalName, inOneRegime(licenses));
