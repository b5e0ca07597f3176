import { scoreBroker as scoreBy2026_1 } from './2026-1/score.ts';
import type { PublishedRating, ScoreFacts } from './facts.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';
import type { Score } from './schema.ts';

export { bayesianAverage, entityRegulation, nano, ratingSums } from './2026-1/components.ts';
export { colorOf, scoreBroker, scoringLicenses } from './2026-1/score.ts';

/** The arithmetic of every version that was ever published: none is taken away, so that old answers stay checkable. */
const VERSIONS = {
  '2026-1': scoreBy2026_1,
} as const satisfies Readonly<Record<string, (facts: ScoreFacts, computedAt: string) => Score>>;

const isKnown = (version: string): version is keyof typeof VERSIONS => Object.hasOwn(VERSIONS, version);

/**
 * Recomputes a published rating from the answer alone: by the version of the methodology that it names, at its own
 * `computedAt`. Equal to `broker.score` unless something is wrong.
 * @example recomputeScore(broker).value === broker.score.value // true
 * @throws RangeError where the answer lacks the inputs of the complaints component or follows a version newer than this
 * package, and as `scoreBroker` does
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
