import type { Clock } from '../platform/clock.ts';
import { createMetrics } from '../platform/observe/metrics.ts';
import { computeOwnBurnRates, toOwnStates } from './own.rule.ts';
import type { ProberResults } from './results.ts';

/** The inputs of the metrics. */
export interface ProberMetricsInput {
  readonly prober: string;
  readonly results: ProberResults;
  readonly clock: Clock;
  /** Returns the results of the last minute; undefined if none was measured yet. */
  readonly last: () => { readonly at: Date; readonly checks: ReadonlyMap<string, boolean> } | undefined;
  readonly undelivered: () => Promise<number>;
}

const DAY_MS = 86_400_000;

/** Returns the burn rates from the results of today and of the day before. */
const readBurnRates = async ({ results, clock }: ProberMetricsInput): Promise<ReadonlyMap<string, number>> => {
  const now = clock();
  const dates = [new Date(now.getTime() - DAY_MS), now].map((day) => day.toISOString().slice(0, 10));
  const seen = await Promise.all(dates.map((date) => results.read(date)));
  return computeOwnBurnRates(toOwnStates(seen.flat(), now));
};

/** Creates the metrics of a prober's own view. */
export const createProberMetrics = (measured: ProberMetricsInput) => {
  const metrics = createMetrics();
  const { register } = metrics;
  const { prober, last, undelivered } = measured;
  register({
    name: 'broker_rating_service_level_burn_rate',
    help: 'How many times faster than a month allows the error budget was spent, by window.',
    type: 'gauge',
    read: async () =>
      [...(await readBurnRates(measured))].map(([window, value]) => ({ labels: { window, prober }, value })),
  });
  register({
    name: 'broker_rating_prober_check_up',
    help: 'Whether a check was right in the last minute that was measured.',
    type: 'gauge',
    read: () => [...(last()?.checks ?? [])].map(([check, ok]) => ({ labels: { check, prober }, value: Number(ok) })),
  });
  register({
    name: 'broker_rating_prober_last_minute_seconds',
    help: 'When a minute was measured last, in seconds since 1970.',
    type: 'gauge',
    read: () => [{ labels: { prober }, value: (last()?.at.getTime() ?? 0) / 1000 }],
  });
  register({
    name: 'broker_rating_prober_undelivered_lines',
    help: 'Results that the service lacks and would still take.',
    type: 'gauge',
    read: async () => [{ labels: { prober }, value: await undelivered() }],
  });
  return metrics;
};
