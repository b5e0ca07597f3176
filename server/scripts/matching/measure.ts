import { readFileSync } from 'node:fs';
import {
  BOUNDS,
  decide,
  decideVerdict,
  type MatchDecision,
  type MatchVerdict,
  readFirm,
} from '@broker-transparency/matching';
import { evaluateWarning } from '../../src/features/warnings/warned.rule.ts';
import type { Pair } from './pair.ts';

/** The sets of pairs that are kept: the rules were tuned on the first, and judged by the second. */
export const SETS = ['tuned', 'held-out'] as const;
export type SetName = (typeof SETS)[number];

export const toPairsUrl = (set: SetName): URL => new URL(`pairs/${set}.ndjson`, import.meta.url);

/** Returns the pairs that are kept in the repository. */
export const readPairs = (set: SetName): Pair[] =>
  readFileSync(toPairsUrl(set), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Pair);

/** The lower bound of a share at 95 % (Wilson). */
export const computeWilsonLower = (hits: number, of: number): number => {
  if (of === 0) return 0;
  const z2 = 1.959964 ** 2;
  const share = hits / of;
  const middle = share + z2 / (2 * of);
  const spread = Math.sqrt((z2 * (share * (1 - share) + z2 / (4 * of))) / of);
  return (middle - spread) / (1 + z2 / of);
};

/** A pair, and what was decided. */
export interface DecidedPair {
  readonly pair: Pair;
  readonly decision: MatchDecision;
}

export const decideAll = (pairs: readonly Pair[]): DecidedPair[] =>
  pairs.map((pair) => ({ pair, decision: decide(readFirm(pair.known), readFirm(pair.told)) }));

/** What a set of verdicts is worth. */
export interface Figures {
  readonly pairs: number;
  readonly same: number;
  /** Decided `same`: rightly and wrongly. */
  readonly right: number;
  readonly wrong: number;
  /** Pairs of one firm that were decided `different`. */
  readonly missed: number;
  readonly precision: number;
  readonly precisionLower: number;
  /** Of the pairs of one firm that were decided alone, the share decided `same`. */
  readonly recallOfDecided: number;
  /** Of all pairs of one firm, the share decided `same`. */
  readonly recallOfAll: number;
  /** The share of pairs left to a person. */
  readonly left: number;
}

/** Counts verdicts. */
export const computeFigures = (
  verdicts: readonly { readonly same: boolean; readonly verdict: MatchVerdict }[],
): Figures => {
  const count = (same: boolean, verdict: MatchVerdict) =>
    verdicts.filter((one) => one.same === same && one.verdict === verdict).length;
  const [right, wrong, missed] = [count(true, 'same'), count(false, 'same'), count(true, 'different')];
  const same = verdicts.filter((one) => one.same).length;
  return {
    pairs: verdicts.length,
    same,
    right,
    wrong,
    missed,
    precision: right / (right + wrong || 1),
    precisionLower: computeWilsonLower(right, right + wrong),
    recallOfDecided: right / (right + missed || 1),
    recallOfAll: right / (same || 1),
    left: (count(true, 'maybe') + count(false, 'maybe')) / (verdicts.length || 1),
  };
};

/** Returns the figures if `same` began at so many points. */
export const computeFiguresAt = (decided: readonly DecidedPair[], same: number = BOUNDS.same): Figures =>
  computeFigures(
    decided.map(({ pair, decision: { points, doubts } }) => ({
      same: pair.same,
      verdict: decideVerdict(points, doubts, { same, maybe: Math.min(same, BOUNDS.maybe) }),
    })),
  );

/** Pairs of a register are judged by `decide`, warnings by `evaluateWarning`. */
export const selectRegisterPairs = (pairs: readonly Pair[]): Pair[] =>
  pairs.filter(({ warning }) => warning === undefined);

/** Where `same` could begin. */
const BEGINNINGS = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/** Returns the figures of a set by the points from which two are the same. */
export const computePoints = (set: SetName): { same: number; figures: Figures }[] => {
  const decided = decideAll(selectRegisterPairs(readPairs(set)));
  return BEGINNINGS.map((same) => ({ same, figures: computeFiguresAt(decided, same) }));
};

/** What warnings would do: at once to whom they are about, and to victims of clones. */
export interface WarningFigures {
  readonly about: number;
  readonly aboutAtOnce: number;
  readonly aboutMissed: number;
  readonly clones: number;
  readonly victimsAtOnce: number;
  readonly clonesMissed: number;
}

/** Adds the victim's own domain to each warning of a clone, or puts it in the place of the clone's. */
export const withVictimsDomain = (pair: Pair, only: boolean): Pair => ({
  ...pair,
  told: {
    ...pair.told,
    domains: [...(only ? [] : (pair.told.domains ?? [])), ...(pair.known.domains ?? []).slice(0, 1)],
  },
});

/** `licensed`: whether the authority that warns of it is known to license the firm now. */
export const computeWarningFigures = (pairs: readonly Pair[], licensed: boolean): WarningFigures => {
  const judged = pairs.flatMap((pair) => {
    const { warning, known, told, same } = pair;
    if (!warning) return [];
    const licensedBy = licensed ? (known.numbers ?? []).map(({ register: regulator }) => regulator) : [];
    return [
      {
        same,
        verdict: evaluateWarning({ ...warning, firm: readFirm(told) }, { firm: readFirm(known), licensedBy }).verdict,
      },
    ];
  });
  const count = (same: boolean, verdict?: string) =>
    judged.filter((one) => one.same === same && (verdict === undefined || one.verdict === verdict)).length;
  return {
    about: count(true),
    aboutAtOnce: count(true, 'about'),
    aboutMissed: count(true, 'none'),
    clones: count(false),
    victimsAtOnce: count(false, 'about'),
    clonesMissed: count(false, 'none'),
  };
};
