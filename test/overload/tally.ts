import { createQuantile } from '../bench/spread.ts';
import type { PendingRequest } from './line.ts';

/** Quantiles in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
}

/** Summary of the answers. */
export interface TallyResult {
  /** Time from when requests were due to their complete answers, by status. */
  readonly byStatus: Readonly<Record<string, Times>>;
  /** Time from when requests were due to when they were written to a connection, which is the callers' own delay. */
  readonly late: Times;
  /** Refusals without a valid Retry-After. */
  readonly withoutRetryAfter: number;
}

const computeTimes = (all: readonly number[]): Times => {
  const rank = createQuantile(all);
  const at = (q: number) => Math.round(rank(q));
  return { count: all.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
};

export const createTally = () => {
  const byStatus = new Map<string, number[]>();
  const late: number[] = [];
  let withoutRetryAfter = 0;
  return {
    add: (status: string, head: string, { due, sent }: PendingRequest): void => {
      const times = byStatus.get(status) ?? [];
      byStatus.set(status, times);
      times.push(performance.now() - due);
      late.push(sent - due);
      if (status === '503' && !/\r\nretry-after: [1-9]/i.test(head)) withoutRetryAfter++;
    },
    tallied: (): TallyResult => ({
      byStatus: Object.fromEntries([...byStatus].map(([status, times]) => [status, computeTimes(times)])),
      late: computeTimes(late),
      withoutRetryAfter,
    }),
  };
};
