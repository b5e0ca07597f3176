import { CACHES, LIMITS, PROBLEMS, type ProblemCode } from '@broker-transparency/contract';
import type { Parameter } from '@broker-transparency/contract/openapi';
import * as z from 'zod';
import { docsPage } from '../../docs/frame.ts';
import { apiTexts, callLists } from '../../docs/pages.ts';
import { formatted, paragraphs } from '../../docs/prose.ts';
import {
  type ApiCall,
  findBody,
  listCalls,
  listResponses,
  readPolicy,
  referencePath,
  type StatusResponse,
} from '../../docs/reference.ts';
import { renderSamples } from '../../docs/sample-list.ts';
import { describeType, describeValue, renderFields } from '../../docs/schema.ts';
import { type Html, html } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import { definePage, type PageContext } from '../../page.ts';
import { API_NAMES } from './reference.ts';

const PLACES = { path: 'inPath', query: 'inQuery', header: 'inHeader' } as const;

/** Renders the rules of a call: its callers, its budget, and the caching of its answer. */
const rules = ({ texts }: PageContext, call: ApiCall): Html => {
  const { docs } = texts;
  const { access, limit, cache, idempotency } = readPolicy(call);
  const known = LIMITS[limit as keyof typeof LIMITS];
  const kept = CACHES[cache as keyof typeof CACHES]?.maxAgeSeconds;
  const needs =
    typeof access === 'object'
      ? `${docs.scope({ scope: access.scope })}${access.kyc ? docs.verified : ''}`
      : docs[access === 'public' ? 'nothing' : 'anyToken'];
  return html`<dl class="docs-facts">
<dt>${docs.needs}</dt><dd>${needs}</dd>
<dt>${docs.limit}</dt><dd>${docs.limitOf({ name: limit, requests: known ? docs.perMinute({ count: known.requests }) : docs.ownLimit })}</dd>
<dt>${docs.cache}</dt><dd>${kept === undefined ? docs.notCached : docs.cached({ count: kept })}</dd>
${idempotency && html`<dt>${docs.repeated}</dt><dd>${idempotency === 'key' ? docs.byKey : docs.byKeyOrBody}</dd>`}
</dl>`;
};

const parameter = ({ texts }: PageContext, { api }: ApiCall, given: Parameter): Html => {
  const { document } = api;
  const { name, required, description, schema, example } = given;
  const { docs } = texts;
  const describing = { document, texts };
  const marks = [docs[PLACES[given.in]], describeType(schema, describing), docs[required ? 'required' : 'optional']];
  const described = {
    ...schema,
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
  return html`<dt><code>${name}</code> <span class="soft">${marks.join(', ')}</span></dt>
<dd>${describeValue(described, describing)}</dd>
`;
};

const json = (value: unknown): Html =>
  html`<pre tabindex="0"><code class="language-json">${JSON.stringify(value, null, 2)}</code></pre>`;

const body = ({ texts }: PageContext, { api }: ApiCall, content: StatusResponse['content']): Html => {
  const found = findBody(api.document, content);
  const { docs } = texts;
  if (!found) return html`<p>${docs.noBody}</p>`;
  return html`${renderFields(found.schema, { document: api.document, texts })}
${found.example !== undefined && html`<details><summary>${docs.exampleAnswer}</summary>${json(found.example)}</details>`}`;
};

const isGood = ({ status }: StatusResponse): boolean => status < '400';

const answer = (context: PageContext, call: ApiCall, given: StatusResponse): Html => {
  const { headers } = call.api.document.components;
  const names = Object.keys(given.headers ?? {});
  const { docs } = context.texts;
  return html`<h3 id="answer-${given.status}">${docs.answer({ status: given.status })}</h3>
${given.description !== 'OK' && html`<p lang="en">${formatted(given.description)}</p>`}
${given.status.startsWith('2') && body(context, call, given.content)}
${
  names.length > 0 &&
  html`<details><summary>${docs.headers}</summary><dl class="fields">${names.map(
    (name) => html`<dt><code>${name}</code></dt><dd lang="en">${formatted(headers[name]?.description ?? '')}</dd>\n`,
  )}</dl></details>`
}`;
};

const errors = (context: PageContext, answers: readonly StatusResponse[]): Html => {
  const { docs } = context.texts;
  const codes = answers.flatMap((given) =>
    (given['x-problem-codes'] ?? []).map((code) => ({ code, status: given.status })),
  );
  const cell = (code: ProblemCode): Html =>
    html`<a href="${addressIn(context, `/problems/${code}`)}"><code>${code}</code></a>`;
  return html`<h2 id="errors">${docs.errors}</h2>
<p>${docs.errorsLead}</p>
<div class="table" tabindex="0"><table>
<thead><tr><th scope="col" class="number">${docs.status}</th><th scope="col">${docs.code}</th><th scope="col">${docs.meaning}</th></tr></thead>
<tbody>${codes.map(
    ({ code, status }) =>
      html`<tr><td class="number">${status}</td><td>${cell(code)}</td><td lang="en">${PROBLEMS[code].title}</td></tr>\n`,
  )}</tbody></table></div>`;
};

/** One call of the API. */
export const callPage = definePage(
  '/docs/reference/:api/:call',
  { params: z.object({ api: z.enum(API_NAMES), call: z.string().regex(/^[a-z-]{1,60}$/) }), query: z.object({}) },
  async (context, { params }) => {
    const { texts, library } = context;
    const { docs } = texts;
    const api = library.apis().find(({ name }) => name === params.api);
    const call = api && listCalls(api).find(({ slug }) => slug === params.call);
    if (!call) return { isMissing: true };
    const { operation, method, path } = call;
    const answers = listResponses(call);
    return {
      html: docsPage(context, {
        title: operation.summary,
        description: `${method} ${path}: ${operation.summary}`,
        above: [{ title: apiTexts(context, api).title, path: referencePath(api) }],
        siblings: callLists(api),
        body: html`<h1 lang="en" dir="ltr">${operation.summary}</h1>
<p class="request" dir="ltr"><code>${method} ${path}</code></p>
<div lang="en" dir="ltr">${paragraphs(operation.description ?? '')}</div>
${rules(context, call)}
<h2 id="samples">${docs.samples}</h2>
${renderSamples(context, call)}
${
  operation.parameters.length > 0 &&
  html`<h2 id="parameters">${docs.parameters}</h2>
<dl class="fields">
${operation.parameters.map((one) => parameter(context, call, one))}</dl>`
}
${operation.requestBody && html`<h2 id="body">${docs.body}</h2><div>${body(context, call, operation.requestBody.content)}</div>`}
<h2 id="answers">${docs.answers}</h2>
<div>${answers.filter(isGood).map((one) => answer(context, call, one))}</div>
${errors(
  context,
  answers.filter((one) => !isGood(one)),
)}`,
      }),
    };
  },
);
