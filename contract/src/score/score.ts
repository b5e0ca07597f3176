import type { PublishedRating } from './facts.ts';
import { METHODOLOGIES, type Methodology } from './methodologies.ts';
import type { Score } from './schema.ts';

export {
  bayesianAverage,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  scoreBroker,
  scoringLicenses,
  toScoreColor,
} from './in-force.ts';

/**
 * Returns a version by its name.
 * @throws RangeError for a version that is not in the list
 */
export const findMethodology = (version: string, methodologies = METHODOLOGIES): Methodology => {
  const found = methodologies.find((one) => one.version === version);
  if (found) return found;
  const known = methodologies.map((one) => one.version).join(', ');
  throw new RangeError(`no methodology ${version} here, only ${known}: update the package`);
};

/**
 * Recomputes a published rating as `recomputeScore` does, by the versions of a list, of which the last one is in force.
 */
export const recomputeBy = (methodologies: readonly Methodology[], broker: PublishedRating): Score => {
  const { computedAt, methodologyVersion = methodologies.at(-1)?.version ?? '' } = broker.score;
  const { score, countComplaints } = findMethodology(methodologyVersion, methodologies);
  if (!broker.complaintsByMonth)
    throw new RangeError(`the answer has no complaintsByMonth, which a score by ${methodologyVersion} needs`);
  return score({ ...broker, complaints: countComplaints(broker.complaintsByMonth, new Date(computedAt)) }, computedAt);
};

/**
 * Returns the arithmetic of a version of the methodology.
 * @example scoreByVersion('2026-1')({ ...broker, complaints: { closed: 5, resolved: 4, timely: 4 } }, broker.updatedAt).value // 75.5
 * @throws RangeError for a version that this package does not know
 */
export const scoreByVersion = (version: string): Methodology['score'] => findMethodology(version).score;

/**
 * Recomputes a published rating from the answer alone, with the methodology version that it names and at its own
 * `computedAt`. The result equals `broker.score` unless something is wrong.
 * @example recomputeScore(broker).value === broker.score.value // true
 * @throws RangeError if the answer lacks `complaintsByMonth` or names a version that this package does not know, and as
 * `scoreBroker` does
 */
export const recomputeScore = (broker: PublishedRating): Score => recomputeBy(METHODOLOGIES, broker);
