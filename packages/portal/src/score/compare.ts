import type { Score } from '@broker-transparency/contract';

/** A number or word whose published form differs from the computed one. */
export interface ScoreDifference {
  /** Path within the score, such as `components.regulation.score`. */
  readonly part: string;
  readonly published: string;
  readonly recomputed: string;
}

export interface ScoreComparison {
  /** Number of compared numbers and words. */
  readonly compared: number;
  readonly differences: readonly ScoreDifference[];
}

/** Fields with explanations: their wording may change within a version of the methodology, so they are not compared. */
const WORDS = new Set(['explanation', 'reason']);

/** Returns the name of a member in a list of a score. */
const getMemberName = (value: object, at: string): string => {
  const named = value as { readonly key?: unknown; readonly code?: unknown };
  return String(named.key ?? named.code ?? at);
};

/** Returns every number and word in a value, by path. */
const collectLeaves = (value: unknown, path: string, leaves: Map<string, string>): Map<string, string> => {
  if (typeof value !== 'object' || value === null) return leaves.set(path, JSON.stringify(value) ?? 'undefined');
  const isList = Array.isArray(value);
  if (isList) leaves.set(`${path}.length`, String(value.length));
  for (const [at, member] of Object.entries(value)) {
    if (WORDS.has(at)) continue;
    const name = isList && typeof member === 'object' && member !== null ? getMemberName(member, at) : at;
    collectLeaves(member, path === '' ? name : `${path}.${name}`, leaves);
  }
  return leaves;
};

/** Compares every number of a published score with the one computed from its facts. */
export const compareScores = (published: unknown, recomputed: Score): ScoreComparison => {
  const [given, right] = [collectLeaves(published, '', new Map()), collectLeaves(recomputed, '', new Map())];
  const parts = [...new Set([...right.keys(), ...given.keys()])];
  const differences = parts
    .filter((part) => given.get(part) !== right.get(part))
    .map((part) => ({ part, published: given.get(part) ?? '–', recomputed: right.get(part) ?? '–' }));
  return { compared: parts.length, differences };
};
