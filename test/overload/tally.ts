import { ranksOf } from '../bench/spread.ts';
import type { Call } from './line.ts';

/** Quantiles, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/** What came back. */
export interface Tallied {
  /** From when requests were due until their answers were whole, by status. */
  readonly byStatus: Readonly<Record<string, Times>>;
  /**
   * From when requests were due until they were written to a connection: the part of their times that is the callers'
   * own.
   */
  readonly late: Times;
  /** Refusals that do not say when to come back. */
  readonly withoutRetryAfter: number;
}

const timesOf = (all: readonly number[]): Times => {
  const rank = ranksOf(all);
  const at = (q: number) => Math.round(rank(q));
  return { count: all.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
};

export const createTally = () => {
  const byStatus = new Map<string, number[]>();
  const late: number[] = [];
  let withoutRetryAfter = 0;
  return {
    add: (status: string, head: string, { due, sent }: Call): void => {
      const times = byStatus.get(status) ?? [];
      byStatus.set(status, times);
      times.push(performance.now() - due);
      late.push(sent - due);
      if (status === '503' && !/\r\nretry-after: [1-9]/i.test(head)) withoutRetryAfter++;
    },
    tallied: (): Tallied => ({
      byStatus: Object.fromEntries([...byStatus].map(([status, times]) => [status, timesOf(times)])),
      late: timesOf(late),
      withoutRetryAfter,
    }),
  };
};
