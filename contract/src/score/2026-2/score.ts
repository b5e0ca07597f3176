import { scoreBroker as scoreBy2026_1 } from '../2026-1/score.ts';
import type { ScoreFacts } from '../facts.ts';
import type { Score } from '../schema.ts';
import { complaintsExplanation } from './complaints.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';

/* What did not change since 2026-1 is imported from there, where it never changes. */
export { bayesianAverage, entityRegulation, nano, ratingSums } from '../2026-1/components.ts';
export { colorOf, scoringLicenses } from '../2026-1/score.ts';
export { complaintCounts } from './complaints.ts';

/**
 * Scores a broker by methodology 2026-2. It is pure: the same facts and time always give the same score, to the last
 * digit. The formulas are those of 2026-1; `complaintCounts` says which complaints count.
 * @example scoreBroker({ ...broker, complaints: { closed: 5, resolved: 4, timely: 4 } }, broker.updatedAt).value // 75.5
 * @param facts what is known about the broker; `complaints` as `complaintCounts` returns them for `computedAt`
 * @param computedAt RFC 3339 time in UTC at which ages are measured
 * @throws RangeError if a broken document would give a wrong number or NaN: a `computedAt`, month or `activeSince` that
 * is not a date; a count that is negative, fractional or not finite; more resolved or timely complaints than closed
 * ones; sums that no ratings from 1 to 5 add up to; an authorisation of an unknown tier or status
 * @see docs/methodology/2026-2.md
 */
export const scoreBroker = (facts: ScoreFacts, computedAt: string): Score => {
  const score = scoreBy2026_1(facts, computedAt);
  const at = new Date(computedAt);
  return {
    ...score,
    methodologyVersion: METHODOLOGY_VERSION,
    components: score.components.map((component) =>
      component.key === 'complaints'
        ? { ...component, explanation: complaintsExplanation(component.inputs, at) }
        : component,
    ),
  };
};
