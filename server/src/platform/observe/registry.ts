import { type Metric, Registry } from '@prometheus-io/client';

/** Registry of all metrics of this process. Module-level state; there is no other registry. */
export const registry = new Registry();

/** One sample of a metric: a set of labels and their value. */
export interface Sample<L extends string = string> {
  readonly labels: Partial<Record<L | 'le', string>>;
  readonly value: number;
  /** Defaults to the name of the metric. */
  readonly metricName?: string;
}

/** A metric whose samples are computed at each scrape. */
export interface ReadMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/**
 * Registers a metric. The library reads nothing else of it; the library's own metric classes cost a microsecond or more
 * for each event.
 */
export const register = ({ name, help, type, read }: ReadMetric): void => {
  const known = { name, help, type, aggregator: 'first' };
  const metric = { ...known, get: async () => ({ ...known, values: await read() }) };
  registry.registerMetric(metric as unknown as Metric);
};

/** Registers a gauge whose value is computed at each scrape. */
export const gauge = (name: string, help: string, value: () => number): void =>
  register({ name, help, type: 'gauge', read: () => [{ labels: {}, value: value() }] });
