import {
  type CountedPeriod,
  computeStates,
  DAY_MINUTES,
  findOutages,
  type MeasuredDay,
  type MinuteState,
  minuteNumber,
  monthFigures,
  OBJECTIVES,
  OBJECTIVES_VERSION,
  type Objectives,
  type ServiceLevelDay,
} from '@broker-transparency/service-level';
import type { Outage, ServiceLevelFigures } from '../generated/enterprise.ts';
import { parseDay, readDay } from './day.ts';
import { readEntry } from './entry.ts';
import type { MonthFiles, MonthProblem } from './files.ts';
import { listMonthDates } from './months.ts';
import { checkVoters } from './voters.ts';

/** The month to recompute, and the reader's policy of trust. */
export interface RecomputeOptions {
  /** `YYYY-MM` */
  readonly month: string;
  readonly files: MonthFiles;
  /** A policy file (c2sp.org/tlog-policy): the log, and the witnesses. */
  readonly policy: string;
  /** Verifier keys of probers that are known from elsewhere. Others are taken from the entries of the days. */
  readonly proberKeys?: readonly string[] | undefined;
  /** Counts these probers alone, as if nobody else had a vote. The month's entry is then not compared. */
  readonly only?: readonly string[] | undefined;
}

/** A figure that the service and the results do not agree about. */
export interface MonthDifference {
  /** Such as `up` or `speeds.freshness.ms`. */
  readonly figure: string;
  readonly published: unknown;
  readonly recomputed: unknown;
}

/** A day of a month. */
export interface RecomputedDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Number of its entry; null if no entry is proven. */
  readonly entry: number | null;
  readonly minutes: number;
  readonly up: number;
  readonly unmeasured: number;
}

/** The final figures of a month, as the record has them. */
export interface PublishedMonth extends ServiceLevelFigures {
  /** `YYYY-MM` */
  readonly month: string;
  /** Version of the objectives. */
  readonly objectives: string;
}

/** The month's figures as the results give them, and what does not fit. */
export interface RecomputedMonth {
  readonly month: string;
  /** Version of the objectives. */
  readonly objectives: string;
  readonly figures: ServiceLevelFigures;
  readonly outages: readonly Outage[];
  readonly days: readonly RecomputedDay[];
  /** The final figures of the service; null if no entry is proven, or they were not requested. */
  readonly published: { readonly entry: number; readonly value: PublishedMonth } | null;
  readonly differences: readonly MonthDifference[];
  readonly problems: readonly MonthProblem[];
  /**
   * Weakest of all proofs: `witnessed` if the policy requires witnesses, `logged` without; null if nothing is proven.
   */
  readonly level: 'logged' | 'witnessed' | null;
}

/** The entries of some days. */
type DayEntries = ReadonlyMap<string, { readonly entry: number; readonly day: ServiceLevelDay }>;

/**
 * Returns the first minute that counts: the month's, unless the service level began in it. It began with the first vote
 * on the first day that has an entry, if nobody had a vote before that day.
 */
const findFirstMinute = (sealed: DayEntries, first: string, claimed: string | undefined): string => {
  const midnight = `${first}T00:00Z`;
  const [begin] = [...sealed.values()];
  if (begin === undefined || begin.day.date < first) return midnight;
  const votes = begin.day.probers.map(({ since }) => since).sort();
  const [began] = votes;
  if (began === undefined || began < `${begin.day.date}T00:00Z`) return midnight;
  // a prober that lost its vote before this day is not on it: then the service counts more minutes, and the comparison
  // shows it
  return claimed !== undefined && claimed >= midnight && claimed < began ? claimed : began;
};

/** Returns every value in an object of objects by its path. */
const flattenByPath = (value: unknown, path = ''): Map<string, unknown> => {
  if (typeof value !== 'object' || value === null) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, each]) => [...flattenByPath(each, path === '' ? name : `${path}.${name}`)]),
  );
};

const findDifferences = (published: unknown, recomputed: PublishedMonth): MonthDifference[] => {
  const [said, found] = [flattenByPath(published), flattenByPath(recomputed)];
  return [...new Set([...found.keys(), ...said.keys()])]
    .filter((figure) => said.get(figure) !== found.get(figure) || !said.has(figure))
    .map((figure) => ({ figure, published: said.get(figure) ?? null, recomputed: found.get(figure) ?? null }));
};

/** Files of probers that no entry knows. */
const findUnknownProbers = (
  paths: readonly string[],
  sealed: DayEntries,
  isAsked: (prober: string) => boolean,
): MonthProblem[] =>
  paths.flatMap((path) => {
    const [, prober, date] = /^results\/([^/]+)\/(\d{4}-\d\d-\d\d)\.ndjson$/.exec(path) ?? [];
    const day = date === undefined ? undefined : sealed.get(date)?.day;
    if (prober === undefined || date === undefined || day === undefined || !isAsked(prober)) return [];
    if (day.probers.some(({ name }) => name === prober)) return [];
    return [{ prober, date, why: 'the entry of the day does not have this prober: its results do not count' }];
  });

/** Cuts the states of a month into days. */
const splitDays = (
  states: readonly MinuteState[],
  { days, from }: CountedPeriod,
  sealed: DayEntries,
): RecomputedDay[] =>
  days.map(({ date }) => {
    const midnight = minuteNumber(`${date}T00:00Z`) - minuteNumber(from);
    const own = states.slice(Math.max(0, midnight), midnight + DAY_MINUTES);
    const count = (state: MinuteState): number => own.filter((each) => each === state).length;
    return {
      date,
      entry: sealed.get(date)?.entry ?? null,
      minutes: own.length,
      up: count('up'),
      unmeasured: count('unmeasured'),
    };
  });

/** A day that nobody is known to have measured. */
const toUnmeasuredDay = (date: string): MeasuredDay => ({ date, probers: [] });

const findObjectives = (sealed: DayEntries, report: (problem: MonthProblem) => void): readonly [string, Objectives] => {
  const current = OBJECTIVES[OBJECTIVES_VERSION] as Objectives;
  const versions = new Set([...sealed.values()].map(({ day }) => day.objectives));
  const [version = OBJECTIVES_VERSION, ...others] = versions;
  if (others.length > 0) report({ why: `its days name several objectives: ${[...versions].join(', ')}` });
  if (Object.hasOwn(OBJECTIVES, version)) return [version, OBJECTIVES[version] as Objectives];
  report({ why: `this package does not know the objectives ${version.slice(0, 40)}: a newer one does` });
  return [OBJECTIVES_VERSION, current];
};

/**
 * Recomputes the service level of a month from probers' signed results, without any request. Returns the same figures
 * as the service's, or all differences. Unproven minutes count as not up. It runs on Node.
 * @throws VerifyError about the policy, or if this platform cannot verify signatures
 * @throws RangeError if the month is none
 * @example
 * const { figures, problems, differences } = await recomputeMonth({ month: '2026-10', files, policy });
 */
export const recomputeMonth = async (options: RecomputeOptions): Promise<RecomputedMonth> => {
  const { month, files, policy, only } = options;
  const { eve: before, dates, end } = listMonthDates(month);
  const first = dates[0] as string;
  const problems: MonthProblem[] = [];
  const report = (problem: MonthProblem): void => void problems.push(problem);
  const pinned = new Map((options.proberKeys ?? []).map((key) => [key.split('+')[0] ?? '', key]));
  const isAsked = (prober: string): boolean => only === undefined || only.includes(prober);
  const levels = new Set<'logged' | 'witnessed'>();

  const readDayEntry = async (date: string, say: (problem: { why: string }) => void) => {
    const found = await readEntry(files, { path: `days/${date}`, key: `service-level/${date}`, policy, report: say });
    if (!found) return undefined;
    levels.add(found.proof.level);
    const day = parseDay(found.value, date);
    if (!day) say({ why: `days/${date}.proof: the entry is not that of a day` });
    return day && { entry: found.proof.index, day };
  };

  const monthEntry =
    only === undefined
      ? await readEntry(files, { path: `months/${month}`, key: `service-level/${month}`, policy, report })
      : undefined;
  if (monthEntry) levels.add(monthEntry.proof.level);
  const value = monthEntry?.value as PublishedMonth | undefined;

  // the last day before tells who had a vote when the month began; it may be missing
  const eve = await readDayEntry(before, () => {});
  const known = new Map(eve ? [[eve.day.date, eve]] : []);
  const lacking = new Map<string, MonthProblem[]>();
  for (const date of dates) {
    const found: MonthProblem[] = [];
    const day = await readDayEntry(date, ({ why }) => void found.push({ date, why }));
    if (day) known.set(date, day);
    if (found.length > 0) lacking.set(date, found);
  }
  const from = findFirstMinute(known, first, typeof value?.from === 'string' ? value.from : undefined);
  const to = `${end}T00:00Z`;
  for (const [date, found] of lacking) if (date >= from.slice(0, 10)) problems.push(...found);
  const entries = [...known.values()].map(({ day }) => day);
  checkVoters(
    entries,
    (problem) => (problem.date as string) >= first && isAsked(problem.prober as string) && report(problem),
  );

  const days: MeasuredDay[] = [];
  for (const date of dates.filter((each) => each >= from.slice(0, 10))) {
    const day = known.get(date)?.day;
    days.push(day ? await readDay(files, { day, pinned, only, report }) : toUnmeasuredDay(date));
  }
  problems.push(...findUnknownProbers(await files.list(), known, isAsked));

  const [version, objectives] = findObjectives(new Map([...known].filter(([date]) => date >= first)), report);
  const counted: CountedPeriod = { days, from, to, objectives };
  const figures = monthFigures(counted);
  const states = computeStates(counted);
  return {
    month,
    objectives: version,
    figures,
    outages: findOutages(states, minuteNumber(from)),
    days: splitDays(states, counted, known),
    published: monthEntry && value ? { entry: monthEntry.proof.index, value } : null,
    differences: monthEntry ? findDifferences(value, { ...figures, month, objectives: version }) : [],
    problems,
    level: levels.size === 0 ? null : levels.has('logged') ? 'logged' : 'witnessed',
  };
};
