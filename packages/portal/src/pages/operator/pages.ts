import { GROUNDS, REASON_CODES, REASONS } from '@broker-transparency/contract';
import { type Html, html, toBdi } from '../../html.ts';
import type { Texts } from '../../languages.ts';
import { addressIn } from '../../languages.ts';
import type { DisputeCounts, InterestedCustomer, ModerationFigures } from '../../operator.ts';
import type { Page, PageContext } from '../../page.ts';
import { wordFor } from '../../words.ts';
import { table } from '../methodology/tables.ts';
import { defineOperatorPage, renderFacts, renderLinks, renderSection, renderStatement } from './parts.ts';

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
    after: html`${renderLinks(context, [
      ['/mine/export', context.texts.mine.links.export],
      ['/mine/erase', context.texts.mine.links.erase],
    ])}${renderFacts(context, ['name', 'address', 'privacyContact'])}`,
  };
});

const terms = defineOperatorPage('terms', async ({ operator, texts }) => {
  const { further, noFurther } = texts.operator;
  const link = operator.terms !== undefined && html`<a href="${operator.terms}">${operator.terms}</a>`;
  return { after: renderSection(further, html`<p>${link || noFurther}</p>`) };
});

type CountRow = keyof Texts['operator']['counts']['rows'];

/** Returns the numbers of the table of disputes, in its order. */
export const toDisputeRows = ({
  reports,
  appeals,
  facts,
  warnings,
  complaints,
}: DisputeCounts): Record<CountRow, number> => ({
  factsOpen: facts.open,
  factsOverdue: facts.overdue,
  factsUpheld: facts.upheld,
  factsRejected: facts.rejected,
  factsWithdrawn: facts.withdrawn,
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
  const { operator, texts } = context;
  const { counts, days, noDays, pages } = texts.operator;
  const within = operator.correctionsDays === undefined ? noDays : days({ count: operator.correctionsDays });
  return {
    before: html`${renderFacts(context, ['correctionsContact'])}<p>${within}</p>
${renderLinks(context, [
  ['/terms', pages.terms],
  ['/moderation', pages.moderation],
  ['/answer', texts.dispute.answerTitle],
])}`,
    after: renderSection(
      counts.title,
      html`<p>${counts.lead}</p>
${disputesTable(context, await context.countDisputes())}
<p>${counts.none}</p>`,
    ),
  };
});

/** The numbers of a table: each row names what it counts. */
type NumberRow = readonly [name: string, count: number];

const numbersTable = (
  { format }: PageContext,
  { caption, matter, number }: { readonly caption: string; readonly matter: string; readonly number: string },
  rows: readonly NumberRow[],
): Html =>
  table(
    caption,
    [{ text: matter }, { text: number, isNumber: true }],
    rows.map(([name, count]) => [name, format.number(count)]),
  );

const delaysTable = ({ texts, format }: PageContext, { delays }: ModerationFigures): Html => {
  const words = texts.operator.moderationFigures;
  const toDays = (days: number | null): string => (days === null ? words.none : words.days({ count: days }));
  const { matter: title, decided: count, median, p90 } = words;
  return html`<table class="rows delays">
<caption>${words.delays}</caption>
<thead><tr>${[title, count, median, p90].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${(['reviews', 'reports', 'appeals'] as const).map((matter) => {
  const { decided, medianDays, p90Days } = delays[matter];
  return html`<tr>
<th scope="row">${words.delayed[matter]}</th>
<td data-label="${count}">${format.number(decided)}</td>
<td data-label="${median}">${toDays(medianDays)}</td>
<td data-label="${p90}">${toDays(p90Days)}</td>
</tr>
`;
})}</tbody>
</table>`;
};

const moderation = defineOperatorPage('moderation', async (context) => {
  const figures = await context.readModeration();
  const { moderationFigures: words, counts } = context.texts.operator;
  const { reviews, reports, appeals } = figures;
  const said = context.texts.broker.moderation;
  const sum = (byReason: Readonly<Record<string, number>>): number =>
    Object.values(byReason).reduce((total, count) => total + count, 0);
  const byReason: readonly NumberRow[] = REASON_CODES.map((code) => [
    wordFor(said.reasons, code),
    reviews.rejected[code] + reviews.removed[code],
  ]);
  const shown = byReason.filter(([, count]) => count > 0);
  const byGround = GROUNDS.map((ground): NumberRow => {
    const codes = REASON_CODES.filter((code) => REASONS[code].ground === ground);
    return [
      words.grounds[ground],
      codes.reduce((total, code) => total + reviews.rejected[code] + reviews.removed[code], 0),
    ];
  });
  const decisions: readonly NumberRow[] = [
    [said.received, reviews.received],
    [said.published, reviews.published],
    [said.pending, reviews.pending],
    [said.rejected, sum(reviews.rejected)],
    [said.removed, sum(reviews.removed)],
    [said.withheld, reviews.withheld],
    [said.withdrawn, reviews.withdrawn],
  ];
  const cases: readonly NumberRow[] = [
    [counts.rows.reportsReceived, reports.received],
    [counts.rows.reportsOpen, reports.open],
    [counts.rows.reportsUpheld, reports.upheld],
    [counts.rows.appealsReceived, appeals.received],
    [counts.rows.appealsOpen, appeals.open],
    [counts.rows.appealsReversed, appeals.reversed],
  ];
  const { number } = counts;
  const { pages } = context.texts.operator;
  return {
    before: renderLinks(context, [
      ['/terms', pages.terms],
      ['/corrections', pages.corrections],
      ['/answer', context.texts.dispute.answerTitle],
    ]),
    after: html`${renderSection(
      words.title,
      html`<p>${words.lead}</p>
${numbersTable(context, { caption: said.caption, matter: said.outcome, number }, decisions)}
${numbersTable(context, { caption: words.grounded, matter: words.ground, number }, byGround)}
${shown.length === 0 ? html`<p>${said.noReasons}</p>` : numbersTable(context, { caption: said.reasonsCaption, matter: said.reason, number }, shown)}
${numbersTable(context, { caption: words.cases, matter: words.matter, number }, cases)}`,
    )}${renderSection(words.delayTitle, html`<p>${words.delayLead}</p>\n${delaysTable(context, figures)}`)}`,
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
<td data-label="${agreement}">${until === null ? open({ since: format.day(since) }) : ending({ since: format.day(since), until: format.day(until) })}</td>
</tr>
`,
)}</tbody>
</table>
`;
};

const independence = defineOperatorPage('independence', async (context) => {
  const { operator, texts } = context;
  const { funding, customers: words } = texts.operator;
  const { current, interested } = await context.readCustomers();
  return {
    before: html`${renderSection(funding, renderStatement(context, operator.funding))}${renderSection(
      words.title,
      html`<p>${current === 0 ? words.noCustomers : words.total({ count: current })}</p>
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
export const OPERATOR_PAGES: readonly Page[] = [
  about,
  contact,
  imprint,
  privacy,
  terms,
  corrections,
  moderation,
  independence,
];
