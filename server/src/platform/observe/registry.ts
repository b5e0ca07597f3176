import { type Metric, Registry } from '@prometheus-io/client';

/** What this process says of itself. State: nothing else holds one. */
export const registry = new Registry();

/** One line of a metric. */
export interface Sample<L extends string = string> {
  readonly labels: Partial<Record<L | 'le', string>>;
  readonly value: number;
  /** Where it is not that of the metric. */
  readonly metricName?: string;
}

/** A metric whose lines are made when it is read. */
export interface ReadMetric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly read: () => readonly Sample[] | Promise<readonly Sample[]>;
}

/** The library asks for no more than this of a metric; its own kinds cost a microsecond and more for each thing that is counted. */
export const register = ({ name, help, type, read }: ReadMetric): void => {
  const known = { name, help, type, aggregator: 'first' };
  const metric = { ...known, get: async () => ({ ...known, values: await read() }) };
  registry.registerMetric(metric as unknown as Metric);
};

/** A single number that is looked at when it is read. */
export const gauge = (name: string, help: string, value: () => number): void =>
  register({ name, help, type: 'gauge', read: () => [{ labels: {}, value: value() }] });
