import { PROBLEM_CODES, PROBLEMS } from '@broker-transparency/contract';
import * as z from 'zod';
import { docsPage } from '../../docs/frame.ts';
import { problemLinks } from '../../docs/pages.ts';
import { formatted } from '../../docs/prose.ts';
import { html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage } from '../../page.ts';

/** Every error by its code. */
export const problems = definePage('/problems', { params: z.object({}), query: z.object({}) }, async (context) => {
  const { docs } = context.texts;
  return {
    html: docsPage(context, {
      title: docs.problems,
      description: docs.problemsLead,
      body: html`<h1>${docs.problems}</h1>
<p class="lead">${docs.problemsLead}</p>
<div class="table" tabindex="0"><table class="problem-codes">
<thead><tr><th scope="col">${docs.code}</th><th scope="col" class="number">${docs.status}</th><th scope="col">${docs.meaning}</th></tr></thead>
<tbody>${PROBLEM_CODES.map(
        (code) =>
          html`<tr><td><a href="${addressIn(context, `/problems/${code}`)}"><code>${code}</code></a></td><td class="number">${PROBLEMS[code].status}</td><td lang="en">${PROBLEMS[code].title}</td></tr>\n`,
      )}</tbody></table></div>`,
    }),
  };
});

/** The meaning of an error. Its address is the `type` of the problem documents. */
export const problem = definePage(
  '/problems/:code',
  { params: z.object({ code: z.enum(PROBLEM_CODES) }), query: z.object({}) },
  async (context, { params: { code } }) => {
    const { status, title, cure } = PROBLEMS[code];
    const { docs } = context.texts;
    return {
      html: docsPage(context, {
        title,
        description: title,
        above: [{ title: docs.problems, path: '/problems' }],
        siblings: [{ title: docs.problems, links: problemLinks(), isEnglish: true }],
        body: html`<h1 lang="en" dir="ltr">${title}</h1>
<dl class="docs-facts">
<dt>${docs.code}</dt><dd><code>${code}</code></dd>
<dt>${docs.httpStatus}</dt><dd><code>${status}</code></dd>
</dl>
<h2>${docs.cure}</h2>
<p lang="en" dir="ltr">${formatted(cure)}</p>`,
      }),
    };
  },
);
