import { Cursor } from '@broker-transparency/contract';
import * as z from 'zod';
import { html } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage } from '../page.ts';
import { newsItem, readNames } from '../parts/news-items.ts';
import { addressWith } from '../parts/page-links.ts';

/** Number of items per page. */
const SIZE = 20;

/** News, newest first. */
export const news = definePage(
  '/news',
  { params: z.object({}), query: z.object({ cursor: Cursor.optional() }) },
  async (context, { query: { cursor } }) => {
    const { texts, format, client } = context;
    const words = texts.find.news;
    const { data, pagination } = await client.news.list({ limit: SIZE, ...(cursor === undefined ? {} : { cursor }) });
    const names = await readNames(context, data);
    const { nextCursor } = pagination;
    const count = format.plural(data.length, cursor === undefined ? words.shown : words.onward);
    return {
      html: layout(context, {
        title: words.title,
        description: words.description,
        isUnlisted: cursor !== undefined,
        body: html`<h1>${words.title}</h1>
<p>${words.lead}</p>
${data.length === 0 ? html`<p>${words.none}</p>` : html`<p class="soft">${count}. ${nextCursor === null ? words.all : words.more}</p>`}
<ol class="items">
${data.map((item) => newsItem(context, item, names, 'h2'))}</ol>
${
  (cursor !== undefined || nextCursor !== null) &&
  html`<nav class="pages" aria-label="${texts.find.pages.label}">
${cursor !== undefined && html`<a href="${addressIn(context, '/news')}">${words.first}</a>`}
${nextCursor !== null && html`<a href="${addressWith(context, '/news', { cursor: nextCursor })}" rel="next">${words.next}</a>`}
</nav>`
}`,
      }),
    };
  },
);
