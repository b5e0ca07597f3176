import { type Metric, Registry } from '@prometheus-io/client';
import { shareRead } from '../shared.ts';
import { createCounter, createDurations, type ReadMetric } from './counted.ts';

/** Creates the metrics of one service. Services in one process have metrics of their own. */
export const createMetrics = () => {
  const registry = new Registry();
  /**
   * Registers a metric by the only method that the library calls. The library's own metric classes cost a microsecond
   * or more per event.
   */
  const register = ({ name, help, type, read }: ReadMetric): void => {
    const known = { name, help, type, aggregator: 'first' };
    const metric = { ...known, get: async () => ({ ...known, values: await read() }) };
    registry.registerMetric(metric as unknown as Metric);
  };
  return {
    registry,
    register,
    /** Registers a gauge whose value is computed at each scrape. */
    gauge: (name: string, help: string, value: () => number): void =>
      register({ name, help, type: 'gauge', read: () => [{ labels: {}, value: value() }] }),
    counter: createCounter(register),
    durations: createDurations(register),
    /** Reads all metrics in Prometheus's text format. */
    read: shareRead(() => registry.metrics()),
  };
};
export type Metrics = ReturnType<typeof createMetrics>;
