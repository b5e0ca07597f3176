import { type Html, html, raw } from '../html.ts';
import type { PageContext } from '../page.ts';
import { toPercent } from './scale.ts';

/** The part of the page context that charts use. */
export type ChartContext = Pick<PageContext, 'texts' | 'format' | 'now' | 'asOf'>;

/** A chart with everything that a reader needs to check it. */
interface Figure {
  /** Kind of the chart. */
  readonly name: string;
  readonly title: string;
  /** Measured quantity and its unit. */
  readonly unit: string;
  /** The drawing; null if there is nothing to draw. */
  readonly plot: Html | null;
  /** Meanings of the marks, if there is more than one. */
  readonly legend?: readonly (readonly [mark: LegendMark, meaning: string])[] | undefined;
  /** Interpretation of sparse or missing data. */
  readonly note?: string | false | null | undefined;
  /** Rows of a table with the same numbers, including its head. */
  readonly rows?: Html | null | undefined;
  /** True if the table is the drawing: it is then not hidden. */
  readonly isTable?: boolean;
  /** Source of the numbers. */
  readonly source: { readonly name: string; readonly href: string };
}

export const DAY = 86_400_000;
/** Length from which months suffice on the time axis. */
const LONG = 120 * DAY;

/** Returns a formatter for times of an axis, in milliseconds: by days, or by months on a long axis. */
export const createTimeFormat = ({ format }: ChartContext, begin: number, end: number): ((time: number) => string) => {
  const formatDate = end - begin > LONG ? format.month : format.day;
  return (time) => formatDate(new Date(time).toISOString());
};

/** Marks of a legend. They differ in form, so that they are distinct without color. */
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

/** Renders a chart: its title, the drawing, the same numbers as a table, their source and time. */
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

/** Returns a cell with a number of a chart. */
export const numberCell = (text: string): Html => html`<td class="number">${text}</td>`;

/** A label of an axis, at a share of its length. */
export interface Tick {
  /** 0: bottom or beginning. */
  readonly at: number;
  readonly label: string;
}

/** Ticks of a vertical axis. `words` name ranges and have no lines. */
interface Axis {
  readonly ticks: readonly Tick[];
  readonly words?: readonly Tick[];
}

const yLabels = ({ ticks, words = [] }: Axis): Html => {
  const label = ({ at, label }: Tick, kind: string): Html =>
    html`<text class="chart-${kind}" x="100%" y="${toPercent(1 - at)}" dy="0.35em" text-anchor="end">${label}</text>`;
  return html`${ticks.map((tick) => label(tick, 'tick'))}${words.map((word) => label(word, 'word'))}`;
};

/** Renders horizontal lines at the ticks. */
const renderGrid = ({ ticks }: Axis): Html =>
  html`${ticks.map(({ at }) => {
    const y = toPercent(1 - at);
    return html`<line class="chart-grid" x1="0%" x2="100%" y1="${y}" y2="${y}"/>`;
  })}`;

/** Returns the anchor of a label: near an end of an axis it must not extend beyond it. */
const anchorAt = (at: number): string => (at < 0.2 ? 'start' : at > 0.8 ? 'end' : 'middle');

/** Renders the labels of a horizontal axis. Narrow screens show the first and the last one. */
export const xAxis = (ticks: readonly Tick[]): Html =>
  html`<svg class="chart-x" aria-hidden="true">${ticks.map(
    ({ at, label }, index) =>
      html`<text${index > 0 && index < ticks.length - 1 && raw(' class="chart-wide"')} x="${toPercent(at)}" y="1.2em" text-anchor="${anchorAt(at)}">${label}</text>`,
  )}</svg>`;

/** A drawing with its axes. */
interface Plot {
  /** Title, for readers who cannot see the drawing. */
  readonly title: string;
  /** Content of the drawing, in a sentence. */
  readonly summary: string;
  /** Quantity on the vertical axis. */
  readonly yName: string;
  readonly y: Axis;
  /** Absent if the plot below has them. */
  readonly x?: readonly Tick[] | undefined;
  readonly marks: Html;
  /** Rows of marks below the drawing, on the same horizontal axis. */
  readonly lanes?: Html | undefined;
  /** Links over the drawing, each over a part of its time. */
  readonly slots?: Html | undefined;
  readonly isLow?: boolean;
}

/**
 * Renders a drawing with its axes. It has no view box: positions are shares of its width and sizes are text sizes, so
 * that labels are as large as other text on any screen. Time runs from left to right in every language.
 */
export const renderPlot = ({ title, summary, yName, y, x, marks, lanes, slots, isLow = false }: Plot): Html => {
  const low = raw(isLow ? ' chart-low' : '');
  return html`<div class="chart-frame${slots !== undefined && ' chart-slotted'}" dir="ltr">
<p class="chart-y-name soft" dir="auto" aria-hidden="true">${yName}</p>
<svg class="chart-y${low}" aria-hidden="true">${yLabels(y)}</svg>
<svg class="chart-plot${low}" role="img"><title>${title}</title><desc>${summary}</desc>${renderGrid(y)}${marks}</svg>
${slots}${lanes}${x && xAxis(x)}</div>
`;
};

/**
 * Renders a line through points of a plot, which keeps its width when the plot is stretched. Each run begins a new
 * line.
 */
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
