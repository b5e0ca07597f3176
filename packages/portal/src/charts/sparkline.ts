import { type Html, html } from '../html.ts';
import { type ChartContext, lineThrough } from './figure.ts';
import { computeShare } from './scale.ts';

/** A value at a time. */
interface Value {
  readonly time: string;
  /** Null: unrated at that time. */
  readonly value: number | null;
}

/**
 * Renders a small line without axes for a list: the steps of the score, from 0 to 100, with a description in words.
 * Renders nothing for fewer than two values.
 */
export const sparkline = (
  { texts, format }: Pick<ChartContext, 'texts' | 'format'>,
  values: readonly Value[],
): Html => {
  const rated = values.filter((each): each is Value & { value: number } => each.value !== null);
  const [first, last] = [rated[0], rated.at(-1)];
  if (!first || !last || rated.length < 2) return html``;
  const [begin, end] = [Date.parse(first.time), Date.parse(last.time)];
  const steps = rated.flatMap(({ time, value }, at) => {
    const [x, y] = [computeShare(Date.parse(time), begin, end), computeShare(value, 0, 100)];
    const before = rated[at - 1];
    return before ? [[x, computeShare(before.value, 0, 100)] as const, [x, y] as const] : [[x, y] as const];
  });
  const title = texts.charts.sparkline({
    from: format.day(first.time),
    to: format.day(last.time),
    first: format.fixed(first.value, 1),
    last: format.fixed(last.value, 1),
  });
  return html`<svg class="sparkline" role="img"><title>${title}</title>${lineThrough([steps])}</svg>`;
};
