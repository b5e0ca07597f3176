import type { ScoreFacts } from './facts.ts';
import type { Methodology } from './methodologies.ts';
import type { Score } from './schema.ts';
import { findMethodology, nano } from './score.ts';

/** A licence that counts in the strength of an entity. */
export interface CountedLicense {
  readonly regulatorCode: string;
  /** The regulator that it counts as, where that is another one. */
  readonly countsAs?: string;
  readonly tier: number;
  readonly status: string;
  /** Strength by the tier of the regulator. */
  readonly q: number;
  /** Share by the status of the licence. */
  readonly s: number;
}

/** The reviews of a month, with what they weigh. */
export interface WeighedMonth {
  readonly month: string;
  readonly count: number;
  readonly ageDays: number;
  /** Weight of one review. */
  readonly weight: number;
  /** Sum of their stars. */
  readonly stars: number;
}

/** One line of arithmetic. `result` is the value of `text` with unrounded numbers. */
export interface Formula {
  readonly name:
    | 'entity'
    | 'regulation'
    | 'stars'
    | 'userRating'
    | 'complaints'
    | 'transparency'
    | 'longevity'
    | 'rawValue'
    | 'capped'
    | 'effectiveReviews'
    | 'contribution';
  readonly text: string;
  readonly result: number;
  /** Legal name of the entity, if there are several. */
  readonly of?: string;
  /** The licences in it. */
  readonly licenses?: readonly CountedLicense[];
}

/** A component with the formulas that lead to its points, in order. */
export interface ExplainedComponent {
  readonly key: string;
  readonly formulas: readonly Formula[];
  /** Points times weight. */
  readonly contribution: Formula;
  /** Months of the reviews. */
  readonly months?: readonly WeighedMonth[];
}

/** A score, step by step. */
export interface ExplainedScore {
  readonly score: Score;
  readonly components: readonly ExplainedComponent[];
  readonly sum: Formula;
  /** Undefined for a broker that is not rated. */
  readonly capped: Formula | undefined;
  readonly effectiveReviews: Formula;
}

/** The inputs of lines. */
interface ExplainContext {
  readonly facts: Omit<ScoreFacts, 'complaints'>;
  readonly score: Score;
  readonly numbers: Methodology;
  readonly write: (value: number) => string;
}

/** The licences of an entity that count: of each regime the best authorisation. */
const countedLicenses = (legalName: string, { facts, numbers }: ExplainContext): CountedLicense[] => {
  const best = new Map<string, CountedLicense>();
  for (const { entity, regulatorCode, type, tier, status } of facts.licenses) {
    if (entity.legalName !== legalName || type !== 'authorisation') continue;
    const regime = numbers.regimes[regulatorCode] ?? regulatorCode;
    const [q, s] = [numbers.tierStrength[tier as 1], numbers.licenseStrength[status as 'active']];
    const known = best.get(regime);
    if (known && known.q * known.s >= q * s) continue;
    best.set(regime, { regulatorCode, ...(regime !== regulatorCode && { countsAs: regime }), tier, status, q, s });
  }
  return [...best.values()].sort((a, b) => b.q * b.s - a.q * a.s);
};

const entityFormulas = (given: ExplainContext): Formula[] => {
  const { write, facts } = given;
  const retail = facts.entities.filter(({ retailClients }) => retailClients);
  return (retail.length > 0 ? retail : facts.entities).map(({ legalName }) => {
    const licenses = countedLicenses(legalName, given);
    const factors = licenses.map(({ q, s }) => `(1 − ${write(q)} · ${write(s)})`);
    return {
      name: 'entity',
      of: legalName,
      text: `100 · (1 − ${factors.join(' · ') || '1'})`,
      result: nano(100 * (1 - licenses.reduce((open, { q, s }) => open * (1 - q * s), 1))),
      licenses,
    };
  });
};

/** Returns the formulas of a component's points; none for an unknown component. */
const componentFormulas = (
  { key, score: result, inputs }: Score['components'][number],
  given: ExplainContext,
): Formula[] => {
  const { numbers, write } = given;
  const input = (name: string): string => write(inputs[name] ?? Number.NaN);
  switch (key) {
    case 'regulation': {
      const text = `(${input('strongest')} + ${input('weakest')}) / 2`;
      return [...entityFormulas(given), { name: 'regulation', text, result }];
    }
    case 'userRating': {
      const [mean, count] = [write(numbers.ratingPrior.mean), write(numbers.ratingPrior.count)];
      const text = `(${count} · ${mean} + ${input('weightedStars')}) / (${count} + ${input('weight')})`;
      return [
        { name: 'stars', text, result: inputs['stars'] ?? Number.NaN },
        { name: 'userRating', text: `(${input('stars')} − 1) / 4 · 100`, result },
      ];
    }
    case 'complaints': {
      const { count, resolvedShare, timelyShare } = numbers.complaintPrior;
      const part = (share: number, name: string): string =>
        `${write(share)} · (${input(name)} + ${write(count)}) / (${input('closed')} + ${write(count)})`;
      const text = `100 · (${part(resolvedShare, 'resolved')} + ${part(timelyShare, 'timely')})`;
      return [{ name: 'complaints', text, result }];
    }
    case 'transparency':
      return [{ name: 'transparency', text: `100 · ${input('met')} / ${input('total')}`, result }];
    case 'longevity': {
      const text = `100 · min(1; ln(1 + ${input('years')}) / ln(1 + ${write(numbers.longevityFullYears)}))`;
      return [{ name: 'longevity', text, result }];
    }
    default:
      return [];
  }
};

const utcDay = (time: string): number => Math.floor(Date.parse(time) / 86_400_000);

/** Reviews by month, oldest first, with what they weigh at the time of the score. */
const weighMonths = ({ facts, score, numbers }: ExplainContext): WeighedMonth[] =>
  facts.ratingsByMonth
    .map(({ month, count, sum }) => {
      const ageDays = Math.max(0, utcDay(score.computedAt) - utcDay(`${month}-01T00:00:00Z`));
      return { month, count, ageDays, weight: 2 ** (-ageDays / numbers.ratingPrior.halfLifeDays), stars: sum / 100 };
    })
    .sort((a, b) => (a.month < b.month ? -1 : 1));

/** `(Σw)² / Σw²` over the months. */
const effectiveReviews = (months: readonly WeighedMonth[], { score, write }: ExplainContext): Formula => {
  const sum = (power: 1 | 2): number => months.reduce((all, { count, weight }) => all + count * weight ** power, 0);
  const text = sum(2) === 0 ? write(0) : `${write(sum(1))}² / ${write(sum(2))}`;
  return { name: 'effectiveReviews', text, result: score.confidence.effectiveReviews };
};

/**
 * Returns the lines of arithmetic of a score. The numbers are those of the score, so that a wrong line is visible.
 * @param facts the inputs of the score, all of which are in the answer of a broker
 * @param write formats a number in a line
 * @example explainScore(broker, broker.score).components[0].contribution.text // '75 · 0.4'
 * @throws RangeError for a score by a version that this package does not know
 */
export const explainScore = (
  facts: Omit<ScoreFacts, 'complaints'>,
  score: Score,
  write: (value: number) => string = String,
): ExplainedScore => {
  const given: ExplainContext = { facts, score, numbers: findMethodology(score.methodologyVersion), write };
  const months = weighMonths(given);
  const limits = [score.rawValue, ...score.caps.map(({ limit }) => limit), 100];
  return {
    score,
    components: score.components.map((component) => {
      const { key, weight, score: points, contribution: result } = component;
      const contribution: Formula = { name: 'contribution', text: `${write(points)} · ${write(weight)}`, result };
      const formulas = componentFormulas(component, given);
      return { key, formulas, contribution, ...(key === 'userRating' && { months }) };
    }),
    sum: {
      name: 'rawValue',
      text: score.components.map(({ contribution }) => write(contribution)).join(' + '),
      result: score.rawValue,
    },
    capped:
      score.value === null
        ? undefined
        : { name: 'capped', text: `min(${limits.map(write).join('; ')})`, result: Math.min(...limits) },
    effectiveReviews: effectiveReviews(months, given),
  };
};
