import { BASE_PATH, type ComplaintMonth } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { type ChartContext, figure, marked, numberCell, plotOf } from './figure.ts';
import { barsOf, nameOfPart, partTicks } from './parts.ts';
import { type Periods, periodsOf, placeOf } from './periods.ts';
import { axisEnd, percentOf } from './scale.ts';

interface Complained {
  readonly slug: string;
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

const OUTCOMES = ['resolved', 'unresolved', 'timely'] as const;

interface Part {
  readonly index: number;
  readonly name: string;
  readonly resolved: number;
  readonly unresolved: number;
  readonly timely: number;
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const partsOf = (context: ChartContext, periods: Periods<ComplaintMonth>): Part[] =>
  periods.parts.map(({ index, items }) => {
    const resolved = sumOf(items.map((month) => month.resolved));
    const unresolved = sumOf(items.map(({ closed }) => closed)) - resolved;
    const timely = sumOf(items.map((month) => month.timely));
    return { index, name: nameOfPart(context, periods, index), resolved, unresolved, timely };
  });

/** A line across a bar at the number of those that were answered in time. */
const timelyTick = (periods: Periods<unknown>, { index, name, timely }: Part, end: number): Html => {
  const { middle, width } = placeOf(periods, index);
  const y = percentOf(1 - timely / end);
  return html`<line class="chart-across" x1="${percentOf(middle - width / 2)}" x2="${percentOf(middle + width / 2)}" y1="${y}" y2="${y}"${marked(`timely ${name}`, timely)}/>`;
};

/** How complaints ended, over time. */
export const complaintOutcomes = (context: ChartContext, { slug, complaintsByMonth }: Complained): Html => {
  const { texts, format, now } = context;
  const said = texts.charts.complaints;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const periods = periodsOf(complaintsByMonth, now);
  const parts = partsOf(context, periods);
  const unit = said.unit(texts.charts.per(periods.months));
  const shared = { name: 'complaints', title: said.title, unit, source };
  if (parts.length === 0) return figure(context, { ...shared, plot: null, note: said.none });
  const end = axisEnd(Math.max(...parts.map(({ resolved, unresolved }) => resolved + unresolved)));
  const [resolved, unresolved, timely] = OUTCOMES.map((outcome) =>
    format.number(sumOf(parts.map((part) => part[outcome]))),
  ) as [string, string, string];
  const plot = plotOf({
    title: said.title,
    summary: said.summary({ resolved, unresolved, timely }),
    yName: said.complaints,
    y: { ticks: [0, end / 2, end].map((count) => ({ at: count / end, label: format.number(count) })) },
    x: partTicks(context, periods),
    marks: html`${barsOf(periods, parts, end, { series: 'resolved', of: (part) => part.resolved })}${barsOf(
      periods,
      parts,
      end,
      { series: 'unresolved', of: (part) => part.unresolved, from: (part) => part.resolved, isHollow: true },
    )}${parts.map((part) => timelyTick(periods, part, end))}`,
  });
  const rows = html`<thead><tr><th scope="col">${said.time}</th>${OUTCOMES.map((outcome) => html`<th scope="col" class="number">${said.columns[outcome]}</th>`)}</tr></thead>
<tbody>${parts.map(
    (part) =>
      html`<tr><th scope="row">${part.name}</th>${OUTCOMES.map((outcome) =>
        numberCell(`${outcome} ${part.name}`, part[outcome], format.number(part[outcome])),
      )}</tr>\n`,
  )}</tbody>`;
  const legend = [
    ['full', said.resolved],
    ['hollow', said.unresolved],
    ['tick', said.timely],
  ] as const;
  return figure(context, { ...shared, plot, legend, rows, note: said.overdue });
};
