import { BASE_PATH, type RatingMonth } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { type ChartContext, figure, lineThrough, numberCell, renderPlot } from './figure.ts';
import { buildPartTicks, formatLength, formatPart, renderBars } from './parts.ts';
import { groupMonths, locatePart, type Periods } from './periods.ts';
import { computeAxisEnd, computeShare, toPercent } from './scale.ts';

interface BrokerRatings {
  readonly slug: string;
  readonly ratingsByMonth: readonly RatingMonth[];
}

interface RatingPoint {
  readonly index: number;
  readonly name: string;
  readonly count: number;
  /** Plain mean in stars, to two decimals. */
  readonly average: number;
  /** 0 to 1 of the width. */
  readonly x: number;
}

const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const computePoints = (context: ChartContext, periods: Periods<RatingMonth>): RatingPoint[] =>
  periods.parts.flatMap(({ index, items }) => {
    const count = sumNumbers(items.map((month) => month.count));
    if (count <= 0) return [];
    const average = Math.round(sumNumbers(items.map(({ sum }) => sum)) / count) / 100;
    return [{ index, name: formatPart(context, periods, index), count, average, x: locatePart(periods, index).middle }];
  });

/** Returns runs of consecutive parts: a part without reviews has no rating, and no line crosses it. */
const splitRuns = (points: readonly RatingPoint[]): RatingPoint[][] => {
  const runs: RatingPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === point.index - 1) run?.push(point);
    else runs.push([point]);
  }
  return runs;
};

const toStarShare = (stars: number): number => computeShare(stars, 1, 5);

const dot = ({ x, average }: RatingPoint): Html =>
  html`<circle class="chart-dot" cx="${toPercent(x)}" cy="${toPercent(1 - toStarShare(average))}" r="3"/>`;

/** Renders published reviews over time: their mean and number. */
export const ratingsOverTime = (context: ChartContext, { slug, ratingsByMonth }: BrokerRatings): Html => {
  const { texts, format, now } = context;
  const said = texts.charts.ratings;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const periods = groupMonths(ratingsByMonth, now);
  const points = computePoints(context, periods);
  const [first, last] = [points[0], points.at(-1)];
  const unit = said.unit({ per: formatLength(context, periods) });
  const shared = { name: 'ratings', title: said.title, unit, source };
  if (!first || !last) return figure(context, { ...shared, plot: null, note: said.none });
  const end = computeAxisEnd(Math.max(...points.map(({ count }) => count)));
  const averages = points.map(({ average }) => average);
  const summary = said.summary({
    from: first.name,
    to: last.name,
    lowest: format.fixed(Math.min(...averages), 2),
    highest: format.fixed(Math.max(...averages), 2),
    last: format.fixed(last.average, 2),
  });
  const plot = html`${renderPlot({
    title: said.averageTitle,
    summary,
    yName: said.stars,
    y: { ticks: [1, 2, 3, 4, 5].map((stars) => ({ at: toStarShare(stars), label: format.number(stars) })) },
    marks: html`${lineThrough(splitRuns(points).map((run) => run.map(({ x, average }) => [x, toStarShare(average)] as const)))}${points.map(dot)}`,
  })}${renderPlot({
    title: said.countTitle,
    summary: said.countSummary({ total: format.number(sumNumbers(points.map(({ count }) => count))) }),
    yName: said.reviews,
    y: { ticks: [0, end / 2, end].map((count) => ({ at: count / end, label: format.number(count) })) },
    x: buildPartTicks(context, periods),
    marks: renderBars(periods, points, end, { of: ({ count }) => count }),
    isLow: true,
  })}`;
  const rows = html`<thead><tr><th scope="col">${said.time}</th><th scope="col" class="number">${said.average}</th><th scope="col" class="number">${said.reviews}</th></tr></thead>
<tbody>${points.map(
    ({ name, average, count }) =>
      html`<tr><th scope="row">${name}</th>${numberCell(format.fixed(average, 2))}${numberCell(format.number(count))}</tr>\n`,
  )}</tbody>`;
  const total = sumNumbers(points.map(({ count }) => count));
  const hasGaps = points.length < periods.last - periods.first + 1;
  return figure(context, { ...shared, plot, rows, note: total < 10 ? said.few : hasGaps && said.gaps });
};
