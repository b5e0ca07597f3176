import { type Html, html } from '../html.ts';
import type { ChartContext, Tick } from './figure.ts';
import { locatePart, monthAt, type Periods } from './periods.ts';
import { toPercent } from './scale.ts';

/** Width of a bar, as a share of its part. */
const BAR = 0.7;

/** Formats a part of time: a month, a quarter, a year, years. */
export const formatPart = (
  { texts, format }: Pick<ChartContext, 'texts' | 'format'>,
  periods: Pick<Periods<unknown>, 'months'>,
  index: number,
): string => {
  const month = monthAt(periods, index);
  if (periods.months === 1) return format.month(month);
  const year = Number(month.slice(0, 4));
  if (periods.months === 3)
    return texts.charts.quarter({ quarter: String((Number(month.slice(5)) + 2) / 3), year: String(year) });
  const last = year + periods.months / 12 - 1;
  return periods.months === 12 ? String(year) : texts.charts.years({ from: String(year), to: String(last) });
};

/** Names the length of a part of time: month, quarter, year, years. */
export const formatLength = (
  { texts }: Pick<ChartContext, 'texts'>,
  { months }: Pick<Periods<unknown>, 'months'>,
): string => texts.charts.per({ months, years: String(months / 12) });

/** Returns labels for the first part, the last one and three between. */
export const buildPartTicks = (context: ChartContext, periods: Periods<unknown>): Tick[] => {
  const { first, last } = periods;
  const indices = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(first + share * (last - first)));
  return indices.map((index) => ({
    at: locatePart(periods, index).middle,
    label: formatPart(context, periods, index),
  }));
};

/** Values of the bars of each part. */
interface Bars<Part> {
  readonly of: (part: Part) => number;
  /** Beginning of a bar: the end of others below it. */
  readonly from?: (part: Part) => number;
  readonly isHollow?: boolean;
}

/** Renders bars from 0, or from the end of others, on an axis that ends at `end`. */
export const renderBars = <Part extends { readonly index: number }>(
  periods: Periods<unknown>,
  parts: readonly Part[],
  end: number,
  { of, from = () => 0, isHollow = false }: Bars<Part>,
): Html =>
  html`${parts.map((part) => {
    const [value, below] = [of(part), from(part)];
    const { middle, width } = locatePart(periods, part.index);
    const [x, y] = [toPercent(middle - (BAR * width) / 2), toPercent(1 - (below + value) / end)];
    const kind = isHollow ? 'hollow' : 'full';
    return html`<rect class="chart-${kind}" x="${x}" y="${y}" width="${toPercent(BAR * width)}" height="${toPercent(value / end)}"/>`;
  })}`;
