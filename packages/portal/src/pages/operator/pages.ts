import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { DisputeCounts, InterestedCustomer } from '../../operator.ts';
import type { Page, PageContext } from '../../page.ts';
import type { Texts } from '../../texts/en.ts';
import { table } from '../methodology/tables.ts';
import { defineOperatorPage, renderFacts, renderSection, renderStatement } from './parts.ts';

const about = defineOperatorPage('about', async (context) => ({
  after: renderFacts(context, ['name', 'country', 'contact']),
}));

const contact = defineOperatorPage('contact', async (context) => ({
  before: renderFacts(context, [
    'name',
    'address',
    'contact',
    'correctionsContact',
    'privacyContact',
    'securityContact',
  ]),
}));

const imprint = defineOperatorPage('imprint', async (context) => ({
  before: renderFacts(context, [
    'name',
    'address',
    'country',
    'representative',
    'contact',
    'register',
    'vatId',
    'supervisor',
    'editor',
  ]),
}));

const privacy = defineOperatorPage('privacy', async (context) => {
  const { title, lead, parts, othersLead, others } = context.texts.operator.kept;
  const kept = html`<p>${lead}</p>
<ul>${Object.values(parts).map((part) => html`<li>${part}</li>\n`)}</ul>
<p>${othersLead}</p>
<ul>${others.map((one) => html`<li>${one}</li>\n`)}</ul>`;
  return {
    before: renderSection(title, kept),
    after: renderFacts(context, ['name', 'address', 'privacyContact']),
  };
});

const terms = defineOperatorPage('terms', async ({ operator, texts }) => {
  const { further, noFurther } = texts.operator;
  const link = operator.terms !== undefined && html`<a href="${operator.terms}">${operator.terms}</a>`;
  return { after: renderSection(further, html`<p>${link || noFurther}</p>`) };
});

type CountRow = keyof Texts['operator']['counts']['rows'];

/** Returns the numbers of the table of disputes, in its order. */
export const toDisputeRows = ({ reports, appeals, warnings, complaints }: DisputeCounts): Record<CountRow, number> => ({
  warningsWaiting: warnings.waiting,
  warningsUnchecked: warnings.unchecked,
  warningsConfirmed: warnings.confirmed,
  warningsRejected: warnings.rejected,
  warningsUndone: warnings.undone,
  reportsReceived: reports.received,
  reportsOpen: reports.open,
  reportsUpheld: reports.upheld,
  appealsReceived: appeals.received,
  appealsOpen: appeals.open,
  appealsReversed: appeals.reversed,
  complaintsOpen: complaints.open,
  complaintsResolved: complaints.resolved,
  complaintsUnresolved: complaints.unresolved,
  complaintsRejected: complaints.rejected,
  complaintsWithdrawn: complaints.withdrawn,
});

const disputesTable = ({ texts, format }: PageContext, counts: DisputeCounts): Html => {
  const { caption, matter, number, rows } = texts.operator.counts;
  return table(
    caption,
    [{ text: matter }, { text: number, isNumber: true }],
    Object.entries(toDisputeRows(counts)).map(([row, count]) => [rows[row as CountRow], format.number(count)]),
  );
};

const corrections = defineOperatorPage('corrections', async (context) => {
  const { operator, texts, format } = context;
  const { counts, days, noDays } = texts.operator;
  const within = operator.correctionsDays === undefined ? noDays : format.plural(operator.correctionsDays, days);
  return {
    before: html`${renderFacts(context, ['correctionsContact'])}<p>${within}</p>\n`,
    after: renderSection(
      counts.title,
      html`<p>${counts.lead}</p>
${disputesTable(context, await context.countDisputes())}
<p>${counts.none}</p>`,
    ),
  };
});

const customersTable = (context: PageContext, customers: readonly InterestedCustomer[]): Html => {
  const { texts, format } = context;
  const { caption, customer, broker, agreement, open, ending, person } = texts.operator.customers;
  return html`<table class="rows">
<caption>${caption}</caption>
<thead><tr>${[customer, broker, agreement].map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${customers.map(
  ({ name, broker: slug, since, until }) => html`<tr>
<th scope="row">${name === null ? person : toBdi(name)}</th>
<td data-label="${broker}"><a href="${addressIn(context, `/brokers/${slug}`)}">${toBdi(slug)}</a></td>
<td data-label="${agreement}">${until === null ? open(format.day(since)) : ending(format.day(since), format.day(until))}</td>
</tr>
`,
)}</tbody>
</table>
`;
};

const independence = defineOperatorPage('independence', async (context) => {
  const { operator, texts, format } = context;
  const { funding, customers: words } = texts.operator;
  const { current, interested } = await context.readCustomers();
  return {
    before: html`${renderSection(funding, renderStatement(context, operator.funding))}${renderSection(
      words.title,
      html`<p>${current === 0 ? words.noCustomers : format.plural(current, words.total)}</p>
${
  interested.length === 0
    ? html`<p>${words.none}</p>`
    : html`<p>${words.lead}</p>
${customersTable(context, interested)}`
}`,
    )}`,
  };
});

/** The pages about who answers for the service. */
export const OPERATOR_PAGES: readonly Page[] = [about, contact, imprint, privacy, terms, corrections, independence];
