import { scoreBroker as scoreBy2026_1 } from './2026-1/score.ts';
import { publishedCounts } from './2026-2/complaints.ts';
import { scoreBroker as scoreBy2026_2 } from './2026-2/score.ts';
import { scoreBroker as scoreBy2026_3 } from './2026-3/score.ts';
import type { ComplaintCounts, PublishedRating, ScoreFacts } from './facts.ts';
import { METHODOLOGY_VERSION } from './methodology.ts';
import type { Score } from './schema.ts';

export {
  bayesianAverage,
  colorOf,
  complaintCounts,
  entityRegulation,
  nano,
  ratingSums,
  scoreBroker,
  scoringLicenses,
} from './2026-3/score.ts';

/** How a version of the methodology scores, and which complaints of a published answer it counts. */
interface Version {
  readonly score: (facts: ScoreFacts, computedAt: string) => Score;
  readonly complaints: (broker: PublishedRating) => ComplaintCounts;
}

/** Returns the counts in the inputs of the complaints component. Answers by 2026-1 have no others. */
const inputCounts = ({ score: { components } }: PublishedRating): ComplaintCounts => {
  const inputs = components.find((component) => component.key === 'complaints')?.inputs;
  const input = (key: string): number => {
    const number = inputs?.[key];
    if (number === undefined) throw new RangeError(`score.components has no complaints input "${key}"`);
    return number;
  };
  return { closed: input('closed'), resolved: input('resolved'), timely: input('timely') };
};

/**
 * The arithmetic of every published version of the methodology. No version is ever removed, so that old answers can
 * still be checked.
 */
const VERSIONS = {
  '2026-1': { score: scoreBy2026_1, complaints: inputCounts },
  '2026-2': { score: scoreBy2026_2, complaints: publishedCounts },
  '2026-3': { score: scoreBy2026_3, complaints: publishedCounts },
} as const satisfies Readonly<Record<string, Version>>;

const isKnown = (version: string): version is keyof typeof VERSIONS => Object.hasOwn(VERSIONS, version);

const versionOf = (version: string): Version => {
  if (isKnown(version)) return VERSIONS[version];
  throw new RangeError(`no methodology ${version} here, only ${Object.keys(VERSIONS).join(', ')}: update the package`);
};

/**
 * Returns the arithmetic of a version of the methodology.
 * @example scoreByVersion('2026-1')({ ...broker, complaints: { closed: 5, resolved: 4, timely: 4 } }, broker.updatedAt).value // 75.5
 * @throws RangeError for a version that this package does not know
 */
export const scoreByVersion = (version: string): Version['score'] => versionOf(version).score;

/**
 * Recomputes a published rating from the answer alone, with the methodology version that it names and at its own
 * `computedAt`. The result equals `broker.score` unless something is wrong.
 * @example recomputeScore(broker).value === broker.score.value // true
 * @throws RangeError if the answer lacks `complaintsByMonth` (2026-1: an input of the complaints component) or names a
 * version that this package does not know, and as `scoreBroker` does
 */
export const recomputeScore = (broker: PublishedRating): Score => {
  const { computedAt, methodologyVersion = METHODOLOGY_VERSION } = broker.score;
  const { score, complaints } = versionOf(methodologyVersion);
  return score({ ...broker, complaints: complaints(broker) }, computedAt);
};
