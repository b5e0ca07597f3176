import * as z from 'zod';
import { docsPage, type LinkList, searchForm } from '../../docs/frame.ts';
import { apiTexts, guideLists } from '../../docs/pages.ts';
import { referencePath } from '../../docs/reference.ts';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage, type PageContext } from '../../page.ts';

/** Renders a link with a sentence about its page. */
const entry = (context: PageContext, path: string, title: string, lead: string): Html =>
  html`<li><a href="${addressIn(context, path)}">${title}</a> <span class="soft">${lead}</span></li>\n`;

const guides = (context: PageContext, { title, links }: LinkList): Html => html`<section>
<h2>${title}</h2>
<ul class="plain" lang="en">${links.map((link) => html`<li><a href="${addressIn(context, link.path)}">${link.title}</a></li>\n`)}</ul>
</section>
`;

/** The first page of the documentation. */
export const docsIndex = definePage('/docs', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { docs } = context.texts;
  return {
    html: docsPage(context, {
      title: docs.title,
      description: docs.lead,
      scripts: ['docs.js'],
      body: html`<h1>${docs.title}</h1>
<p class="lead">${docs.lead}</p>
${docs.english !== '' && html`<p>${docs.english}</p>`}
${searchForm(context)}
<section>
<h2>${docs.reference}</h2>
<p>${docs.referenceLead}</p>
<ul class="plain">${context.library.apis().map((api) => {
        const { title, lead } = apiTexts(context, api);
        return entry(context, referencePath(api), title, lead);
      })}${entry(context, '/problems', docs.problems, docs.problemsLead)}</ul>
</section>
<div class="docs-parts">
${guideLists(context).map((list) =>
  list.name === 'rating' && context.has('/methodology')
    ? guides(context, { ...list, links: [{ title: docs.methodology, path: '/methodology' }, ...list.links] })
    : guides(context, list),
)}</div>
<p><a href="/verify">${docs.verify}</a> <span class="soft">${docs.verifyLead}</span></p>`,
    }),
  };
});
