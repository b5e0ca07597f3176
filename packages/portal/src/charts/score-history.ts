import type { Color } from '@broker-transparency/client';
import type { BrokerHistory } from '@broker-transparency/client/record';
import { TRANSPARENCY_BASE_PATH } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { COLOR_FROM } from '../score/colors.ts';
import { wordFor } from '../words.ts';
import {
  type ChartContext,
  createTimeFormat,
  DAY,
  figure,
  lineThrough,
  numberCell,
  renderPlot,
  type Tick,
} from './figure.ts';
import { computeShare, toPercent } from './scale.ts';

interface BrokerScore {
  readonly slug: string;
  readonly score: { readonly value: number | null; readonly color: Color };
}

/** Recorded scores over time. */
export interface ScoreHistory {
  /** Time at which the record of the broker begins. */
  readonly since: string;
  /** Scores after entries, oldest first. */
  readonly data: readonly Pick<BrokerHistory['data'][number], 'time' | 'value' | 'color'>[];
}

export interface ScorePoint {
  readonly time: string;
  /** Null while the broker is not rated. */
  readonly value: number | null;
  readonly color: string;
  /** 0 to 1 of the width. */
  readonly x: number;
}

/** Returns the score after each day on which it changed, and now. */
export const computePoints = (
  { now: at }: Pick<ChartContext, 'now'>,
  history: ScoreHistory,
  { score }: BrokerScore,
): ScorePoint[] => {
  const now = { time: at.toISOString(), value: score.value, color: score.color };
  const { since, data } = history;
  const all = data.length > 0 ? [...data, now] : [{ ...now, time: since }, now];
  const [begin, end] = [all[0] as Omit<ScorePoint, 'x'>, now].map(({ time }) => Date.parse(time)) as [number, number];
  const changed = all.filter(({ value }, at) => at === 0 || at === all.length - 1 || value !== all[at - 1]?.value);
  return changed.map((step) => ({ ...step, x: computeShare(Date.parse(step.time), begin, end) }));
};

const toShare = (value: number): number => computeShare(value, 0, 100);

/** Returns runs of steps: a score stays constant until it changes, with a gap while there is none. */
const splitRuns = (points: readonly ScorePoint[]): [number, number][][] => {
  const runs: [number, number][][] = [[]];
  points.forEach(({ x, value }, at) => {
    const run = runs.at(-1) as [number, number][];
    if (value === null) {
      runs.push([]);
      return;
    }
    const next = points[at + 1];
    run.push([x, toShare(value)]);
    if (next) run.push([next.x, toShare(value)]);
  });
  return runs;
};

const renderGaps = (points: readonly ScorePoint[]): Html =>
  html`${points.map(({ x, value }, at) => {
    const next = points[at + 1];
    if (value !== null || !next) return null;
    return html`<rect class="chart-gap" x="${toPercent(x)}" y="0%" width="${toPercent(next.x - x)}" height="100%"/>`;
  })}`;

const computeTicks = (context: ChartContext, points: readonly ScorePoint[]): Tick[] => {
  const [begin, end] = [points[0], points.at(-1)].map((point) => Date.parse((point as ScorePoint).time)) as [
    number,
    number,
  ];
  const formatTime = createTimeFormat(context, begin, end);
  const formatTick = (at: number): string => formatTime(begin + at * (end - begin));
  const shown = formatTick(0) === formatTick(1) ? [1] : end - begin < 4 * DAY ? [0, 1] : [0, 0.25, 0.5, 0.75, 1];
  return shown.map((at) => ({ at, label: formatTick(at) }));
};

/** Parts of a chart that tell a story: links over parts of its time, and rows of marks on the same axis. */
export interface StoryParts {
  readonly renderSlots: (points: readonly ScorePoint[]) => Html | undefined;
  /** @param shareAt the place of a time in milliseconds, 0 to 1 of the width */
  readonly renderLanes: (shareAt: (time: number) => number) => Html;
}

/**
 * Renders the score of a broker over time.
 * @param history one step for each day of the record is enough
 */
export const scoreHistory = (
  context: ChartContext,
  broker: BrokerScore,
  history: ScoreHistory,
  story?: StoryParts,
): Html => {
  const { texts, format } = context;
  const said = texts.charts.history;
  const points = computePoints(context, history, broker);
  const source = { name: said.source, href: `${TRANSPARENCY_BASE_PATH}/brokers/${broker.slug}/history` };
  const rated = points.filter(({ value }) => value !== null) as (ScorePoint & { readonly value: number })[];
  const formatColor = (color: string): string => wordFor(texts.colors, color);
  const shared = { name: 'score-history', title: said.title, unit: said.unit, source };
  const [first, last] = [points[0] as ScorePoint, points.at(-1) as ScorePoint];
  const formatScore = ({ value }: ScorePoint): string => (value === null ? texts.colors.gray : format.fixed(value, 1));
  const note = said.note({ day: format.day(history.since) });
  if (rated.length === 0) return figure(context, { ...shared, plot: null, note: `${said.none} ${note}` });
  const isSame = points.every(({ value }) => value === last.value);
  if (isSame && Date.parse(last.time) - Date.parse(first.time) < DAY)
    return figure(context, {
      ...shared,
      plot: null,
      note: `${said.begins({ score: `${formatScore(last)} (${formatColor(last.color)})` })} ${note}`,
    });
  const values = rated.map(({ value }) => value);
  const plot = renderPlot({
    title: said.title,
    summary: said.summary({
      from: format.day(first.time),
      first: formatScore(first),
      last: formatScore(last),
      lowest: format.fixed(Math.min(...values), 1),
      highest: format.fixed(Math.max(...values), 1),
    }),
    yName: said.score,
    y: {
      ticks: [0, COLOR_FROM.yellow, COLOR_FROM.green, 100].map((value) => ({
        at: toShare(value),
        label: format.number(value),
      })),
      words: [
        { at: toShare(COLOR_FROM.yellow / 2), label: texts.colors.red },
        { at: toShare((COLOR_FROM.yellow + COLOR_FROM.green) / 2), label: texts.colors.yellow },
        { at: toShare((COLOR_FROM.green + 100) / 2), label: texts.colors.green },
      ],
    },
    x: computeTicks(context, points),
    slots: story?.renderSlots(points),
    lanes: story?.renderLanes((time) => computeShare(time, Date.parse(first.time), Date.parse(last.time))),
    marks: html`${renderGaps(points)}${lineThrough(splitRuns(points))}${rated.map(
      ({ x, value }) =>
        html`<circle class="chart-dot" cx="${toPercent(x)}" cy="${toPercent(1 - toShare(value))}" r="3"/>`,
    )}`,
  });
  const rows = html`<thead><tr><th scope="col">${said.time}</th><th scope="col" class="number">${said.score}</th><th scope="col">${said.word}</th></tr></thead>
<tbody>${points
    .toReversed()
    .map(
      ({ time, value, color }, at) =>
        html`<tr><th scope="row">${at === 0 ? said.now : format.day(time)}</th>${
          value === null ? numberCell('–') : numberCell(format.fixed(value, 1))
        }<td>${formatColor(color)}</td></tr>\n`,
    )}</tbody>`;
  const legend = points.some(({ value }, at) => value === null && at < points.length - 1)
    ? ([
        ['line', said.score],
        ['gap', texts.colors.gray],
      ] as const)
    : undefined;
  return figure(context, {
    ...shared,
    plot,
    rows,
    legend,
    note: `${isSame ? `${said.unchanged({ day: format.day(first.time) })} ` : ''}${note} ${said.line}`,
  });
};
