import { SEARCH_RESULTS, Text } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolated } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { brokerTable } from '../parts/broker-table.ts';
import { wideSearch } from '../parts/search-form.ts';

/** Longest text that is searched for, in characters. */
const MOST = 100;

/** Returns the text to search for; undefined where nothing in it can be seen. */
export const askedText = (given: string | undefined): string | undefined =>
  Text(1, MOST).safeParse([...(given ?? '').trim()].slice(0, MOST).join('')).data;

const nothingFound = (context: PageContext, asked: string): Html => {
  const { search } = context.texts.find;
  return html`<section class="nothing">
<h2>${search.none(isolated(asked))}</h2>
<p>${search.noneText}</p>
<h3>${search.next}</h3>
<ul>
<li>${search.nextSpelling}</li>
<li><a href="${addressIn(context, '/check')}">${search.nextClone}</a></li>
<li><a href="${addressIn(context, '/regulators')}">${search.nextRegister}</a></li>
<li><a href="${addressIn(context, '/brokers')}">${search.nextList}</a></li>
</ul>
</section>
`;
};

const results = async (context: PageContext, asked: string): Promise<Html> => {
  const { texts, format, client } = context;
  const { search } = texts.find;
  const { data } = await client.search({ q: asked });
  if (data.length === 0) return nothingFound(context, asked);
  const isCut = data.length === SEARCH_RESULTS;
  const caption = isCut ? search.cut(format.number(SEARCH_RESULTS)) : format.plural(data.length, search.found);
  return brokerTable(context, caption, data);
};

/** What a search finds, with a form for the next one. */
export const search = definePage(
  '/search',
  { params: z.object({}), query: z.object({ q: z.string().optional() }) },
  async (context, { query: { q } }) => {
    const words = context.texts.find.search;
    const asked = askedText(q);
    const isCut = [...(q ?? '').trim()].length > MOST;
    return {
      html: layout(context, {
        title: asked === undefined ? words.title : `${asked} · ${words.title}`,
        description: words.description,
        isUnlisted: true,
        hasSearch: false,
        body: html`<h1>${asked === undefined ? words.title : words.titleFor}</h1>
${wideSearch(context, asked)}
${isCut && html`<p role="status">${words.tooLong(context.format.number(MOST))}</p>`}
${asked !== undefined && (await results(context, asked))}`,
      }),
    };
  },
);
