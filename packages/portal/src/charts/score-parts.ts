import type { Score } from '@broker-transparency/client';
import { BASE_PATH } from '@broker-transparency/contract';
import { type Html, html, toBdi } from '../html.ts';
import { wordFor } from '../words.ts';
import { type ChartContext, figure, numberCell } from './figure.ts';
import { computeShare, toPercent } from './scale.ts';

interface ScorePartsInput {
  readonly slug: string;
  /** Address of the answer with the score. By default the current one of the broker. */
  readonly href?: string;
  readonly score: Score;
}

const COLUMNS = 3;

/**
 * Renders the parts of a score: each part begins at the end of the one before, then follow the limits and the result.
 * The table is the drawing.
 */
export const scoreParts = (
  context: ChartContext,
  { slug, score, href = `${BASE_PATH}/brokers/${slug}` }: ScorePartsInput,
): Html => {
  const { texts, format } = context;
  const said = texts.charts.parts;
  const source = { name: said.source, href };
  const toShare = (value: number): number => computeShare(value, 0, 100);
  /** Returns a bar below the numbers of its row, as wide as the table: 100 points. */
  const barRow = (marks: Html): Html =>
    html`<tr class="chart-bar-row" aria-hidden="true"><td colspan="${COLUMNS}"><svg class="chart-bar">${marks}</svg></td></tr>\n`;
  const bar = ([from, value]: readonly [number, number], kind: string): Html => {
    const [x1, x2] = [toShare(from), toShare(from + value)];
    return barRow(
      html`<rect class="chart-${kind}" x="${toPercent(x1)}" y="0%" width="${toPercent(x2 - x1)}" height="100%"/>`,
    );
  };
  let sum = 0;
  const parts = score.components.map(({ key, weight, score: points, contribution }) => {
    const from = sum;
    sum += contribution;
    const name = wordFor(texts.score.components, key);
    return html`<tr class="chart-has-bar"><th scope="row">${name}</th><td class="number">${format.percent(weight)} × ${format.fixed(points, 1)}</td>${numberCell(format.fixed(contribution, 2))}</tr>
${bar([from, contribution], 'full')}`;
  });
  const caps = score.caps.map(({ code, limit, reason }) => {
    const why = said.caps[code as keyof typeof said.caps];
    const x = toPercent(toShare(limit));
    return html`<tr class="chart-has-bar"><th scope="row" colspan="${COLUMNS - 1}">${said.cap} ${why ?? toBdi(reason)}</th>${numberCell(format.number(limit))}</tr>
${barRow(html`<line class="chart-across" x1="${x}" x2="${x}" y1="0%" y2="100%"/>`)}`;
  });
  const { value, rawValue, color } = score;
  const word = wordFor(texts.colors, color);
  const total = html`<tr class="chart-has-bar"><th scope="row" colspan="${COLUMNS - 1}">${said.sum}</th>${numberCell(format.fixed(rawValue, 2))}</tr>
${bar([0, rawValue], 'hollow')}`;
  const result =
    value === null
      ? html`<tr><th scope="row" colspan="${COLUMNS - 1}">${said.result}</th><td class="number">${word}</td></tr>`
      : html`<tr class="chart-has-bar"><th scope="row" colspan="${COLUMNS - 1}">${said.result}: ${word}</th><td class="number"><strong>${format.fixed(value, 1)}</strong></td></tr>
${bar([0, value], 'full')}`;
  const rows = html`<thead><tr><th scope="col">${said.part}</th><th scope="col" class="number">${said.weighted}</th><th scope="col" class="number">${said.contribution}</th></tr></thead>
<tbody>${parts}${total}${caps}${result}</tbody>`;
  return figure(context, {
    name: 'score-parts',
    title: said.title,
    unit: said.unit,
    plot: null,
    rows,
    isTable: true,
    note: said.note,
    source,
  });
};
