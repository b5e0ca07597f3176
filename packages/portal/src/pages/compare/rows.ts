import type { BrokerDetail } from '@broker-transparency/client';
import { classifyLicense } from '@broker-transparency/contract';
import { groupWarnings } from '@broker-transparency/contract/score';
import { isolateText } from '../../html.ts';
import type { TextContext } from '../../page.ts';
import type { CountMessage } from '../../texts/counting.ts';
import { wordFor } from '../../words.ts';
import { allOverlap, findLeaders, isTooClose } from './leader.rule.ts';

/** A property of the compared brokers. */
export interface ComparedRow {
  readonly label: string;
  /** Null: unknown, which is not 0. */
  readonly values: readonly (string | null)[];
  readonly difference: string;
}

/** Rows that belong together. */
export interface ComparedGroup {
  readonly title: string;
  readonly rows: readonly ComparedRow[];
}

/** Minimum number of closed complaints for comparing shares: below it one case could reverse the result. */
const FEW_CASES = 10;

/** Returns the ways to compare one fact of two or more brokers. Unknown values are never compared. */
const createComparison = ({ texts, format }: TextContext, brokers: readonly BrokerDetail[]) => {
  const { compare } = texts.find;
  const names = brokers.map(({ name }) => isolateText(name));
  const nameAll = (places: readonly number[]): string => format.list(places.map((at) => names[at] as string));
  const each = <T>(read: (broker: BrokerDetail) => T): T[] => brokers.map(read);

  const missing = (values: readonly unknown[]): string =>
    values.length > 2 && values.every((value) => value === null)
      ? compare.unknownAll
      : compare.unknown({ names: format.list(names.filter((_, at) => values[at] === null)) });

  /** Compares text: the same or different. */
  const text = (label: string, values: readonly (string | null)[]): ComparedRow => {
    if (values.includes(null)) return { label, values, difference: missing(values) };
    return { label, values, difference: new Set(values).size === 1 ? compare.equal : compare.differs };
  };

  /**
   * Compares numbers: the larger of two and the difference, or the largest of several. `by` writes the difference;
   * by default as the numbers.
   */
  const numbers = (
    label: string,
    values: readonly (number | null)[],
    write: (value: number) => string,
    by: (difference: number) => string = write,
  ): ComparedRow => {
    const written = values.map((value) => (value === null ? null : write(value)));
    const known = values.filter((value) => value !== null);
    if (known.length < values.length) return { label, values: written, difference: missing(values) };
    if (new Set(written).size === 1) return { label, values: written, difference: compare.equal };
    const [a = 0, b = 0] = known;
    const top = write(Math.max(...known));
    const leaders = nameAll(written.flatMap((text, at) => (text === top ? [at] : [])));
    const difference =
      values.length === 2 ? compare.more({ name: leaders, by: by(Math.abs(a - b)) }) : compare.most({ names: leaders });
    return { label, values: written, difference };
  };

  const counted =
    (forms: CountMessage, digits: number) =>
    (value: number): string =>
      forms({ count: Number(value.toFixed(digits)) });
  const count = (label: string, values: readonly number[]): ComparedRow => numbers(label, values, format.number);

  return { each, nameAll, text, numbers, count, counted };
};
type BrokerComparison = ReturnType<typeof createComparison>;

type Group = (words: TextContext, brokers: readonly BrokerDetail[], comparison: BrokerComparison) => ComparedRow[];

/** A suspected clone is not compared: its score is meaningless, and its licences are those of its victim. */
const omitClones = (
  { texts }: TextContext,
  brokers: readonly BrokerDetail[],
  rows: readonly ComparedRow[],
): ComparedRow[] => {
  const { compare } = texts.find;
  const clones = brokers.map(({ status }) => status === 'suspected_clone');
  if (!clones.includes(true)) return [...rows];
  return rows.map((row) => ({
    ...row,
    values: row.values.map((value, at) => (clones[at] ? (compare.statuses['suspected_clone'] ?? null) : value)),
    difference: compare.notCompared,
  }));
};

const compareWarnings: Group = ({ texts, format }, _, { each, text, count }) => {
  const { compare, row } = texts.find;
  /** Compares warnings. No known warning does not mean that there is none. */
  const warningsRow = (): ComparedRow => {
    const counts = each(({ warnings }) => {
      const { confirmed, unchecked } = groupWarnings(warnings);
      return { all: confirmed.length + unchecked.length, unchecked: unchecked.length };
    });
    const given = count(
      compare.warnings,
      counts.map(({ all }) => all),
    );
    const written = ({ all, unchecked }: (typeof counts)[number]): string => {
      if (all === 0) return row.noWarning;
      return unchecked === 0
        ? format.number(all)
        : compare.unconfirmed({ all: format.number(all), unchecked: format.number(unchecked) });
    };
    return { ...given, values: counts.map(written) };
  };
  return [
    text(
      compare.status,
      each(({ status }) => wordFor(compare.statuses, status)),
    ),
    warningsRow(),
  ];
};

const compareScores: Group = (words, brokers, { each, text, numbers, counted }) => {
  const { texts, format } = words;
  const { compare } = texts.find;
  const points = counted(compare.points, 1);
  const isSameVersion = new Set(brokers.map(({ score }) => score.methodologyVersion)).size === 1;
  /** Scores of different versions of the methodology are not compared. */
  const scored = (given: ComparedRow): ComparedRow =>
    isSameVersion ? given : { ...given, difference: compare.otherRules };

  const ranged = each(({ score: { value, confidence } }) => ({ value, low: confidence.low, high: confidence.high }));
  const scoreRow = (): ComparedRow => {
    const values = each(({ score }) => score.value);
    const given = numbers(compare.score, values, (value) => format.fixed(value, 1), points);
    const written = each(({ score, color }) =>
      score.value === null ? null : `${format.fixed(score.value, 1)} ${wordFor(texts.colors, color)}`,
    );
    const isTie = isTooClose(ranged) && !values.includes(null) && given.difference !== compare.equal;
    return scored({ ...given, values: written, ...(isTie ? { difference: compare.tooClose } : {}) });
  };
  const rangeRow = (): ComparedRow => {
    const written = each(({ score: { confidence } }) =>
      confidence.low === null || confidence.high === null
        ? null
        : compare.rangeOf({ low: format.fixed(confidence.low, 1), high: format.fixed(confidence.high, 1) }),
    );
    const given = text(compare.range, written);
    return scored(
      allOverlap(ranged) && given.difference === compare.differs ? { ...given, difference: compare.overlap } : given,
    );
  };
  const partRows = (): ComparedRow[] =>
    (brokers[0]?.score.components ?? []).map(({ key }) => {
      const values = each(({ score }) =>
        score.value === null ? null : (score.components.find((part) => part.key === key)?.score ?? null),
      );
      return scored(numbers(wordFor(texts.score.components, key), values, (value) => format.fixed(value, 1), points));
    });
  return omitClones(words, brokers, [scoreRow(), rangeRow(), ...partRows()]);
};

const compareSupervision: Group = (words, brokers, { each, nameAll, text, count }) => {
  const { texts, format } = words;
  const { compare, row, tier } = texts.find;
  const tierRow = (): ComparedRow => {
    // the strongest tier is the least number
    const strengths = each(({ bestTier }) => -(bestTier ?? 9));
    const written = each(({ bestTier }) => (bestTier === null ? row.noTier : tier({ tier: format.number(bestTier) })));
    const given = text(compare.bestTier, written);
    if (new Set(strengths).size === 1) return given;
    const leaders = nameAll(findLeaders(strengths));
    return {
      ...given,
      difference: brokers.length === 2 ? compare.stronger({ name: leaders }) : compare.strongest({ names: leaders }),
    };
  };
  const regulatorsRow = (): ComparedRow => {
    const written = each((broker) => {
      const confirmed = broker.licenses.filter((license) => classifyLicense(broker, license) === 'confirmed');
      const codes = [...new Set(confirmed.map(({ regulatorCode }) => regulatorCode))]
        .sort()
        .map((code) => code.toUpperCase());
      return codes.length === 0 ? compare.nobody : format.list(codes);
    });
    return text(compare.regulators, written);
  };
  const disclosureRow = (): ComparedRow => {
    const counts = each(({ checklist }) => ({
      met: checklist.filter(({ met }) => met === true).length,
      checked: checklist.filter(({ met }) => met !== null).length,
      total: checklist.length,
    }));
    const written = counts.map(({ met, checked, total }) =>
      checked === 0
        ? null
        : compare.ofChecked({ met: format.number(met), checked: format.number(checked), total: format.number(total) }),
    );
    return text(compare.disclosures, written);
  };
  return [
    ...omitClones(words, brokers, [
      tierRow(),
      count(
        compare.licences,
        each(({ licenseCounts }) => licenseCounts.confirmed),
      ),
      regulatorsRow(),
    ]),
    text(
      compare.checked,
      each(({ licensesCheckedAt }) => (licensesCheckedAt === null ? null : format.day(licensesCheckedAt))),
    ),
    disclosureRow(),
  ];
};

const comparePeople: Group = ({ texts, format }, _, { each, numbers, count, counted }) => {
  const { compare } = texts.find;
  const share = counted(compare.percentPoints, 1);
  const complaints = each(({ complaintSummary }) => complaintSummary);
  const ofComplaints = <K extends keyof BrokerDetail['complaintSummary']>(key: K) =>
    complaints.map((summary) => summary[key]);
  /** Shares of a few complaints are written as counts, and not compared. */
  const rate = (label: string, key: 'resolvedRate' | 'timelyRate'): ComparedRow => {
    const given = numbers(label, ofComplaints(key), format.percent, (difference) => share(difference * 100));
    const written = complaints.map(({ closed, [key]: value }) =>
      value === null
        ? null
        : compare.rateOf({ count: format.number(Math.round(value * closed)), closed: format.number(closed) }),
    );
    const areFew = complaints.some(({ closed }) => closed > 0 && closed < FEW_CASES);
    const isOrdered = !written.includes(null) && given.difference !== compare.equal;
    const difference = areFew && isOrdered ? compare.few({ most: format.number(FEW_CASES) }) : given.difference;
    return { label, values: written, difference };
  };
  return [
    count(
      compare.reviews,
      each(({ ratingSummary }) => ratingSummary.count),
    ),
    numbers(
      compare.average,
      each(({ ratingSummary: { average } }) => (average === null ? null : Number(average.toFixed(1)))),
      (value) => format.fixed(value, 1),
      counted(compare.stars, 1),
    ),
    count(compare.closed, ofComplaints('closed')),
    count(compare.overdue, ofComplaints('overdue')),
    rate(compare.resolved, 'resolvedRate'),
    rate(compare.timely, 'timelyRate'),
    numbers(
      compare.response,
      ofComplaints('medianResponseDays'),
      (value) => format.fixed(value, 1),
      counted(compare.days, 1),
    ),
  ];
};

const compareFirms: Group = ({ texts, format }, brokers, { each, nameAll, text, numbers }) => {
  const { compare } = texts.find;
  const foundedRow = (): ComparedRow => {
    const given = numbers(
      compare.founded,
      each(({ foundedYear }) => foundedYear),
      String,
    );
    const years = each(({ foundedYear }) => foundedYear).filter((year) => year !== null);
    if (years.length < brokers.length || new Set(years).size === 1) return given;
    const [a = 0, b = 0] = years;
    const youngest = nameAll(findLeaders(years));
    const difference =
      years.length === 2
        ? compare.later({ name: youngest, by: compare.years({ count: Math.abs(a - b) }) })
        : compare.youngest({ names: youngest });
    return { ...given, difference };
  };
  return [
    text(
      compare.legalName,
      each(({ legalName }) => legalName),
    ),
    text(
      compare.country,
      each(({ country }) => format.country(country)),
    ),
    foundedRow(),
  ];
};

/** Compares two or more brokers, row by row, and describes the differences. */
export const compareBrokers = (words: TextContext, brokers: readonly BrokerDetail[]): ComparedGroup[] => {
  const { groups } = words.texts.find.compare;
  const comparison = createComparison(words, brokers);
  const compare = (title: string, group: Group): ComparedGroup => ({ title, rows: group(words, brokers, comparison) });
  return [
    compare(groups.warnings, compareWarnings),
    compare(groups.score, compareScores),
    compare(groups.supervision, compareSupervision),
    compare(groups.people, comparePeople),
    compare(groups.firm, compareFirms),
  ];
};
