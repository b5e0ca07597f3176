import { BURN_ALERTS, type BurnAlert, type Objectives } from './objectives.ts';
import { isUp, type Measurement } from './result.ts';

/** A prober on a day, with its results that count. */
export interface MeasuredProber {
  readonly name: string;
  /** First minute of its vote, RFC 3339. */
  readonly since: string;
  /** Up to this minute, excluded. */
  readonly until?: string | undefined;
  readonly results: readonly Measurement[];
}

/** The measurements of a day. */
export interface MeasuredDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Every prober that had a vote on it, whether or not it sent anything. */
  readonly probers: readonly MeasuredProber[];
}

/** `unmeasured`: no prober with a vote has a result. It counts as down. */
export type MinuteState = 'up' | 'down' | 'unmeasured';

const MINUTE_MS = 60_000;
/** Minutes of a day. */
export const DAY_MINUTES = 1440;

/** Returns the number of whole minutes from 1970 to a time. */
export const minuteNumber = (time: string): number => Math.floor(Date.parse(time) / MINUTE_MS);

/**
 * Returns a minute as results name it.
 * @example minuteText(29_000_000) // '2025-02-19T21:20Z'
 */
export const minuteText = (minute: number): string => `${new Date(minute * MINUTE_MS).toISOString().slice(0, 16)}Z`;

/** Returns true if a prober had a vote in a minute. */
export const hasVote = ({ since, until }: Pick<MeasuredProber, 'since' | 'until'>, minute: number): boolean =>
  minuteNumber(since) <= minute && (until === undefined || minute < minuteNumber(until));

/**
 * Returns true if a prober may report a minute: one in which it had a vote, or the one before, which does not count. A
 * prober may learn of its registration early.
 */
export const mayReport = (vote: Pick<MeasuredProber, 'since' | 'until'>, minute: number): boolean =>
  hasVote(vote, minute) || minute === minuteNumber(vote.since) - 1;

/** Returns true if a prober had a vote in any minute of a day. */
export const hasVoteOn = ({ since, until }: Pick<MeasuredProber, 'since' | 'until'>, date: string): boolean => {
  const midnight = minuteNumber(`${date}T00:00Z`);
  const from = Math.max(midnight, minuteNumber(since));
  const to = Math.min(midnight + DAY_MINUTES, until === undefined ? Infinity : minuteNumber(until));
  return from < to;
};

/** Returns a prober's vote on each minute. Of several results about one minute the worst counts. */
export const collectVotes = ({ results }: MeasuredProber): ReadonlyMap<number, boolean> => {
  const says = new Map<number, boolean>();
  for (const result of results) {
    const minute = minuteNumber(result.minute);
    says.set(minute, isUp(result) && says.get(minute) !== false);
  }
  return says;
};

/** Returns the state of each minute of a day: up if more than half of the probers with a vote say so. */
export const computeDayStates = ({ date, probers }: MeasuredDay): MinuteState[] => {
  const first = minuteNumber(`${date}T00:00Z`);
  const said = probers.map((prober) => ({
    from: minuteNumber(prober.since),
    to: prober.until === undefined ? Infinity : minuteNumber(prober.until),
    says: collectVotes(prober),
  }));
  return Array.from({ length: DAY_MINUTES }, (_, at) => {
    const minute = first + at;
    const voters = said.filter(({ from, to }) => from <= minute && minute < to);
    const votes = voters.flatMap(({ says }) => says.get(minute) ?? []);
    if (votes.length === 0) return 'unmeasured';
    return votes.filter(Boolean).length * 2 > voters.length ? 'up' : 'down';
  });
};

/** A span of minutes in which the service was not up. */
export interface Outage {
  /** First minute of the outage. */
  readonly from: string;
  /** The first minute after it. */
  readonly to: string;
  readonly minutes: number;
  /** Number of minutes that no prober measured. */
  readonly unmeasured: number;
}

/** Returns the spans that were not up, of consecutive minutes that begin at one. */
export const findOutages = (states: readonly MinuteState[], first: number): Outage[] => {
  const outages: Outage[] = [];
  for (let at = 0; at < states.length; at++) {
    if (states[at] === 'up') continue;
    let end = at;
    while (end < states.length && states[end] !== 'up') end++;
    const span = states.slice(at, end);
    outages.push({
      from: minuteText(first + at),
      to: minuteText(first + end),
      minutes: span.length,
      unmeasured: span.filter((state) => state === 'unmeasured').length,
    });
    at = end;
  }
  return outages;
};

/**
 * Returns the speed at which the last minutes spent the error budget. At 1 it lasts exactly for the month.
 * @param minutes length of the window; missing minutes before the beginning count as up
 */
export const burnRate = (
  states: readonly MinuteState[],
  minutes: number,
  { availability }: Pick<Objectives, 'availability'>,
): number => {
  const down = states.slice(-minutes).filter((state) => state !== 'up').length;
  return (down * 1000) / (minutes * (1000 - availability));
};

/** A {@link BurnAlert} as it is now. */
export interface BurnState extends BurnAlert {
  readonly longRate: number;
  readonly shortRate: number;
  readonly isFiring: boolean;
}

/** Returns the alerts as they are after these minutes. */
export const burnStates = (states: readonly MinuteState[], objectives: Objectives): BurnState[] =>
  BURN_ALERTS.map((alert) => {
    const longRate = burnRate(states, alert.longMinutes, objectives);
    const shortRate = burnRate(states, alert.shortMinutes, objectives);
    return { ...alert, longRate, shortRate, isFiring: longRate > alert.rate && shortRate > alert.rate };
  });
