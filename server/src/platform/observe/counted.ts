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

type Labels<L extends string> = Readonly<Record<L, string>>;

type Register = (metric: ReadMetric) => void;

/** Counts one event. */
export type Count = () => void;
/** Counts one event and its duration in milliseconds. */
type Observe = (ms: number) => void;

/**
 * Returns the function that registers a counter. That function returns another one that creates the series of a set of
 * labels: call it once per set and keep the result, whose calls cost a nanosecond.
 */
export const createCounter =
  (register: Register) =>
  <L extends string = never>(name: string, help: string) => {
    const series: { readonly labels: Labels<L>; value: number }[] = [];
    register({ name, help, type: 'counter', read: () => series.map(({ labels, value }) => ({ labels, value })) });
    return (labels: Labels<L>): Count => {
      const counterSeries = { labels, value: 0 };
      series.push(counterSeries);
      return () => {
        counterSeries.value++;
      };
    };
  };

/**
 * Upper bounds of the buckets in seconds. A cached answer takes less than a millisecond; no request may take more than
 * two seconds.
 */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5] as const;

interface Durations<L extends string> {
  readonly labels: Labels<L>;
  /** Number of events in each bucket (not cumulative), and beyond the last bound. */
  readonly buckets: Float64Array;
  sumMs: number;
}

const toSamples = <L extends string>(name: string, { labels, buckets, sumMs }: Durations<L>): Sample[] => {
  let count = 0;
  const lines = [...buckets].map((inBucket, at) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: String(BOUNDS[at] ?? '+Inf') }, value: count };
  });
  return [
    ...lines,
    { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
    { metricName: `${name}_count`, labels, value: count },
  ];
};

/**
 * Returns the function that registers a histogram of durations. That function returns another one that creates the
 * series of a set of labels: call it once per set and keep the result, whose calls cost a few nanoseconds.
 */
export const createDurations =
  (register: Register) =>
  <L extends string = never>(name: string, help: string) => {
    const series: Durations<L>[] = [];
    register({ name, help, type: 'histogram', read: () => series.flatMap((one) => toSamples(name, one)) });
    return (labels: Labels<L>): Observe => {
      const durationSeries = { labels, buckets: new Float64Array(BOUNDS.length + 1), sumMs: 0 };
      series.push(durationSeries);
      const limits = BOUNDS.map((seconds) => seconds * 1000);
      return (ms) => {
        let at = 0;
        while (ms > (limits[at] ?? Number.POSITIVE_INFINITY)) at++;
        durationSeries.buckets[at] = (durationSeries.buckets[at] ?? 0) + 1;
        durationSeries.sumMs += ms;
      };
    };
  };

/** Memoizes `make` by key. Results are kept forever, so use it only for a small number of keys. */
export const memoize = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>();
  return (key) => {
    let value = made.get(key);
    if (value === undefined) {
      value = make(key);
      made.set(key, value);
    }
    return value;
  };
};
