import { figure } from '../charts/figure.ts';
import { type Html, html } from '../html.ts';
import type { StatusDay, StatusState } from './state.ts';
import { dayHtml, type StatusTexts } from './text.ts';

const WIDTH = 10;
const GAP = 2;
const HEIGHT = 56;
/** Minimum height of the part of a bar for lost minutes, so that a single one is visible. */
const LEAST = 12;

const countMinutesDown = ({ minutes, up, unmeasured }: StatusDay): number => minutes - up - unmeasured;

/** Returns the heights of the parts of a bar, from its top: not measured, down, up. */
const computeHeights = (day: StatusDay): [unmeasured: number, down: number, up: number] => {
  const high = (minutes: number): number =>
    minutes === 0 ? 0 : Math.max(LEAST, Math.round((minutes / day.minutes) * HEIGHT));
  const [gap, down] = [high(day.unmeasured), high(countMinutesDown(day))];
  const lost = gap + down;
  const room = day.up === 0 ? HEIGHT : HEIGHT - LEAST;
  const scale = day.up === 0 || lost > room ? room / Math.max(1, lost) : 1;
  const [gapHigh, downHigh] = [Math.round(gap * scale), Math.round(down * scale)];
  return [gapHigh, downHigh, HEIGHT - gapHigh - downHigh];
};

const bar = ({ said }: StatusTexts, day: StatusDay, at: number): Html => {
  const rect = (kind: string, y: number, height: number): Html | false =>
    height > 0 &&
    html`<rect class="chart-${kind}" x="${at * WIDTH}" y="${y}" width="${WIDTH - GAP}" height="${height}"><title>${said.day({ date: day.date, up: String(day.up), all: String(day.minutes), down: String(countMinutesDown(day)), unmeasured: String(day.unmeasured) })}</title></rect>`;
  if (day.minutes === 0) return html`${rect('none', HEIGHT - 4, 4)}`;
  const [gap, down, up] = computeHeights(day);
  // unmeasured parts recede, to be distinct from down without colour
  return html`${gap > 4 && rect('unmeasured', 4, gap - 4)}${rect('down', gap, down)}${rect('full', gap + down, up)}`;
};

/** Renders one bar per day. */
const bars = (texts: StatusTexts, days: readonly StatusDay[]): Html => {
  const lost = days.filter(({ minutes, up }) => up < minutes).length;
  const width = Math.max(1, days.length) * WIDTH - GAP;
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
  return html`<svg class="bars" role="img" aria-label="${texts.said.bars({ count: String(days.length), lost: String(lost) })}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none">${days.map((day, at) => bar(texts, day, at))}</svg>
<div class="ends soft"><span>${dayHtml(first)}</span><span>${days.length > 1 && dayHtml(last)}</span></div>`;
};

/** Renders the numbers of the bars, newest first. */
const dayRows = ({ said: { columns }, number }: StatusTexts, days: readonly StatusDay[]): Html => {
  const rows = days
    .toReversed()
    .map(
      (day) =>
        html`<tr><th scope="row">${dayHtml(day.date)}</th>${[day.up, countMinutesDown(day), day.unmeasured].map((minutes) => html`<td class="number">${number(minutes)}</td>`)}</tr>`,
    );
  const heads = [columns.up, columns.down, columns.unmeasured].map(
    (text) => html`<th scope="col" class="number">${text}</th>`,
  );
  return html`<thead><tr><th scope="col">${columns.day}</th>${heads}</tr></thead><tbody>${rows}</tbody>`;
};

/** Renders the days as bars and as numbers. */
export const dayChart = (texts: StatusTexts, { days, generatedAt, shownAt }: StatusState, data: string): Html => {
  const { said } = texts;
  const [shown, made] = [new Date(shownAt), new Date(generatedAt ?? shownAt)];
  return figure(
    { ...texts, now: shown, asOf: () => made },
    {
      name: 'minutes',
      title: said.chart,
      unit: said.chartUnit,
      plot: bars(texts, days),
      legend: [
        ['full', said.legend.up],
        ['down', said.legend.down],
        ['unmeasured', said.legend.unmeasured],
      ],
      rows: dayRows(texts, days),
      source: { name: 'status.json', href: data },
    },
  );
};

/** Returns a sentence about all days together. */
export const daysSentence = ({ said, number, share }: StatusTexts, days: readonly StatusDay[]): string => {
  const sum = (of: (day: StatusDay) => number): number => days.reduce((total, day) => total + of(day), 0);
  const [minutes, up] = [sum((day) => day.minutes), sum((day) => day.up)];
  if (minutes === 0) return said.nothingMeasured;
  const unmeasured = number(sum((day) => day.unmeasured));
  return said.share({
    share: share(up, minutes),
    minutes: number(minutes),
    down: number(sum(countMinutesDown)),
    unmeasured,
  });
};
