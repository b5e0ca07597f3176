import { MOST_OUTAGES, type ServiceLevelReport } from '@broker-transparency/contract/enterprise';
import {
  allowedMinutes,
  burnStates,
  burnWindows,
  creditOf,
  DAY_MINUTES,
  hasVote,
  type MeasuredDay,
  type MonthFigures,
  minuteNumber,
  minuteText,
  monthFigures,
  monthSpan,
  type Objectives,
  outagesOf,
  SETTLE_MINUTES,
  type ServiceLevelMonth,
  saysOf,
  statesOf,
} from '@broker-transparency/contract/service-level';

/** Minutes that alerts look back. */
const LOOK_BACK = Math.max(...burnWindows().values());

/** A part of time, by minutes as results have them: from its first to the one after its last. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Returns the first minute whose results need not have arrived yet. */
const settledAt = (now: Date): string => minuteText(minuteNumber(now.toISOString()) - SETTLE_MINUTES);

/** What counts of a month at a time. */
export interface MonthAt {
  readonly month: string;
  /** What counts so far. */
  readonly span: Span;
  /** Where the month ends. */
  readonly end: string;
}

/** Texts of minutes are in the order of time. */
const later = (one: string, other: string): string => (one > other ? one : other);
const earlier = (one: string, other: string): string => (one < other ? one : other);

/** Returns what counts of a month; a sentence if nothing does. */
export const monthAt = (month: string, began: string | undefined, now: Date): MonthAt | string => {
  if (began === undefined) return 'The service level has not begun: no prober is registered yet.';
  const whole = monthSpan(month);
  const start = minuteText(minuteNumber(began));
  if (whole.to <= start) return `The service level began at ${start}: in ${month} no prober had a vote.`;
  if (now.getTime() < Date.parse(whole.from)) return `${month} has not begun yet.`;
  const from = later(whole.from, start);
  return { month, span: { from, to: later(from, earlier(whole.to, settledAt(now))) }, end: whole.to };
};

/** Whether the month goes on: only then there are alerts. */
export const isRunning = ({ span, end }: MonthAt): boolean => span.to < end;

/** What is known of a month. */
export interface KnownMonth extends MonthAt {
  /** Every day with minutes that count. */
  readonly days: readonly MeasuredDay[];
  /** Days that end in the minutes that alerts look at; none if the month is over. */
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

const budgetOf = ({ span, end, objectives }: KnownMonth, { minutes, up }: MonthFigures) => {
  const whole = minuteNumber(end) - minuteNumber(span.from);
  const allowed = allowedMinutes(objectives, whole);
  const spent = minutes - up;
  return { minutes: allowed, spent, left: allowed - spent, credit: creditOf(objectives, whole - spent, whole) };
};

/** Returns the part of a span that lies in a day. */
const within = (date: string, { from, to }: Span): Span => {
  const midnight = `${date}T00:00Z`;
  const next = minuteText(minuteNumber(midnight) + DAY_MINUTES);
  return { from: later(midnight, from), to: earlier(next, to) };
};

const dayOf = (day: MeasuredDay, span: Span, entries: KnownMonth['entries']) => {
  const states = statesOf({ days: [day], ...within(day.date, span) });
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const counts = { minutes: states.length, up: count('up'), unmeasured: count('unmeasured') };
  return { date: day.date, ...counts, entry: entries.get(day.date) ?? null };
};

/** A prober's share of a day. */
const shareOf = (prober: MeasuredDay['probers'][number], { from, to }: Span) => {
  const [first, end] = [minuteNumber(from), minuteNumber(to)];
  const says = [...saysOf(prober)].filter(([minute]) => minute >= first && minute < end && hasVote(prober, minute));
  const since = Math.max(first, minuteNumber(prober.since));
  const until = prober.until === undefined ? end : Math.min(end, minuteNumber(prober.until));
  const up = says.filter(([, isUp]) => isUp).length;
  return { name: prober.name, votes: Math.max(0, until - since), measured: says.length, up };
};

const sharesOf = ({ days, span }: KnownMonth): ServiceLevelReport['probers'] => {
  const shares = days.flatMap(({ date, probers }) => probers.map((prober) => shareOf(prober, within(date, span))));
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

/** Returns the minutes that alerts look at. */
export const lookBack = (began: string, now: Date): Span => {
  const to = settledAt(now);
  return { from: later(minuteText(minuteNumber(began)), minuteText(minuteNumber(to) - LOOK_BACK)), to };
};

const figuresOf = ({ month: _, objectives: __, ...figures }: ServiceLevelMonth): MonthFigures => figures;

/** Returns the report of a month. */
export const monthReport = (known: KnownMonth, now: Date): ServiceLevelReport => {
  const { month, span, days, lately, began, version, objectives, entries, final } = known;
  const figures = final ? figuresOf(final) : monthFigures({ days, ...span, objectives });
  const states = statesOf({ days, ...span });
  // Lines are not kept for ever: then only the figures are known, by their entry.
  const isKept = figures.up === states.filter((state) => state === 'up').length;
  const outages = isKept ? outagesOf(states, minuteNumber(span.from)) : [];
  return {
    month,
    objectives: version,
    isFinal: final !== undefined,
    entry: entries.get(month) ?? null,
    figures,
    budget: budgetOf(known, figures),
    burn: isRunning(known) ? burnStates(statesOf({ days: lately, ...lookBack(began, now) }), objectives) : [],
    outages: outages.slice(0, MOST_OUTAGES),
    moreOutages: Math.max(0, outages.length - MOST_OUTAGES),
    probers: isKept ? sharesOf(known) : [],
    days: isKept ? days.map((day) => dayOf(day, span, entries)).filter(({ minutes }) => minutes > 0) : [],
  };
};
