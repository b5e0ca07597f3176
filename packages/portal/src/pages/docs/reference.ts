import * as z from 'zod';
import { docsPage, wrapEnglish } from '../../docs/frame.ts';
import { apiTexts, referenceLinks } from '../../docs/pages.ts';
import { formatted, paragraphs } from '../../docs/prose.ts';
import { type ApiCall, listCalls, referencePath } from '../../docs/reference.ts';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage, type PageContext } from '../../page.ts';

/** Names of the API's parts. Some services have only some of them. */
export const API_NAMES = ['api', 'record', 'account', 'enterprise'] as const;

const rows = (context: PageContext, calls: readonly ApiCall[]): Html =>
  html`<ul class="calls" lang="en">${calls.map(
    (call) =>
      html`<li><a href="${addressIn(context, referencePath(call.api, call))}"><code>${call.method} ${call.path}</code></a> <span class="soft">${call.operation.summary}</span></li>\n`,
  )}</ul>`;

/** All calls of a part of the API. */
export const reference = definePage(
  '/docs/reference/:api',
  { params: z.object({ api: z.enum(API_NAMES) }), query: z.object({}) },
  async (context, { params }) => {
    const { texts, library } = context;
    const api = library.apis().find(({ name }) => name === params.api);
    if (!api) return { isMissing: true };
    const { title, lead } = apiTexts(context, api);
    const calls = listCalls(api);
    const { servers, info, tags } = api.document;
    return {
      html: docsPage(context, {
        title,
        description: lead,
        siblings: [{ title: texts.docs.reference, links: referenceLinks(context) }],
        body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
<dl class="docs-facts">
<dt>${texts.docs.base}</dt><dd><code>${servers[0]?.url}</code></dd>
<dt>${texts.docs.openapi}</dt><dd><a href="${api.path}">${api.path}</a></dd>
</dl>
${wrapEnglish(html`${paragraphs(info.description)}`)}
${tags.map(
  ({ name, description }) => html`<h2 id="${name}" lang="en">${name}</h2>
<p lang="en">${formatted(description)}</p>
${rows(
  context,
  calls.filter(({ operation }) => operation.tags.includes(name)),
)}`,
)}`,
      }),
    };
  },
);

/** Redirects from the whole reference to the public API. */
export const references = definePage(
  '/docs/reference',
  { params: z.object({}), query: z.object({}) },
  async ({ library }) => {
    const [first] = library.apis();
    return first ? { movedTo: referencePath(first) } : { isMissing: true };
  },
);
