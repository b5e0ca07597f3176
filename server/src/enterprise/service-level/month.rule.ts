import type { ServiceLevelReport } from '@broker-transparency/contract/enterprise';
import {
  allowedMinutes,
  burnStates,
  burnWindows,
  collectVotes,
  computeCredit,
  computeStates,
  DAY_MINUTES,
  findOutages,
  hasVote,
  type MeasuredDay,
  MOST_OUTAGES,
  type MonthFigures,
  minuteNumber,
  minuteText,
  monthFigures,
  monthSpan,
  type Objectives,
  SETTLE_MINUTES,
  type ServiceLevelMonth,
} from '@broker-transparency/service-level';

/** Minutes that alerts cover. */
const LOOK_BACK = Math.max(...burnWindows().values());

/** A period in minutes of results: from its first minute to the one after its last. */
export interface CountedSpan {
  readonly from: string;
  readonly to: string;
}

/** Returns the first minute whose results need not have arrived yet. */
const findSettledMinute = (now: Date): string => minuteText(minuteNumber(now.toISOString()) - SETTLE_MINUTES);

/** The part of a month that counts at a time. */
export interface MonthProgress {
  readonly month: string;
  /** The part that counts so far. */
  readonly span: CountedSpan;
  /** End of the month. */
  readonly end: string;
}

/** Returns the later minute. Texts of minutes sort by time. */
const maxMinute = (one: string, other: string): string => (one > other ? one : other);
const minMinute = (one: string, other: string): string => (one < other ? one : other);

/** Returns the part of a month that counts; a sentence if nothing counts. */
export const findMonthProgress = (month: string, began: string | undefined, now: Date): MonthProgress | string => {
  if (began === undefined) return 'The service level has not begun: no prober is registered yet.';
  const whole = monthSpan(month);
  const start = minuteText(minuteNumber(began));
  if (whole.to <= start) return `The service level began at ${start}: in ${month} no prober had a vote.`;
  if (now.getTime() < Date.parse(whole.from)) return `${month} has not begun yet.`;
  const from = maxMinute(whole.from, start);
  return { month, span: { from, to: maxMinute(from, minMinute(whole.to, findSettledMinute(now))) }, end: whole.to };
};

/** Returns true if the month is not over: only then there are alerts. */
export const isRunning = ({ span, end }: MonthProgress): boolean => span.to < end;

/** The measurements of a month. */
export interface MeasuredMonth extends MonthProgress {
  /** All days with minutes that count. */
  readonly days: readonly MeasuredDay[];
  /** Days with minutes that alerts cover; none if the month is over. */
  readonly lately: readonly MeasuredDay[];
  /** The first minute in which any prober had a vote. */
  readonly began: string;
  readonly version: string;
  readonly objectives: Objectives;
  /** Numbers of entries by day, and by month. */
  readonly entries: ReadonlyMap<string, number>;
  /** The final figures. */
  readonly final?: ServiceLevelMonth | undefined;
}

const computeBudget = ({ span, end, objectives }: MeasuredMonth, { minutes, up }: MonthFigures) => {
  const whole = minuteNumber(end) - minuteNumber(span.from);
  const allowed = allowedMinutes(objectives, whole);
  const spent = minutes - up;
  return { minutes: allowed, spent, left: allowed - spent, credit: computeCredit(objectives, whole - spent, whole) };
};

/** Returns the part of a span that lies in a day. */
const clipToDay = (date: string, { from, to }: CountedSpan): CountedSpan => {
  const midnight = `${date}T00:00Z`;
  const next = minuteText(minuteNumber(midnight) + DAY_MINUTES);
  return { from: maxMinute(midnight, from), to: minMinute(next, to) };
};

const summarizeDay = (day: MeasuredDay, span: CountedSpan, entries: MeasuredMonth['entries']) => {
  const states = computeStates({ days: [day], ...clipToDay(day.date, span) });
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const counts = { minutes: states.length, up: count('up'), unmeasured: count('unmeasured') };
  return { date: day.date, ...counts, entry: entries.get(day.date) ?? null };
};

/** A prober's share of a day. */
const computeShare = (prober: MeasuredDay['probers'][number], { from, to }: CountedSpan) => {
  const [first, end] = [minuteNumber(from), minuteNumber(to)];
  const says = [...collectVotes(prober)].filter(
    ([minute]) => minute >= first && minute < end && hasVote(prober, minute),
  );
  const since = Math.max(first, minuteNumber(prober.since));
  const until = prober.until === undefined ? end : Math.min(end, minuteNumber(prober.until));
  const up = says.filter(([, isUp]) => isUp).length;
  return { name: prober.name, votes: Math.max(0, until - since), measured: says.length, up };
};

const sumShares = ({ days, span }: MeasuredMonth): ServiceLevelReport['probers'] => {
  const shares = days.flatMap(({ date, probers }) =>
    probers.map((prober) => computeShare(prober, clipToDay(date, span))),
  );
  const byName = [...Map.groupBy(shares, ({ name }) => name)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byName
    .map(([name, own]) => ({
      name,
      votes: own.reduce((sum, { votes }) => sum + votes, 0),
      measured: own.reduce((sum, { measured }) => sum + measured, 0),
      up: own.reduce((sum, { up }) => sum + up, 0),
    }))
    .filter(({ votes }) => votes > 0);
};

/** Returns the minutes that alerts cover. */
export const computeAlertSpan = (began: string, now: Date): CountedSpan => {
  const to = findSettledMinute(now);
  return { from: maxMinute(minuteText(minuteNumber(began)), minuteText(minuteNumber(to) - LOOK_BACK)), to };
};

const toFigures = ({ month: _, objectives: __, ...figures }: ServiceLevelMonth): MonthFigures => figures;

/** Returns the report of a month. */
export const buildMonthReport = (known: MeasuredMonth, now: Date): ServiceLevelReport => {
  const { month, span, days, lately, began, version, objectives, entries, final } = known;
  const figures = final ? toFigures(final) : monthFigures({ days, ...span, objectives });
  const states = computeStates({ days, ...span });
  // Lines are not kept for ever: later only the figures of the entry are known.
  const isKept = figures.up === states.filter((state) => state === 'up').length;
  const outages = isKept ? findOutages(states, minuteNumber(span.from)) : [];
  return {
    month,
    objectives: version,
    isFinal: final !== undefined,
    entry: entries.get(month) ?? null,
    figures,
    budget: computeBudget(known, figures),
    burn: isRunning(known)
      ? burnStates(computeStates({ days: lately, ...computeAlertSpan(began, now) }), objectives)
      : [],
    outages: outages.slice(0, MOST_OUTAGES),
    moreOutages: Math.max(0, outages.length - MOST_OUTAGES),
    probers: isKept ? sumShares(known) : [],
    days: isKept ? days.map((day) => summarizeDay(day, span, entries)).filter(({ minutes }) => minutes > 0) : [],
  };
};
