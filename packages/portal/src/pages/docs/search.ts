import * as z from 'zod';
import { docsPage, searchForm, wrapEnglish } from '../../docs/frame.ts';
import { guideLists } from '../../docs/pages.ts';
import { cutExcerpt, listEntries, MOST_FOUND, type SearchEntry, searchDocs } from '../../docs/search.ts';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage, type PageContext } from '../../page.ts';

const result = (context: PageContext, { title, page, path, text, code }: SearchEntry, query: string): Html => html`<li>
<a href="${addressIn(context, path)}">${title}</a>${page !== '' && html` <span class="soft">${page}</span>`}
<p>${cutExcerpt(text || code, query)}</p></li>
`;

/** Search results of the documentation. The page needs no script. */
export const docsSearch = definePage(
  '/docs/search',
  { params: z.object({}), query: z.object({ q: z.string().trim().max(100).optional() }) },
  async (context, { query: { q = '' } }) => {
    const { library, texts, format } = context;
    const { docs } = texts;
    const { found, count } = q === '' ? { found: [], count: 0 } : await searchDocs(library, q);
    return {
      html: docsPage(context, {
        title: docs.search,
        description: docs.searchLead,
        isUnlisted: true,
        scripts: ['docs.js'],
        siblings: count === 0 ? guideLists(context) : [],
        body: html`<h1>${docs.search}</h1>
<p>${docs.searchLead}</p>
${searchForm(context, q)}
${
  q !== '' &&
  html`<section class="docs-results"><h2>${count === 0 ? docs.noResults : docs.results({ count })}</h2>
${count > MOST_FOUND && html`<p>${docs.cut({ count: format.number(MOST_FOUND) })}</p>`}
${count > 0 && wrapEnglish(html`<ol class="plain">${found.map((place) => result(context, place, q))}</ol>`)}</section>`
}`,
      }),
    };
  },
);

/** Titles and addresses of all places, which the search script filters while the reader types. */
export const docsHeadings = definePage(
  '/docs/headings.json',
  { params: z.object({}), query: z.object({}) },
  async (context) => ({
    text: JSON.stringify(
      listEntries(context.library).map(({ id, title, page, path }) => ({
        id,
        title,
        page,
        path: addressIn(context, path),
      })),
    ),
    contentType: 'application/json',
  }),
);
