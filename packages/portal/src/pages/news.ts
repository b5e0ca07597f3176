import { Cursor } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { followLink } from '../parts/follow.ts';
import { cursorLinks, nothingFound } from '../parts/list.ts';
import { newsItem, readNames } from '../parts/news-items.ts';
import { FEED_PATH } from '../spread/atom.ts';

/** Number of items per page. */
const SIZE = 20;

/** Renders the links to the feeds: of all news, and of warnings by the country of the authority. */
const followLinks = async (context: PageContext): Promise<Html> => {
  const { texts, format, client } = context;
  const said = texts.spread.follow;
  const { data } = await client.regulators.list();
  const byName = new Intl.Collator(texts.locale).compare;
  const countries = [...new Set(data.map(({ country }) => country))]
    .map((code) => ({ code, name: format.country(code) }))
    .sort((a, b) => byName(a.name, b.name));
  return html`${followLink(context, FEED_PATH, said.news)}
<details class="follow-countries"><summary>${said.byCountry}</summary>
<ul>${countries.map(
    ({ code, name }) =>
      html`<li><a href="${addressIn(context, `/warnings/${code.toLowerCase()}/feed.atom`)}" type="application/atom+xml">${name}</a></li>`,
  )}</ul></details>`;
};

/** News, newest first. */
export const news = definePage(
  '/news',
  { params: z.object({}), query: z.object({ cursor: Cursor.optional() }) },
  async (context, { query: { cursor } }) => {
    const { texts, client } = context;
    const words = texts.find.news;
    const { data, pagination } = await client.news.list({ limit: SIZE, ...(cursor === undefined ? {} : { cursor }) });
    const names = await readNames(context, data);
    const { nextCursor } = pagination;
    const count = (cursor === undefined ? words.shown : words.onward)({ count: data.length });
    return {
      html: layout(context, {
        title: words.title,
        description: words.description,
        isUnlisted: cursor !== undefined,
        body: html`<h1>${words.title}</h1>
<p>${words.lead}</p>
${await followLinks(context)}
${data.length === 0 ? nothingFound(words.none) : html`<p class="soft">${count}. ${nextCursor === null ? words.all : words.more}</p>`}
<ol class="items">
${data.map((item) => newsItem(context, item, names, 'h2'))}</ol>
${cursorLinks(context, '/news', { cursor, nextCursor }, words)}`,
      }),
    };
  },
);
