import { scoreBroker as scoreBy2026_2 } from '../2026-2/score.ts';
import type { ScoreFacts } from '../facts.ts';
import type { Score } from '../schema.ts';
import { CAPS, METHODOLOGY_VERSION } from './methodology.ts';
import { inOneRegime } from './regimes.ts';

/* What did not change since 2026-2 is imported from there, where it never changes. */
export {
  bayesianAverage,
  colorOf,
  complaintCounts,
  nano,
  ratingSums,
  scoringLicenses,
} from '../2026-2/score.ts';

export { entityRegulation } from './regimes.ts';

/** Returns which caps the warnings that stand put in force: one for what people checked, one for what nobody has yet. */
const warningCaps = ({ warnings }: ScoreFacts): Score['caps'] => {
  const standing = warnings.filter(({ about, withdrawnAt }) => about === 'this_firm' && withdrawnAt === undefined);
  const codes = [
    ...(standing.some(({ match }) => match !== 'unchecked') ? (['officialWarning'] as const) : []),
    ...(standing.some(({ match }) => match === 'unchecked') ? (['uncheckedWarning'] as const) : []),
  ];
  return codes.map((code) => ({ code, ...CAPS[code] }));
};

/**
 * Scores a broker by methodology 2026-3. It is pure: the same facts and time always give the same score, to the last
 * digit. The value is that of 2026-2 for the same facts, but for two regulators of one regime, which count once; a warning
 * that was matched automatically has a cap of its own, with the same limit, which says so.
 * @example scoreBroker({ ...broker, complaints: { closed: 5, resolved: 4, timely: 4 } }, broker.updatedAt).value // 75.5
 * @param facts what is known about the broker; `complaints` as `complaintCounts` returns them for `computedAt`
 * @param computedAt RFC 3339 time in UTC at which ages are measured
 * @throws RangeError if a broken document would give a wrong number or NaN: a `computedAt`, month or `activeSince` that
 * is not a date; a count that is negative, fractional or not finite; more resolved or timely complaints than closed
 * ones; sums that no ratings from 1 to 5 add up to; an authorisation of an unknown tier or status
 * @see docs/methodology/2026-3.md
 */
export const scoreBroker = (facts: ScoreFacts, computedAt: string): Score => {
  const score = scoreBy2026_2({ ...facts, licenses: inOneRegime(facts.licenses) }, computedAt);
  return {
    ...score,
    methodologyVersion: METHODOLOGY_VERSION,
    caps: score.caps.flatMap((cap) => (cap.code === 'officialWarning' ? warningCaps(facts) : [cap])),
  };
};
