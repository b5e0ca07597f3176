import { BASE_PATH, type StarDistribution } from '@broker-transparency/contract';
import { type Html, html } from '../html.ts';
import { type ChartContext, figure, numberCell } from './figure.ts';
import { toPercent } from './scale.ts';

interface BrokerDistribution {
  readonly slug: string;
  readonly ratingSummary: { readonly distribution: StarDistribution };
}

const STARS = [5, 4, 3, 2, 1] as const;

/** Renders the number of reviews per number of stars. The table is the drawing: each row has its bar. */
export const ratingDistribution = (
  context: ChartContext,
  { slug, ratingSummary: { distribution } }: BrokerDistribution,
): Html => {
  const { texts, format } = context;
  const said = texts.charts.distribution;
  const total = STARS.reduce((sum, star) => sum + distribution[star], 0);
  const most = Math.max(...STARS.map((star) => distribution[star]));
  const source = { name: said.source, href: `${BASE_PATH}/brokers/${slug}` };
  const shared = { name: 'distribution', title: said.title, unit: said.unit, plot: null, source };
  if (total === 0) return figure(context, { ...shared, note: said.none });
  const bar = (count: number): Html =>
    html`<td class="chart-cell"><svg class="chart-bar" aria-hidden="true"><rect class="chart-full" x="0%" y="0%" width="${toPercent(count / most)}" height="100%"/></svg></td>`;
  const rows = html`<thead><tr><th scope="col">${said.stars}</th><td></td><th scope="col" class="number">${said.reviews}</th><th scope="col" class="number">${said.share}</th></tr></thead>
<tbody>${STARS.map((star) => {
    const count = distribution[star];
    return html`<tr><th scope="row" class="chart-label">${said.star({ count: star })}</th>${bar(count)}${numberCell(format.number(count))}${numberCell(format.percent(count / total))}</tr>\n`;
  })}</tbody>`;
  return figure(context, { ...shared, rows, isTable: true, note: total < 10 ? said.few({ count: total }) : null });
};
