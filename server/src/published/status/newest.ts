import type { CurrentState } from '@broker-transparency/portal/status';
import {
  hasVote,
  isUp,
  type MeasuredDay,
  minuteNumber,
  minuteText,
  SETTLE_MINUTES,
} from '@broker-transparency/service-level';

/** Votes of the probers about a minute. */
export interface Votes {
  /** Number of probers with a vote. */
  readonly of: number;
  readonly reported: number;
  readonly up: number;
}

/** Counts the votes about a minute. Of several results of one prober the worst counts. */
export const countVotes = (days: readonly MeasuredDay[], minute: number): Votes => {
  const text = minuteText(minute);
  const probers = days.find(({ date }) => text.startsWith(date))?.probers ?? [];
  const voters = probers.filter((prober) => hasVote(prober, minute));
  const said = voters.flatMap(({ results }) => {
    const own = results.filter((result) => minuteNumber(result.minute) === minute);
    return own.length === 0 ? [] : [own.every((result) => isUp(result))];
  });
  return { of: voters.length, reported: said.length, up: said.filter(Boolean).length };
};

/** Returns whether missing results cannot change the outcome of a minute. */
export const isDecided = ({ of, reported, up }: Votes): boolean =>
  reported > 0 && (up * 2 > of || (reported - up) * 2 >= of);

/** Returns the first minute without an outcome: neither settled nor decided. */
export const findDecidedEnd = (days: readonly MeasuredDay[], now: Date): number => {
  const running = minuteNumber(now.toISOString());
  let end = running - SETTLE_MINUTES;
  while (end <= running && isDecided(countVotes(days, end))) end++;
  return end;
};

/** Returns the number of probers that support the shown state. */
export const toShownVotes = ({ of, reported, up }: Votes): Pick<CurrentState, 'said' | 'of'> => ({
  said: up * 2 > of ? up : reported,
  of,
});
