import { BASE_PATH, type ComplaintMonth } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { type ChartContext, figure, numberCell, renderPlot } from './figure.ts';
import { buildPartTicks, formatLength, formatPart, renderBars } from './parts.ts';
import { groupMonths, locatePart, type Periods } from './periods.ts';
import { computeAxisEnd, toPercent } from './scale.ts';

interface BrokerComplaints {
  readonly slug: string;
  readonly complaintsByMonth: readonly ComplaintMonth[];
}

const OUTCOMES = ['resolved', 'unresolved', 'timely'] as const;

interface OutcomePart {
  readonly index: number;
  readonly name: string;
  readonly resolved: number;
  readonly unresolved: number;
  readonly timely: number;
}

const sumNumbers = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const countOutcomes = (context: ChartContext, periods: Periods<ComplaintMonth>): OutcomePart[] =>
  periods.parts.map(({ index, items }) => {
    const resolved = sumNumbers(items.map((month) => month.resolved));
    const unresolved = sumNumbers(items.map(({ closed }) => closed)) - resolved;
    const timely = sumNumbers(items.map((month) => month.timely));
    return { index, name: formatPart(context, periods, index), resolved, unresolved, timely };
  });

/** Returns a line across a bar at the number of complaints that were answered in time. */
const timelyTick = (periods: Periods<unknown>, { index, timely }: OutcomePart, end: number): Html => {
  const { middle, width } = locatePart(periods, index);
  const y = toPercent(1 - timely / end);
  return html`<line class="chart-across" x1="${toPercent(middle - width / 2)}" x2="${toPercent(middle + width / 2)}" y1="${y}" y2="${y}"/>`;
};

/** Renders the outcomes of complaints over time. */
export const complaintOutcomes = (context: ChartContext, { slug, complaintsByMonth }: BrokerComplaints): Html => {
  const { texts, format, now } = context;
  const said = texts.charts.complaints;
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const periods = groupMonths(complaintsByMonth, now);
  const parts = countOutcomes(context, periods);
  const unit = said.unit({ per: formatLength(context, periods) });
  const shared = { name: 'complaints', title: said.title, unit, source };
  if (parts.length === 0) return figure(context, { ...shared, plot: null, note: said.none });
  const end = computeAxisEnd(Math.max(...parts.map(({ resolved, unresolved }) => resolved + unresolved)));
  const [resolved, unresolved, timely] = OUTCOMES.map((outcome) =>
    format.number(sumNumbers(parts.map((part) => part[outcome]))),
  ) as [string, string, string];
  const plot = renderPlot({
    title: said.title,
    summary: said.summary({ resolved, unresolved, timely }),
    yName: said.complaints,
    y: { ticks: [0, end / 2, end].map((count) => ({ at: count / end, label: format.number(count) })) },
    x: buildPartTicks(context, periods),
    marks: html`${renderBars(periods, parts, end, { of: (part) => part.resolved })}${renderBars(periods, parts, end, {
      of: (part) => part.unresolved,
      from: (part) => part.resolved,
      isHollow: true,
    })}${parts.map((part) => timelyTick(periods, part, end))}`,
  });
  const rows = html`<thead><tr><th scope="col">${said.time}</th>${OUTCOMES.map((outcome) => html`<th scope="col" class="number">${said.columns[outcome]}</th>`)}</tr></thead>
<tbody>${parts.map(
    (part) =>
      html`<tr><th scope="row">${part.name}</th>${OUTCOMES.map((outcome) =>
        numberCell(format.number(part[outcome])),
      )}</tr>\n`,
  )}</tbody>`;
  const legend = [
    ['full', said.resolved],
    ['hollow', said.unresolved],
    ['tick', said.timely],
  ] as const;
  return figure(context, { ...shared, plot, legend, rows, note: said.overdue });
};
