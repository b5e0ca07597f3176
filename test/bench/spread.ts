/** Median and quartiles of what several rounds gave. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Between neighbours in proportion, as most tools have it. */
const quantile = (sorted: readonly number[], q: number): number => {
  const at = (sorted.length - 1) * q;
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return below + (above - below) * (at - Math.floor(at));
};

/** The nearest rank, of any numbers: one of them, as it was measured. */
export const ranksOf = (values: readonly number[]): ((q: number) => number) => {
  const sorted = Float64Array.from(values).sort();
  return (q) => sorted[Math.ceil(sorted.length * q) - 1] ?? Number.NaN;
};

export const spreadOf = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b);
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) };
};
