import { type Html, html, raw } from '../html.ts';
import type { PageContext } from '../page.ts';
import { toPercent } from './scale.ts';

/** What a chart is drawn with. */
export type ChartContext = Pick<PageContext, 'texts' | 'format' | 'now' | 'asOf'>;

/** A chart with everything that a reader needs to check it. */
interface Figure {
  /** What kind of chart it is. */
  readonly name: string;
  readonly title: string;
  /** What is measured, and in what. */
  readonly unit: string;
  /** The drawing; nothing where there is nothing to draw. */
  readonly plot: Html | null;
  /** Which mark means what, where there is more than one. */
  readonly legend?: readonly (readonly [mark: LegendMark, meaning: string])[] | undefined;
  /** Says what to make of the data where they are few or none. */
  readonly note?: string | false | null | undefined;
  /** Rows of a table with the same numbers, its head included. */
  readonly rows?: Html | null | undefined;
  /** Whether the table is the drawing: it is not hidden then. */
  readonly isTable?: boolean;
  /** Where the numbers come from. */
  readonly source: { readonly name: string; readonly href: string };
}

export const DAY = 86_400_000;
/** From here on months are enough to tell the time. */
const LONG = 120 * DAY;

/** Returns how times of an axis are called, in milliseconds: by days, or by months where it is long. */
export const createTimeFormat = ({ format }: ChartContext, begin: number, end: number): ((time: number) => string) => {
  const formatDate = end - begin > LONG ? format.month : format.day;
  return (time) => formatDate(new Date(time).toISOString());
};

/** Marks of a legend. They differ in form, so that they can be told apart without color. */
type LegendMark = 'line' | 'gap' | 'full' | 'hollow' | 'dashed' | 'tick' | 'thin' | 'down' | 'unmeasured';

const renderLegend = (legend: NonNullable<Figure['legend']>): Html =>
  html`<ul class="chart-legend">${legend.map(
    ([mark, meaning]) => html`<li><span class="chart-key chart-key-${mark}" aria-hidden="true"></span>${meaning}</li>`,
  )}</ul>`;

const renderData = ({ title, rows, isTable }: Figure, { texts }: ChartContext): Html | null => {
  if (!rows) return null;
  const table = html`<div class="table"><table><caption class="unseen">${title}</caption>${rows}</table></div>`;
  return isTable
    ? table
    : html`<details class="chart-data"><summary>${texts.charts.asTable}</summary>${table}</details>`;
};

/** Puts a chart together: what it shows, the drawing, the same numbers as a table, where they come from, and as of when. */
export const figure = (context: ChartContext, given: Figure): Html => {
  const { name, title, unit, plot, legend, note, source } = given;
  const { texts, format, asOf } = context;
  return html`<figure class="chart" data-chart="${name}">
<figcaption><strong>${title}</strong> <span class="soft">${unit}</span></figcaption>
${plot}${plot && legend && renderLegend(legend)}${note && html`<p>${note}</p>`}${renderData(given, context)}
<p class="chart-source soft">${texts.charts.source}: <a href="${source.href}">${source.name}</a>, ${format.time(asOf().toISOString())}</p>
</figure>
`;
};

/**
 * Names a number of a chart, on its mark and in its table, so that both can be compared.
 * @example html`<circle${marked('average 2026-03', 4.5)}/>`
 */
export const markAttribute = (name: string, value: number): Html => html` data-mark="${name} ${value}"`;

/** A cell with a number of a chart. */
export const numberCell = (name: string, value: number, text: string): Html =>
  html`<td class="number"${markAttribute(name, value)}>${text}</td>`;

/** A label of an axis, at a share of its length. */
export interface Tick {
  /** 0: bottom or begin. */
  readonly at: number;
  readonly label: string;
}

/** A tick that names a range and has no line. */
interface Axis {
  readonly ticks: readonly Tick[];
  readonly words?: readonly Tick[];
}

const yLabels = ({ ticks, words = [] }: Axis): Html => {
  const label = ({ at, label }: Tick, kind: string): Html =>
    html`<text class="chart-${kind}" x="100%" y="${toPercent(1 - at)}" dy="0.35em" text-anchor="end">${label}</text>`;
  return html`${ticks.map((tick) => label(tick, 'tick'))}${words.map((word) => label(word, 'word'))}`;
};

/** Horizontal lines at the ticks. */
const renderGrid = ({ ticks }: Axis): Html =>
  html`${ticks.map(({ at }) => {
    const y = toPercent(1 - at);
    return html`<line class="chart-grid" x1="0%" x2="100%" y1="${y}" y2="${y}"/>`;
  })}`;

/** Labels near an end of an axis must not go beyond it. */
const anchorAt = (at: number): string => (at < 0.2 ? 'start' : at > 0.8 ? 'end' : 'middle');

/** The labels of a horizontal axis. Narrow screens have the first and the last one. */
export const xAxis = (ticks: readonly Tick[]): Html =>
  html`<svg class="chart-x" aria-hidden="true">${ticks.map(
    ({ at, label }, index) =>
      html`<text${index > 0 && index < ticks.length - 1 && raw(' class="chart-wide"')} x="${toPercent(at)}" y="1.2em" text-anchor="${anchorAt(at)}">${label}</text>`,
  )}</svg>`;

/** A drawing with its axes. */
interface Plot {
  /** What it is, for who does not see it. */
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly summary: string;
  /** What the vertical axis measures. */
  readonly yName: string;
  readonly y: Axis;
  /** None where the plot below has them. */
  readonly x?: readonly Tick[] | undefined;
  readonly marks: Html;
  readonly isLow?: boolean;
}

/**
 * A drawing with its axes. It has no box of its own: places are shares of its width, sizes are those of text, so that
 * labels are as large as other text on any screen. Time runs from left to right in every language.
 */
export const renderPlot = ({ title, summary, yName, y, x, marks, isLow = false }: Plot): Html => {
  const low = raw(isLow ? ' chart-low' : '');
  return html`<div class="chart-frame" dir="ltr">
<p class="chart-y-name soft" dir="auto" aria-hidden="true">${yName}</p>
<svg class="chart-y${low}" aria-hidden="true">${yLabels(y)}</svg>
<svg class="chart-plot${low}" role="img"><title>${title}</title><desc>${summary}</desc>${renderGrid(y)}${marks}</svg>
${x && xAxis(x)}</div>
`;
};

/** A line through points of a plot, which keeps its width when the plot is stretched. Each run begins a new line. */
export const lineThrough = (runs: readonly (readonly (readonly [x: number, y: number])[])[]): Html | null => {
  const whole = (share: number): number => Math.round(share * 1000);
  const path = runs
    .filter((run) => run.length > 1)
    .map((run) => `M${run.map(([x, y]) => `${whole(x)} ${whole(1 - y)}`).join('L')}`)
    .join('');
  return path === ''
    ? null
    : html`<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%" overflow="visible"><path class="chart-line" vector-effect="non-scaling-stroke" d="${path}"/></svg>`;
};
