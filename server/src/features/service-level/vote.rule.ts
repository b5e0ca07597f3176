import { DAY_MINUTES, minuteNumber } from '@broker-transparency/contract/service-level';

/** When a prober has a vote. */
export interface Vote {
  readonly since: string;
  readonly until?: string | undefined;
}

const DAY_MS = 86_400_000;

/** Returns the days from one to another, both included, in order. */
export const datesBetween = (first: string, last: string): string[] => {
  const dates: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
};

/** Whether a prober had a vote in any minute of a day. */
export const hadVoteOn = ({ since, until }: Vote, date: string): boolean => {
  const midnight = minuteNumber(`${date}T00:00Z`);
  const from = Math.max(midnight, minuteNumber(since));
  const to = Math.min(midnight + DAY_MINUTES, until === undefined ? Number.POSITIVE_INFINITY : minuteNumber(until));
  return from < to;
};
