import { entityRegulation as byRegulator } from '../2026-2/score.ts';

/** Regulators that supervise under the regime of another one. A licence at both is supervised once. */
const REGIMES: Readonly<Record<string, string>> = { nfa: 'cftc' };

/** Returns licences under the regulator whose regime they belong to. */
export const inOneRegime = <T extends { readonly regulatorCode: string }>(licenses: readonly T[]): T[] =>
  licenses.map((license) => ({ ...license, regulatorCode: REGIMES[license.regulatorCode] ?? license.regulatorCode }));

/** Returns the strength of an entity's supervision, 0 to 100, in which each regime counts once. */
export const entityRegulation: typeof byRegulator = (legalName, licenses) =>
  byRegulator(legalName, inOneRegime(licenses));
