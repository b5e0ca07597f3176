import { COLORS } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { type DirectoryPage, definePage, type PageContext } from '../page.ts';
import { brokerTable } from '../parts/broker-table.ts';
import { newsItem, readNames } from '../parts/news-items.ts';
import { addressWith } from '../parts/page-links.ts';
import { wideSearch } from '../parts/search-form.ts';

/** Number of news items searched for warnings, and of shown warnings and brokers. */
const READ = 100;
const WARNINGS = 4;
const BEST = 5;
/** Number of brokers among which the best are selected. */
const CANDIDATES = 50;

const warnings = async (context: PageContext): Promise<Html> => {
  const { texts, format, client } = context;
  const { home, news } = texts.find;
  const { data } = await client.news.list({ limit: READ });
  const shown = data.filter(({ category }) => category === 'warning').slice(0, WARNINGS);
  const names = await readNames(context, shown);
  const said = home.someWarnings(format.plural(shown.length, home.newestWarnings), format.number(data.length));
  return html`<section aria-labelledby="warnings">
<h2 id="warnings">${home.warnings}</h2>
<p class="soft">${shown.length === 0 ? home.noWarnings : said}</p>
<ol class="items">
${shown.map((item) => newsItem(context, item, names, 'h3'))}</ol>
<p><a href="${addressIn(context, '/news')}">${home.allNews}</a> · ${news.lead}</p>
</section>
`;
};

const ratings = (context: PageContext, { choices, pagination: { total } }: DirectoryPage): Html => {
  const { texts, format } = context;
  const { home } = texts.find;
  return html`<section aria-labelledby="ratings">
<h2 id="ratings">${home.ratings}</h2>
<p class="soft">${format.plural(total, home.ratingsText)}</p>
<ul class="colors">${COLORS.map(
    (color) =>
      html`<li><a class="rated" data-color="${color}" href="${addressWith(context, '/brokers', { color })}"><b>${format.number(choices.color[color] ?? 0)}</b> ${texts.colors[color]}</a> <span class="soft">${home.meaning[color]}</span></li>
`,
  )}</ul>
</section>
`;
};

/** The first page: search, the newest warnings, and an overview. */
export const home = definePage('/', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { texts, format, listBrokers } = context;
  const words = texts.find.home;
  const list = await listBrokers({ limit: CANDIDATES, offset: 0 });
  // A suspected clone is left out: its score follows from copied facts.
  const best = list.data
    .filter(({ status, score }) => status !== 'suspected_clone' && score.value !== null)
    .slice(0, BEST);
  const caption = words.bestCaption(format.number(best.length), format.number(list.pagination.total));
  return {
    html: layout(context, {
      title: texts.home.title,
      description: texts.home.lead,
      hasSearch: false,
      body: html`<h1>${texts.home.title}</h1>
<p class="lead">${texts.home.lead}</p>
${wideSearch(context)}
<p>${words.cloneLead} <a href="${addressIn(context, '/check')}">${words.clone}</a></p>
<div class="halves">
${await warnings(context)}
<div>
${ratings(context, list)}
<section aria-labelledby="use"><h2 id="use">${words.use}</h2>
<ol class="steps">${words.steps.map(([name, text]) => html`<li><strong>${name}.</strong> ${text}</li>`)}</ol>
</section>
</div>
</div>
${
  best.length > 0 &&
  html`<section aria-labelledby="best"><h2 id="best">${words.best}</h2>
${brokerTable(context, caption, best)}
<p><a href="${addressIn(context, '/brokers')}">${words.allBrokers}</a></p></section>`
}`,
    }),
  };
});
