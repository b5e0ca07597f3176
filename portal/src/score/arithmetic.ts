import { METHODOLOGIES, type Methodology, type ScoreFacts } from '@broker-transparency/contract/score';

/** The score whose arithmetic is shown, as the published functions return it. */
export interface Scored {
  readonly value: number | null;
  readonly rawValue: number;
  readonly color: string;
  readonly methodologyVersion: string;
  readonly computedAt: string;
  readonly confidence: {
    readonly level: string;
    readonly effectiveReviews: number;
    readonly low: number | null;
    readonly high: number | null;
  };
  readonly components: readonly {
    readonly key: string;
    readonly weight: number;
    readonly score: number;
    readonly contribution: number;
    readonly inputs: Readonly<Record<string, number>>;
  }[];
  readonly caps: readonly { readonly code: string; readonly limit: number; readonly reason: string }[];
}

/** The facts of a score but its complaints, which the score has as inputs. */
export type ShownFacts = Omit<ScoreFacts, 'complaints'>;

/** How a number is written in a formula. */
export type Write = (value: number) => string;

/** One line of arithmetic. What `text` says, with numbers that are written in full, is `result`. */
export interface Formula {
  readonly name: FormulaName;
  /** Of whom it is, where there are several: the legal name of an entity. */
  readonly of?: string;
  readonly text: string;
  readonly result: number;
  /** The licences in it. */
  readonly licenses?: readonly UsedLicense[];
}
type FormulaName =
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

/** A licence that counts in the strength of an entity. */
export interface UsedLicense {
  readonly regulatorCode: string;
  /** The regulator that it counts as, where that is another one. */
  readonly countsAs?: string;
  readonly tier: number;
  readonly status: string;
  readonly q: number;
  readonly s: number;
}

/** The reviews of a month, with what they weigh. */
interface WeighedMonth {
  readonly month: string;
  readonly count: number;
  readonly ageDays: number;
  /** Weight of one review. */
  readonly weight: number;
  /** Sum of their stars. */
  readonly stars: number;
}

/** A component with the formulas that lead to its points, in order. */
export interface ComponentSteps {
  readonly key: string;
  readonly formulas: readonly Formula[];
  /** Points times weight. */
  readonly contribution: Formula;
  readonly months?: readonly WeighedMonth[];
}

/** A score, step by step. */
export interface Arithmetic {
  readonly score: Scored;
  readonly components: readonly ComponentSteps[];
  readonly sum: Formula;
  /** Undefined for a broker that is not rated. */
  readonly capped: Formula | undefined;
  readonly effectiveReviews: Formula;
}

const DAY = 86_400_000;
const day = (time: string): number => Math.floor(Date.parse(time) / DAY);

const inputsOf = ({ components }: Scored, key: string): Readonly<Record<string, number>> =>
  components.find((component) => component.key === key)?.inputs ?? {};

const numberIn = (inputs: Readonly<Record<string, number>>, name: string): number => inputs[name] ?? Number.NaN;

/** The licences of an entity that count: of each regime the best authorisation. */
const usedLicenses = (facts: ShownFacts, legalName: string, { numbers }: Steps): UsedLicense[] => {
  const best = new Map<string, UsedLicense>();
  for (const { entity, regulatorCode, type, tier, status } of facts.licenses) {
    if (entity.legalName !== legalName || type !== 'authorisation') continue;
    const regime = numbers.regimes[regulatorCode] ?? regulatorCode;
    const [q, s] = [numbers.tierStrength[tier as 1] ?? Number.NaN, numbers.licenseStrength[status as 'active'] ?? 0];
    const known = best.get(regime);
    if (known !== undefined && known.q * known.s >= q * s) continue;
    best.set(regime, {
      regulatorCode,
      ...(regime === regulatorCode ? {} : { countsAs: regime }),
      tier,
      status,
      q,
      s,
    });
  }
  return [...best.values()].sort((a, b) => b.q * b.s - a.q * a.s);
};

/** What the steps are made with. */
interface Steps {
  readonly score: Scored;
  readonly numbers: Methodology;
  readonly write: Write;
}

const nano = (value: number): number => Math.round(value * 1e9) / 1e9;

const regulationSteps = (facts: ShownFacts, steps: Steps): Formula[] => {
  const { write: n, score } = steps;
  const retail = facts.entities.filter(({ retailClients }) => retailClients);
  const counted = retail.length > 0 ? retail : facts.entities;
  const entities = counted.map(({ legalName }): Formula => {
    const licenses = usedLicenses(facts, legalName, steps);
    const factors = licenses.map(({ q, s }) => `(1 − ${n(q)} · ${n(s)})`);
    return {
      name: 'entity',
      of: legalName,
      text: `100 · (1 − ${factors.join(' · ') || '1'})`,
      result: nano(100 * (1 - licenses.reduce((open, { q, s }) => open * (1 - q * s), 1))),
      licenses,
    };
  });
  const inputs = inputsOf(score, 'regulation');
  const text = `(${n(numberIn(inputs, 'strongest'))} + ${n(numberIn(inputs, 'weakest'))}) / 2`;
  return [...entities, { name: 'regulation', text, result: pointsOf(score, 'regulation') }];
};

const pointsOf = ({ components }: Scored, key: string): number =>
  components.find((component) => component.key === key)?.score ?? Number.NaN;

/** Reviews by month, oldest first, with what they weigh at the time of the score. */
const weighedMonths = (facts: Pick<ShownFacts, 'ratingsByMonth'>, { score, numbers }: Steps): WeighedMonth[] =>
  [...facts.ratingsByMonth]
    .sort((a, b) => (a.month < b.month ? -1 : 1))
    .map(({ month, count, sum }) => {
      const ageDays = Math.max(0, day(score.computedAt) - day(`${month}-01T00:00:00Z`));
      const weight = 2 ** (-ageDays / numbers.ratingPrior.halfLifeDays);
      return { month, count, ageDays, weight, stars: sum / 100 };
    });

const ratingSteps = ({ score, numbers, write: n }: Steps): Formula[] => {
  const { mean, count } = numbers.ratingPrior;
  const inputs = inputsOf(score, 'userRating');
  const [weight, weighted, stars] = ['weight', 'weightedStars', 'stars'].map((name) => numberIn(inputs, name));
  return [
    {
      name: 'stars',
      text: `(${n(count)} · ${n(mean)} + ${n(weighted as number)}) / (${n(count)} + ${n(weight as number)})`,
      result: stars as number,
    },
    { name: 'userRating', text: `(${n(stars as number)} − 1) / 4 · 100`, result: pointsOf(score, 'userRating') },
  ];
};

const complaintSteps = ({ score, numbers, write: n }: Steps): Formula[] => {
  const { count, resolvedShare, timelyShare } = numbers.complaintPrior;
  const inputs = inputsOf(score, 'complaints');
  const [closed, resolved, timely] = ['closed', 'resolved', 'timely'].map((name) => n(numberIn(inputs, name)));
  const rate = (part: string | undefined): string => `(${part} + ${n(count)}) / (${closed} + ${n(count)})`;
  const text = `100 · (${n(resolvedShare)} · ${rate(resolved)} + ${n(timelyShare)} · ${rate(timely)})`;
  return [{ name: 'complaints', text, result: pointsOf(score, 'complaints') }];
};

const transparencySteps = ({ score, write: n }: Steps): Formula[] => {
  const inputs = inputsOf(score, 'transparency');
  const text = `100 · ${n(numberIn(inputs, 'met'))} / ${n(numberIn(inputs, 'total'))}`;
  return [{ name: 'transparency', text, result: pointsOf(score, 'transparency') }];
};

const longevitySteps = ({ score, numbers, write: n }: Steps): Formula[] => {
  const years = numberIn(inputsOf(score, 'longevity'), 'years');
  const text = `100 · min(1; ln(1 + ${n(years)}) / ln(1 + ${n(numbers.longevityFullYears)}))`;
  return [{ name: 'longevity', text, result: pointsOf(score, 'longevity') }];
};

const formulasOf = (key: string, facts: ShownFacts, steps: Steps): Formula[] => {
  const all: Readonly<Record<string, () => Formula[]>> = {
    regulation: () => regulationSteps(facts, steps),
    userRating: () => ratingSteps(steps),
    complaints: () => complaintSteps(steps),
    transparency: () => transparencySteps(steps),
    longevity: () => longevitySteps(steps),
  };
  return all[key]?.() ?? [];
};

/** `(Σw)² / Σw²` over the months. */
const effectiveReviews = (months: readonly WeighedMonth[], { score, write: n }: Steps): Formula => {
  const sum = (of: (month: WeighedMonth) => number): number => months.reduce((all, each) => all + of(each), 0);
  const squares = sum(({ count, weight }) => count * weight * weight);
  const result = score.confidence.effectiveReviews;
  const text = squares === 0 ? n(0) : `${n(sum(({ count, weight }) => count * weight))}² / ${n(squares)}`;
  return { name: 'effectiveReviews', text, result };
};

/** The numbers of a version. @throws RangeError for one that is not known here */
export const methodologyOf = (version: string): Methodology => {
  const found = METHODOLOGIES.find((each) => each.version === version);
  if (found) return found;
  throw new RangeError(`no methodology ${version} here`);
};

/**
 * Takes a score apart into the lines of arithmetic that lead to it. The numbers are those of the score; a line that does
 * not follow from the ones before would show.
 * @param facts what the score was computed from
 */
export const arithmeticOf = (facts: ShownFacts, score: Scored, write: Write): Arithmetic => {
  const steps: Steps = { score, write, numbers: methodologyOf(score.methodologyVersion) };
  const months = weighedMonths(facts, steps);
  const components = score.components.map(({ key, weight, score: points, contribution }): ComponentSteps => {
    const product: Formula = {
      name: 'contribution',
      text: `${write(points)} · ${write(weight)}`,
      result: contribution,
    };
    const made = { key, formulas: formulasOf(key, facts, steps), contribution: product };
    return key === 'userRating' ? { ...made, months } : made;
  });
  const limits = [score.rawValue, ...score.caps.map(({ limit }) => limit), 100];
  return {
    score,
    components,
    sum: {
      name: 'rawValue',
      text: score.components.map(({ contribution }) => write(contribution)).join(' + '),
      result: score.rawValue,
    },
    capped:
      score.value === null
        ? undefined
        : { name: 'capped', text: `min(${limits.map(write).join('; ')})`, result: Math.min(...limits) },
    effectiveReviews: effectiveReviews(months, steps),
  };
};
