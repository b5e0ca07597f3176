import { isDeepStrictEqual } from 'node:util';
import type { BrokerDetail, Score } from '@broker-transparency/client';
import { recomputeScore } from '@broker-transparency/client/score';

/** One part of a score, as published and as recomputed. */
interface CheckedPart {
  readonly part: string;
  readonly matches: boolean;
  readonly published: unknown;
  readonly recomputed: unknown;
}

/** The result of a check. */
export interface ScoreCheck {
  readonly slug: string;
  readonly matches: boolean;
  readonly parts: readonly CheckedPart[];
}

/**
 * Returns the numbers of a component. Its explanation is left out, because the wording may change within a methodology
 * version.
 */
const findComponent = (score: Score, wanted: string) => {
  const found = score.components.find(({ key }) => key === wanted);
  return found && { weight: found.weight, score: found.score, contribution: found.contribution, inputs: found.inputs };
};

const WHOLE: Readonly<Record<string, (score: Score) => unknown>> = {
  rawValue: (score) => score.rawValue,
  caps: (score) => score.caps.map(({ code, limit }) => ({ code, limit })),
  value: (score) => score.value,
  color: (score) => score.color,
  confidence: (score) => score.confidence,
  methodologyVersion: (score) => score.methodologyVersion,
};

/**
 * Recomputes a score from the answer alone and compares it part by part.
 * @throws RangeError if the answer lacks an input of the score
 */
export const checkScore = (broker: BrokerDetail): ScoreCheck => {
  const published = broker.score;
  const recomputed = recomputeScore(broker);
  const compare = (part: string, of: (score: Score) => unknown): CheckedPart => {
    const values = { published: of(published), recomputed: of(recomputed) };
    return { part, matches: isDeepStrictEqual(values.published, values.recomputed), ...values };
  };
  const keys = new Set([...recomputed.components, ...published.components].map(({ key }) => key));
  const parts = [
    ...[...keys].map((key) => compare(key, (score) => findComponent(score, key))),
    ...Object.entries(WHOLE).map(([part, of]) => compare(part, of)),
  ];
  return { slug: broker.slug, matches: parts.every(({ matches }) => matches), parts };
};
