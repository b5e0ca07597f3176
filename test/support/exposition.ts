/** A metric that a service exposes in Prometheus's text format. */
export interface Metric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  /** Includes the suffix `_bucket`, `_sum` or `_count` if the sample has one. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

const parseSample = (line: string): Sample => {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is no sample: ${line}`);
  return {
    name,
    labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, text]) => [key, text])),
    value: Number(value),
  };
};

/**
 * Parses the text format. Returns the metrics by name.
 * @throws Error where a line is invalid, or a metric appears twice
 */
export const parseMetrics = (text: string): ReadonlyMap<string, Metric> => {
  const metrics = new Map<string, Metric>();
  for (const block of text.split(/^(?=# HELP )/m)) {
    const [first = '', second = '', ...rest] = block.split('\n').filter((line) => line !== '');
    const [, name, help] = /^# HELP (\S+) (.*)$/.exec(first) ?? [];
    const [, type] = /^# TYPE \S+ (\S+)$/.exec(second) ?? [];
    if (name === undefined || help === undefined || type === undefined) throw new Error(`this is no metric: ${block}`);
    if (metrics.has(name)) throw new Error(`${name} is told twice`);
    metrics.set(name, { name, type, help, samples: rest.map(parseSample) });
  }
  return metrics;
};

/** Sum of the samples with this name and these labels. */
export const sumSamples = (
  metrics: ReadonlyMap<string, Metric>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  [...metrics.values()]
    .flatMap(({ samples }) => samples)
    .filter(
      (sample) => sample.name === name && Object.entries(labels).every(([key, text]) => sample.labels[key] === text),
    )
    .reduce((sum, { value }) => sum + value, 0);
