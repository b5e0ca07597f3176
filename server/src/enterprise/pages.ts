import {
  AGREEMENT_VERSION,
  ENTERPRISE_BASE_PATH,
  enterpriseOpenApiDocument,
  PLAN_NAMES,
  PLANS,
  type Plan,
} from '@broker-transparency/contract/enterprise';
import type { OtherDocument } from '../http/endpoints/llms.ts';
import { escapeHtml, type OwnPage } from '../http/endpoints/pages.ts';

/** What media, institutions and regulators get, as a document that the service describes itself by. */
export const enterpriseDocument = (server: Parameters<typeof enterpriseOpenApiDocument>[0]): OtherDocument => ({
  name: 'enterprise',
  title: 'Reference for media, institutions and regulators',
  what: 'What media, institutions and regulators get by an agreement.',
  document: enterpriseOpenApiDocument(server),
});

const REPUBLICATION: Readonly<Record<Plan['terms']['republication'], string>> = {
  'with-citation': 'may be republished with a citation',
  internal: 'for internal use',
  'official-duties': 'for official duties',
};

const count = (number: number): string => number.toLocaleString('en-US');

/** What the rows of the table say of a plan. */
const ROWS: Readonly<Record<string, (plan: Plan) => string>> = {
  'Requests a minute': ({ requestsPerMinute }) => count(requestsPerMinute),
  'Requests a month': ({ requestsPerMonth }) => count(requestsPerMonth),
  'Requests that may wait for changes': ({ longPolls }) => count(longPolls),
  Webhooks: ({ webhookEndpoints }) => count(webhookEndpoints),
  Watchlists: ({ watchlists }) => count(watchlists),
  'Accesses are kept for': ({ accessKeptDays }) => `${accessKeptDays} days`,
  'The data': ({ terms }) => REPUBLICATION[terms.republication],
  Scopes: ({ scopes }) => scopes.join(', '),
};

const plansTable = (): string => {
  const cells = (tag: string, texts: readonly string[]): string =>
    texts.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join('');
  const rows = Object.entries(ROWS).map(([title, say]) => {
    const values = PLAN_NAMES.map((name) => say(PLANS[name]));
    return `<tr><th scope="row">${escapeHtml(title)}</th>${cells('td', values)}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${cells('th', ['', ...PLAN_NAMES])}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
};

/** A sentence that says whom to ask. */
const askWhom = (contact: string | undefined): string => {
  if (contact === undefined) return 'The operator of this service has not named a contact yet.';
  const href = contact.includes('://') ? contact : `mailto:${contact}`;
  return `To get access, or to ask what it costs, write to <a href="${escapeHtml(href)}">${escapeHtml(contact)}</a>.`;
};

const STYLE =
  'table{border-collapse:collapse;margin:1.5rem 0}th,td{border:1px solid #d0d4da;padding:.4em .7em;text-align:left;vertical-align:top}td{min-width:7.5rem}.wide{overflow-x:auto}';

/**
 * The page that says what there is and whom to ask.
 * @param contact an address of mail or of a page
 */
export const enterprisePage = (contact: string | undefined): OwnPage => ({
  path: '/enterprise',
  title: 'For media, institutions and regulators',
  body: `<style>${STYLE}</style><main><h1>For media, institutions and regulators</h1>
<p>Everything that this service publishes, as it happens and as files, with proofs from the public log and at any time
of the past. Access is by an agreement (version ${AGREEMENT_VERSION}) with promises about availability, freshness and support.</p>
<p>${askWhom(contact)}</p>
<h2>What there is</h2>
<ul><li>A feed of every change, with its cause and its proof, and webhooks that announce changes.</li>
<li>Snapshots of everything as files, for programs and spreadsheets: <a href="/enterprise/download">download them without code</a>.</li>
<li>Brokers, licences and scores as they were known at any time, and which entry changed them.</li>
<li>Ratings as files that prove themselves for years: <a href="/verify">verify one</a>.</li>
<li>Screening of names, domains, LEIs and licence numbers; reports of movers and corrections.</li></ul>
<h2>Plans</h2>
${plansTable()}
<h2>For developers</h2>
<p>The interface is at <code>${ENTERPRISE_BASE_PATH}</code>: see <a href="/docs/enterprise">its reference</a> and
<a href="/openapi-enterprise.json">its OpenAPI document</a>. A key of the sandbox opens the same interface with fictional data.</p></main>`,
});
