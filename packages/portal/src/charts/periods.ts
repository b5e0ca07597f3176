/** Months, grouped into equal parts of time. */
export interface Periods<T> {
  /** Number of months in a part. */
  readonly months: number;
  /** Index of the first and the last part: parts of this length are counted from January of the year 0. */
  readonly first: number;
  readonly last: number;
  /** Non-empty parts, in order. */
  readonly parts: readonly { readonly index: number; readonly items: readonly T[] }[];
}

/** Lengths of a part: a month, a quarter, years. */
const LENGTHS = [1, 3, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000] as const;
/** Maximum number of parts: more would make bars too thin for a phone, and hold too few reviews each. */
const MOST_PARTS = 24;
/** Minimum number of parts: fewer would make bars too wide. */
const FEWEST_PARTS = 12;

const toMonthIndex = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

/** Groups months until there are few enough to draw. The parts end now, so that old data does not look new. */
export const groupMonths = <T extends { readonly month: string }>(items: readonly T[], now: Date): Periods<T> => {
  const indices = items.map(({ month }) => toMonthIndex(month));
  const latest = Math.max(toMonthIndex(now.toISOString()), ...indices);
  const earliest = Math.min(latest, ...indices);
  const countParts = (length: number): number => Math.floor(latest / length) - Math.floor(earliest / length) + 1;
  const months = LENGTHS.find((length) => countParts(length) <= MOST_PARTS) ?? 12_000;
  const toPartIndex = (index: number): number => Math.floor(index / months);
  const last = toPartIndex(latest);
  const grouped = Map.groupBy(items, ({ month }) => toPartIndex(toMonthIndex(month)));
  return {
    months,
    first: Math.min(toPartIndex(earliest), last - FEWEST_PARTS + 1),
    last,
    parts: [...grouped].map(([index, items]) => ({ index, items })).sort((a, b) => a.index - b.index),
  };
};

const pad = (number: number, digits: number): string => String(Math.max(0, number)).padStart(digits, '0');

/** Returns the first month of a part: `2026-01`. */
export const monthAt = ({ months }: Pick<Periods<unknown>, 'months'>, index: number): string => {
  const month = index * months;
  return `${pad(Math.floor(month / 12), 4)}-${pad((month % 12) + 1, 2)}`;
};

/** Returns the middle of a part as a share of the axis, and its width. */
export const locatePart = ({ first, last }: Periods<unknown>, index: number): { middle: number; width: number } => {
  const count = last - first + 1;
  return { middle: (index - first + 0.5) / count, width: 1 / count };
};
