import * as z from 'zod';
import { OPERATING_PATH } from '../../docs/contents.ts';
import { docsPage, searchForm } from '../../docs/frame.ts';
import { apiTexts, type GuideList, guideLists } from '../../docs/pages.ts';
import { listCalls, referencePath } from '../../docs/reference.ts';
import { renderSamples } from '../../docs/sample-list.ts';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage, type PageContext } from '../../page.ts';

const NO_PARAMETERS = { params: z.object({}), query: z.object({}) };

/** Renders a link with a sentence about its page. */
const entry = (context: PageContext, path: string, title: string, lead: string): Html =>
  html`<li><a href="${addressIn(context, path)}">${title}</a> <span class="soft">${lead}</span></li>\n`;

const guides = (context: PageContext, { title, links }: Pick<GuideList, 'title' | 'links'>): Html => html`<section>
<h2>${title}</h2>
<ul class="plain" lang="en">${links.map((link) => html`<li><a href="${addressIn(context, link.path)}">${link.title}</a></li>\n`)}</ul>
</section>
`;

/** Renders the first call that a reader sends: it needs no key. A service for customers only has no such call. */
const quickStart = (context: PageContext): Html | false => {
  const { docs } = context.texts;
  const api = context.library.apis().find(({ name }) => name === 'api');
  const call = api && listCalls(api).find(({ operation }) => operation.operationId === 'brokers.list');
  return (
    call !== undefined &&
    html`<section>
<h2 id="quick-start">${docs.quickStart}</h2>
<p>${docs.quickStartLead}</p>
${renderSamples(context, call)}
<p>${docs.install} <code>npm install @broker-transparency/client</code></p>
<p>${docs.quickStartNext} <a href="${addressIn(context, referencePath(call.api))}">${docs.reference}</a>,
<a href="${addressIn(context, '/docs/guides/client')}">${docs.client}</a>,
<a href="${addressIn(context, '/docs/guides/recipes')}">${docs.recipes}</a></p>
</section>`
  );
};

/** The first page of the documentation. */
export const docsIndex = definePage('/docs', NO_PARAMETERS, async (context) => {
  const { docs } = context.texts;
  return {
    html: docsPage(context, {
      title: docs.title,
      description: docs.lead,
      scripts: ['docs.js'],
      body: html`<h1>${docs.title}</h1>
<p class="lead">${docs.lead}</p>
${context.texts.code !== 'en' && html`<p>${docs.english}</p>`}
${searchForm(context)}
${quickStart(context)}
<section>
<h2>${docs.reference}</h2>
<p>${docs.referenceLead}</p>
<ul class="plain">${context.library.apis().map((api) => {
        const { title, lead } = apiTexts(context, api);
        return entry(context, referencePath(api), title, lead);
      })}${entry(context, '/problems', docs.problems, docs.problemsLead)}</ul>
</section>
<div class="docs-parts">
${guideLists(context)
  .filter(({ isForOperators }) => !isForOperators)
  .map((list) =>
    list.name === 'rating' && context.has('/methodology')
      ? guides(context, { ...list, links: [{ title: docs.methodology, path: '/methodology' }, ...list.links] })
      : guides(context, list),
  )}</div>
<p><a href="${addressIn(context, '/verify')}">${docs.verify}</a> <span class="soft">${docs.verifyLead}</span></p>
<p><a href="${addressIn(context, OPERATING_PATH)}">${docs.parts.operating}</a> <span class="soft">${docs.operatingLead}</span></p>`,
    }),
  };
});

/** The index of the guides for operators of a service. */
export const operatingIndex = definePage(OPERATING_PATH, NO_PARAMETERS, async (context) => {
  const { docs } = context.texts;
  const lists = guideLists(context).filter(({ isForOperators }) => isForOperators);
  const leads = new Map(context.library.guides().map(({ name, lead }) => [`/docs/guides/${name}`, lead]));
  return {
    html: docsPage(context, {
      title: docs.parts.operating,
      description: docs.operatingLead,
      scripts: ['docs.js'],
      body: html`<h1>${docs.parts.operating}</h1>
<p class="lead">${docs.operatingLead}</p>
${context.texts.code !== 'en' && html`<p>${docs.english}</p>`}
${searchForm(context)}
<ul class="plain" lang="en">${lists.flatMap(({ links }) =>
        links.map(({ path, title }) => entry(context, path, title, leads.get(path) ?? '')),
      )}</ul>`,
    }),
  };
});
