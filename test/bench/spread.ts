/** Median and quartiles over several rounds. */
export interface Spread {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Interpolates linearly between neighbours, as most tools do. */
const quantile = (sorted: readonly number[], q: number): number => {
  const at = (sorted.length - 1) * q;
  const [below, above] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return below + (above - below) * (at - Math.floor(at));
};

/** Returns a function for quantiles by nearest rank, so that each result is a measured value. */
export const createQuantile = (values: readonly number[]): ((q: number) => number) => {
  const sorted = Float64Array.from(values).sort();
  return (q) => sorted[Math.ceil(sorted.length * q) - 1] ?? Number.NaN;
};

export const computeSpread = (values: readonly number[]): Spread => {
  const sorted = [...values].sort((a, b) => a - b);
  return { low: quantile(sorted, 0.25), median: quantile(sorted, 0.5), high: quantile(sorted, 0.75) };
};
