import type { BrokerSummary, Regulator } from '@broker-transparency/client';
import { COLORS } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { type DirectoryPage, definePage, type PageContext } from '../page.ts';
import { addressWith } from '../parts/addresses.ts';
import { brokerTable, warningLine } from '../parts/broker-table.ts';
import { isFictional } from '../parts/fictional.rule.ts';
import { drawWeights } from '../parts/illustrations.ts';
import { licenseWords } from '../parts/license-words.ts';
import { readNames, shortNewsItem } from '../parts/news-items.ts';
import { rating } from '../parts/rating.ts';
import { scoreScale } from '../parts/score-scale.ts';
import { wideSearch } from '../parts/search-form.ts';
import type { CountMessage } from '../texts/counting.ts';
import { chooseExample } from './home/example.rule.ts';
import { groupByCountry } from './home/warnings.rule.ts';

/** Number of news items searched for warnings, and of shown brokers. */
const READ = 100;
const BEST = 5;
const SHOWN = { countries: 4, items: 8 } as const;
/** Number of brokers among which the best and the example are selected. */
const CANDIDATES = 50;

/** The data of the first page. */
interface HomeView {
  readonly context: PageContext;
  readonly list: DirectoryPage;
  readonly regulators: readonly Regulator[];
}

/** Renders the newest warnings, by the country of the authority that warns. */
const warnings = async ({ context, regulators }: HomeView): Promise<Html> => {
  const { texts, format, client } = context;
  const { home, news } = texts.find;
  const { data } = await client.news.list({ limit: READ });
  const countries = new Map(regulators.map(({ code, country }) => [code, country]));
  const groups = groupByCountry(data, countries, texts.code, SHOWN);
  const names = await readNames(
    context,
    groups.flatMap(({ items }) => items),
  );
  return html`<section aria-labelledby="warnings">
<h2 id="warnings">${home.warnings}</h2>
${groups.length === 0 && html`<p class="soft">${home.noWarnings}</p>`}
${groups.map(
  ({
    country,
    items,
  }) => html`${(country !== undefined || groups.length > 1) && html`<h3>${country === undefined ? home.otherWarnings : format.country(country)}</h3>`}
<ul class="short-items">
${items.map((item) => shortNewsItem(context, item, names))}</ul>
`,
)}<p><a href="${addressIn(context, '/news')}">${home.allNews}</a> · ${news.lead}</p>
</section>
`;
};

/** Renders a broker as an example of the answer that a reader gets. */
const example = (context: PageContext, broker: BrokerSummary): Html => {
  const { texts, format } = context;
  const { home } = texts.find;
  return html`<section class="example" aria-labelledby="example">
<h2 id="example">${home.example}</h2>
<p><a class="example-name" href="${addressIn(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a></p>
${isFictional(broker) && html`<p><span class="mark">${texts.spread.fictional}</span></p>`}
<p>${rating(context, { ...broker, value: broker.score.value })}</p>
${scoreScale(context, broker.score)}
<ul>
<li>${licenseWords(context, broker.licenseCounts).join(', ')}</li>
<li>${texts.find.row.warnings}: ${warningLine(context, broker.warnings)}</li>
<li>${texts.broker.reviewCount({ count: broker.ratingSummary.count })}</li>
</ul>
<p class="soft">${home.exampleRule({ looked: format.number(CANDIDATES) })}</p>
</section>
`;
};

/** Renders how much the service has looked at, in numbers. */
const coverage = ({ context, list, regulators }: HomeView): Html => {
  const { texts, format } = context;
  const { checked: title, covered } = texts.find.home;
  const { choices, pagination } = list;
  const countries = new Set(regulators.map(({ country }) => country)).size;
  const checked = regulators.filter(({ lastVerifiedAt }) => lastVerifiedAt !== null).length;
  const where = ` ${covered.countries({ count: countries })}; ${covered.checked({ count: checked })}`;
  const rows: readonly (readonly [count: number, name: CountMessage, path: string, more?: string])[] = [
    [pagination.total, covered.brokers, '/brokers'],
    [choices.license['confirmed'] ?? 0, covered.licensed, '/brokers?license=confirmed'],
    [choices.warnings['standing'] ?? 0, covered.warned, '/brokers?warnings=standing'],
    [regulators.length, covered.regulators, '/regulators', where],
  ];
  return html`<section aria-labelledby="covered">
<h2 id="covered">${title}</h2>
<ul class="counts">${rows.map(
    ([count, name, path, more]) =>
      html`<li><a href="${addressIn(context, path)}"><b>${format.number(count)}</b> ${name({ count })}${more}</a></li>
`,
  )}</ul>
</section>
`;
};

/** Renders the parts of a score, and the number of brokers with each word. */
const ratings = ({ context, list: { choices } }: HomeView): Html => {
  const { texts, format } = context;
  const { home } = texts.find;
  return html`<section aria-labelledby="ratings">
<h2 id="ratings">${home.ratings}</h2>
${drawWeights(context)}
<ul class="colors">${COLORS.map(
    (color) =>
      html`<li><a class="rated" data-color="${color}" href="${addressWith(context, '/brokers', { color })}"><b>${format.number(choices.color[color] ?? 0)}</b> ${texts.colors[color]}</a> <span class="soft">${home.meaning[color]}</span></li>
`,
  )}</ul>
<p><a href="${addressIn(context, '/methodology')}">${texts.site.methodology}</a></p>
</section>
`;
};

const steps = ({ texts }: PageContext): Html => {
  const words = texts.find.home;
  return html`<section aria-labelledby="use"><h2 id="use">${words.use}</h2>
<ol class="steps">${words.steps.map(({ title, text }) => html`<li><strong>${title}.</strong> ${text}</li>`)}</ol>
</section>`;
};

/** Renders the search, and beside it an example of an answer, if a broker is well proven. */
const opening = (context: PageContext, shown: BrokerSummary | undefined): Html => {
  const { texts } = context;
  const words = texts.find.home;
  return html`<div class="opening">
<div><h1>${texts.home.title}</h1>
<p class="lead">${texts.home.lead}</p>
${wideSearch(context)}
<p>${words.cloneLead} <a href="${addressIn(context, '/check')}">${words.clone}</a></p></div>
${shown ? example(context, shown) : steps(context)}
</div>`;
};

const best = (context: PageContext, { data, pagination }: DirectoryPage): Html | false => {
  const words = context.texts.find.home;
  // A suspected clone is left out: its score follows from copied facts.
  const shown = data.filter(({ status, score }) => status !== 'suspected_clone' && score.value !== null).slice(0, BEST);
  const caption = words.bestCaption({
    shown: context.format.number(shown.length),
    total: context.format.number(pagination.total),
  });
  return (
    shown.length > 0 &&
    html`<section aria-labelledby="best"><h2 id="best">${words.best}</h2>
${brokerTable(context, caption, shown)}
<p><a href="${addressIn(context, '/brokers')}">${words.allBrokers}</a></p></section>`
  );
};

/** The first page: search, an example of an answer, the newest warnings, and an overview. */
export const home = definePage('/', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { texts, listBrokers, client } = context;
  const [list, { data: regulators }] = await Promise.all([
    listBrokers({ limit: CANDIDATES, offset: 0 }),
    client.regulators.list(),
  ]);
  const view = { context, list, regulators };
  const shown = chooseExample(list.data);
  return {
    html: layout(context, {
      title: texts.home.title,
      description: texts.home.lead,
      hasSearch: false,
      body: html`${opening(context, shown)}
${coverage(view)}
<div class="halves">
<div>
${await warnings(view)}
${shown && steps(context)}
</div>
${ratings(view)}
</div>
${best(context, list)}`,
    }),
  };
});
