import type { MeasuredDay, MinuteState } from './minutes.ts';
import { computeDayStates, hasVote, minuteNumber, minuteText } from './minutes.ts';
import type { Objectives, SpeedObjective } from './objectives.ts';
import { CHECK_TIMEOUT_MS, type CheckName, type Measurement } from './result.ts';

/** Maximum outages of an answer. */
export const MOST_OUTAGES = 1000;

/** The speeds that are promised. */
export const SPEEDS = ['publicReads', 'enterpriseReads', 'freshness', 'webhooks'] as const;
/** One of {@link SPEEDS}. */
export type SpeedName = (typeof SPEEDS)[number];

/** A measured speed. */
export interface SpeedFigure extends SpeedObjective {
  /** Number of measurements. */
  readonly count: number;
  /** The percentile by nearest rank; null if there are no values. */
  readonly ms: number | null;
  /** null if nobody measured it. */
  readonly isMet: boolean | null;
}

/** The figures of a month, or of a part of it. All follow from results by {@link monthFigures}. */
export interface MonthFigures {
  /** The first minute that counts. */
  readonly from: string;
  /** The first minute after the counted ones. */
  readonly to: string;
  readonly minutes: number;
  readonly up: number;
  readonly unmeasured: number;
  /** `up` of `minutes`, rounded down to six digits; null if no minute counts yet. */
  readonly availability: number | null;
  readonly isMet: boolean | null;
  readonly speeds: Readonly<Record<SpeedName, SpeedFigure>>;
  /** Part of the month's price that is credited, in hundredths. */
  readonly credit: number;
}

/** The value of the entry `service-level/<YYYY-MM>`: the final figures of a month. */
export interface ServiceLevelMonth extends MonthFigures {
  /** `YYYY-MM` */
  readonly month: string;
  /** Version of the objectives. */
  readonly objectives: string;
}

/** The counted results. */
export interface CountedPeriod {
  /** Every day from that of `from` to that of the last minute before `to`, in order. */
  readonly days: readonly MeasuredDay[];
  /** The first minute: that of the month, or the first one in which any prober ever had a vote. */
  readonly from: string;
  readonly to: string;
  readonly objectives: Objectives;
}

/** Returns the states of the minutes that count, in order. */
export const computeStates = ({ days, from, to }: Omit<CountedPeriod, 'objectives'>): MinuteState[] => {
  const [first, end] = [minuteNumber(from), minuteNumber(to)];
  return days.flatMap((day) => {
    const midnight = minuteNumber(`${day.date}T00:00Z`);
    return computeDayStates(day).filter((_, at) => midnight + at >= first && midnight + at < end);
  });
};

/** Returns the value that `percentile` hundredths of all values do not exceed (nearest rank); null of none. */
export const computePercentile = (values: readonly number[], percentile: number): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percentile) / 100) - 1] ?? null;
};

const computeSpeed = (values: readonly number[], { percentile, limitMs }: SpeedObjective): SpeedFigure => {
  const ms = computePercentile(values, percentile);
  return { percentile, limitMs, count: values.length, ms, isMet: ms === null ? null : ms <= limitMs };
};

/** A check that failed counts as slow. */
const listCheckTimes = (name: CheckName, { checks }: Measurement): number[] => {
  const check = checks[name];
  if (!check) return [];
  return [check.ok ? check.ms : Math.max(check.ms, CHECK_TIMEOUT_MS)];
};

/** The results of probers that had a vote then. */
const selectCountedResults = ({ days, from, to }: Omit<CountedPeriod, 'objectives'>): Measurement[] => {
  const [first, end] = [minuteNumber(from), minuteNumber(to)];
  return days.flatMap(({ probers }) =>
    probers.flatMap((prober) =>
      prober.results.filter(({ minute }) => {
        const number = minuteNumber(minute);
        return number >= first && number < end && hasVote(prober, number);
      }),
    ),
  );
};

/** Returns the first minute of a month, `YYYY-MM`, and the first one after it. */
export const monthSpan = (month: string): { readonly from: string; readonly to: string } => {
  const next = new Date(`${month}-01T00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return { from: `${month}-01T00:00Z`, to: minuteText(minuteNumber(next.toISOString())) };
};

/** Returns the number of minutes that may be down. */
export const allowedMinutes = ({ availability }: Pick<Objectives, 'availability'>, minutes: number): number =>
  Math.floor((minutes * (1000 - availability)) / 1000);

/** Returns the credit for a number of minutes up, in hundredths of a month's price. */
export const computeCredit = ({ credits }: Pick<Objectives, 'credits'>, up: number, minutes: number): number =>
  Math.max(0, ...credits.filter(({ below }) => up * 1000 < minutes * below).map(({ percent }) => percent));

/** The measured values of each speed, in milliseconds. */
export type SpeedValues = Readonly<Record<SpeedName, readonly number[]>>;

/** Returns the values of each speed in the minutes that count. */
export const speedValues = (counted: Omit<CountedPeriod, 'objectives'>): SpeedValues => {
  const results = selectCountedResults(counted);
  return {
    publicReads: results.flatMap((each) => listCheckTimes('public', each)),
    enterpriseReads: results.flatMap((each) => listCheckTimes('enterprise', each)),
    freshness: results.flatMap(({ freshnessMs }) => freshnessMs ?? []),
    webhooks: results.flatMap(({ webhookMs }) => webhookMs ?? []),
  };
};

/** A month, or its part so far, counted day by day. */
export interface CountedMinutes extends Omit<CountedPeriod, 'days'> {
  /** States of the minutes that count. */
  readonly states: readonly MinuteState[];
  readonly speeds: SpeedValues;
}

/** Computes the figures of minutes that were counted before. */
export const computeFigures = ({ from, to, objectives, states, speeds }: CountedMinutes): MonthFigures => {
  const minutes = Math.max(0, minuteNumber(to) - minuteNumber(from));
  const up = states.filter((state) => state === 'up').length;
  const down = states.filter((state) => state === 'down').length;
  return {
    from: minuteText(minuteNumber(from)),
    to: minuteText(minuteNumber(to)),
    minutes,
    up,
    unmeasured: minutes - up - down,
    availability: minutes === 0 ? null : Math.floor((up * 1_000_000) / minutes) / 1_000_000,
    isMet: minutes === 0 ? null : up * 1000 >= minutes * objectives.availability,
    speeds: {
      publicReads: computeSpeed(speeds.publicReads, objectives.publicReads),
      enterpriseReads: computeSpeed(speeds.enterpriseReads, objectives.enterpriseReads),
      freshness: computeSpeed(speeds.freshness, objectives.freshness),
      webhooks: computeSpeed(speeds.webhooks, objectives.webhooks),
    },
    credit: computeCredit(objectives, up, minutes),
  };
};

/** Computes the figures of a month, or of its part so far. */
export const monthFigures = (counted: CountedPeriod): MonthFigures =>
  computeFigures({ ...counted, states: computeStates(counted), speeds: speedValues(counted) });
