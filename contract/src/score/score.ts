import { scoreBroker as scoreBy2026_1 } from './2026-1/score.ts';
import type { PublishedRating, ScoreFacts } from './facts.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';
import type { Score } from './schema.ts';

export { bayesianAverage, entityRegulation, nano, ratingSums } from './2026-1/components.ts';
export { colorOf, scoreBroker, scoringLicenses } from './2026-1/score.ts';

/**
 * The arithmetic of every published version of the methodology. No version is ever removed, so that old answers can
 * still be checked.
 */
const VERSIONS = {
  '2026-1': scoreBy2026_1,
} as const satisfies Readonly<Record<string, (facts: ScoreFacts, computedAt: string) => Score>>;

const isKnown = (version: string): version is keyof typeof VERSIONS => Object.hasOwn(VERSIONS, version);

/**
 * Recomputes a published rating from the answer alone, with the methodology version that it names and at its own
 * `computedAt`. The result equals `broker.score` unless something is wrong.
 * @example recomputeScore(broker).value === broker.score.value // true
 * @throws RangeError if the answer lacks an input of the complaints component or names a version that this package does
 * not know, and as `scoreBroker` does
 */
export const recomputeScore = (broker: PublishedRating): Score => {
  const { components, computedAt, methodologyVersion = METHODOLOGY_VERSION } = broker.score;
  if (!isKnown(methodologyVersion))
    throw new RangeError(
      `no methodology ${methodologyVersion} here, only ${Object.keys(VERSIONS).join(', ')}: update the package`,
    );
  const inputs = components.find((component) => component.key === 'complaints')?.inputs;
  const input = (key: string): number => {
    const number = inputs?.[key];
    if (number === undefined) throw new RangeError(`score.components has no complaints input "${key}"`);
    return number;
  };
  const counts = { closed: input('closed'), resolved: input('resolved'), timely: input('timely') };
  return VERSIONS[methodologyVersion]({ ...broker, complaints: counts }, computedAt);
};
