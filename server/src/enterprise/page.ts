import {
  AGREEMENT_VERSION,
  ENTERPRISE_BASE_PATH,
  PLAN_NAMES,
  PLANS,
  type Plan,
} from '@broker-transparency/contract/enterprise';
import { addressIn, definePage, type Html, html, layout, type Page, toContactHref } from '@broker-transparency/portal';
import * as z from 'zod';

const REPUBLICATION: Readonly<Record<Plan['terms']['republication'], string>> = {
  'with-citation': 'may be republished with a citation',
  internal: 'for internal use',
  'official-duties': 'for official duties',
};

const count = (number: number): string => number.toLocaleString('en-US');

/** The rows of the table of plans. */
const ROWS: Readonly<Record<string, (plan: Plan) => string>> = {
  'Requests a minute': ({ requestsPerMinute }) => count(requestsPerMinute),
  'of them for what was known at any time': ({ recordReadsPerMinute }) => count(recordReadsPerMinute),
  'Requests a month': ({ requestsPerMonth }) => count(requestsPerMonth),
  'Requests that may wait for changes': ({ longPolls }) => count(longPolls),
  Webhooks: ({ webhookEndpoints }) => count(webhookEndpoints),
  Watchlists: ({ watchlists }) => count(watchlists),
  'Accesses are kept for': ({ accessKeptDays }) => `${accessKeptDays} days`,
  'The data': ({ terms }) => REPUBLICATION[terms.republication],
  Scopes: ({ scopes }) => scopes.join(', '),
};

const plansTable = (): Html => html`<div class="table" tabindex="0"><table>
<thead><tr><td></td>${PLAN_NAMES.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${Object.entries(ROWS).map(
  ([title, say]) =>
    html`<tr><th scope="row">${title}</th>${PLAN_NAMES.map((name) => html`<td>${say(PLANS[name])}</td>`)}</tr>\n`,
)}</tbody></table></div>`;

/** Returns a sentence with the contact. */
export const askWhom = (contact: string | undefined): Html => {
  if (contact === undefined) return html`The operator of this service has not named a contact yet.`;
  return html`To get access, or to ask what it costs, write to <a href="${toContactHref(contact)}">${contact}</a>.`;
};

/** The page about plans, with the contact. It is in English. @param contact an address of mail or of a page */
export const enterprisePage = (contact: string | undefined): Page =>
  definePage('/enterprise', { params: z.object({}), query: z.object({}) }, async (context) => ({
    html: layout(context, {
      title: 'For media, institutions and regulators',
      description: 'Everything that this service publishes, as it happens and as files, with proofs.',
      body: html`<div lang="en" dir="ltr"><h1>For media, institutions and regulators</h1>
<p class="lead">Everything that this service publishes, as it happens and as files, with proofs from the public log and at any time
of the past.</p>
<p>Access is by <a href="${addressIn(context, '/docs/guides/enterprise-agreement')}">an agreement</a> (version ${AGREEMENT_VERSION}) with promises about
availability, freshness and support. ${askWhom(contact)}</p>
<h2>What there is</h2>
<ul><li>A feed of every change, with its cause and its proof, and webhooks that announce changes.</li>
<li>Snapshots of everything as files, for programs and spreadsheets: <a href="/enterprise/download">download them without code</a>.</li>
<li>Brokers, licences and scores as they were known at any time, and which entry changed them.</li>
<li>Ratings as files that prove themselves for years: <a href="/verify">verify one</a>.</li>
<li>Screening of names, domains, LEIs and licence numbers; reports of movers and corrections.</li></ul>
<h2>Plans</h2>
${plansTable()}
<h2>For developers</h2>
<p>The interface is at <code>${ENTERPRISE_BASE_PATH}</code>: see <a href="${addressIn(context, '/docs/guides/enterprise')}">the guide</a>,
<a href="${addressIn(context, '/docs/reference/enterprise')}">the reference</a> and
<a href="/openapi-enterprise.json">the OpenAPI document</a>. A key of the sandbox opens the same interface with fictional data.</p></div>`,
    }),
  }));
