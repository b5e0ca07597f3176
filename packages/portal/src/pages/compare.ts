import type { BrokerDetail } from '@broker-transparency/client';
import { SEARCH_RESULTS, Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { statusMark, warningLine } from '../parts/broker-table.ts';
import { addressWith } from '../parts/page-links.ts';
import { rating } from '../parts/rating.ts';
import { suggestions } from '../parts/search-form.ts';
import { type BrokerChoice, chooseBroker } from './compare/choose.ts';
import { type ComparedRow, compareBrokers } from './compare/rows.ts';

type CompareQuery = Readonly<Partial<Record<'a' | 'b', string | undefined>>>;

/** Renders the form, with the names of the found brokers. A name leads back to its broker. */
const form = (context: PageContext, { a = '', b = '' }: CompareQuery): Html => {
  const { compare } = context.texts.find;
  const field = (
    name: string,
    label: string,
    value: string,
  ): Html => html`<p><label for="compare-${name}">${label}</label>
<span class="suggesting"><input id="compare-${name}" name="${name}" value="${value}" required maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false" data-fill data-suggest="${suggestions(context)}"></span></p>
`;
  return html`<form class="filters" action="${addressIn(context, '/compare')}" method="get">
${field('a', compare.first, a)}
${field('b', compare.second, b)}
<p><button>${compare.submit}</button></p>
</form>
`;
};

/** Renders links to possible brokers if the input is ambiguous. */
const choices = (
  context: PageContext,
  name: 'a' | 'b',
  chosen: BrokerChoice,
  asked: CompareQuery,
): Html | undefined => {
  if (!chosen || 'broker' in chosen) return undefined;
  const { compare } = context.texts.find;
  if (chosen.choices.length === 0)
    return html`<section class="nothing"><h2>${compare.whichNone(isolateText(chosen.asked))}</h2></section>`;
  return html`<section><h2>${compare.which(isolateText(chosen.asked))}</h2>
${chosen.choices.length === SEARCH_RESULTS && html`<p class="soft">${compare.cut(context.format.number(SEARCH_RESULTS))}</p>`}
<ul>${chosen.choices.map(
    (
      broker,
    ) => html`<li><a href="${addressWith(context, '/compare', { ...asked, [name]: broker.slug })}">${toBdi(broker.name)}</a>, ${toBdi(broker.legalName)}, ${context.format.country(broker.country)}</li>
`,
  )}</ul></section>
`;
};

const tableRow = ({ texts }: PageContext, [a, b]: readonly [string, string], row: ComparedRow): Html => {
  const cell = (value: string | null, name: string): Html =>
    html`<td data-label="${name}">${value === null ? html`<span class="soft">${texts.site.notKnown}</span>` : toBdi(value)}</td>`;
  return html`<tr><th scope="row">${row.label}</th>${cell(row.values[0], a)}${cell(row.values[1], b)}<td class="difference">${row.difference}</td></tr>
`;
};

const table = (context: PageContext, brokers: readonly [BrokerDetail, BrokerDetail]): Html => {
  const { compare } = context.texts.find;
  const names = brokers.map(({ name }) => name) as [string, string];
  const head = (broker: BrokerDetail): Html =>
    html`<th scope="col"><a href="${context.prefix}/brokers/${broker.slug}">${toBdi(broker.name)}</a></th>`;
  return html`<table class="compare">
<caption>${compare.caption}</caption>
<colgroup span="4"></colgroup>
<thead><tr><th scope="col">${compare.fact}</th>${brokers.map(head)}<th scope="col">${compare.difference}</th></tr></thead>
${compareBrokers(context, brokers).map(
  ({ title, rows }) => html`<tbody>
<tr class="group"><th scope="rowgroup" colspan="4">${title}</th></tr>
${rows.map((row) => tableRow(context, names, row))}</tbody>
`,
)}</table>
<p class="soft">${compare.partHint} ${context.texts.find.row.scale}</p>
`;
};

/** Renders the two brokers at a glance: score, and warnings that must not be overlooked. */
const glance = (context: PageContext, brokers: readonly BrokerDetail[]): Html => html`<div class="halves glance">
${brokers.map((broker) => {
  const mark = statusMark(context, broker.status);
  return html`<section><h2><a href="${context.prefix}/brokers/${broker.slug}">${toBdi(broker.name)}</a></h2>
<p>${rating(context, { ...broker, value: broker.score.value })}</p>
<p>${context.texts.find.row.warnings}: ${warningLine(context, broker.warnings)}${mark && html`. ${mark}`}</p></section>
`;
})}</div>
`;

/**
 * Returns the text of the field for a found broker: its name. It is the slug if the other broker has the same name, or
 * if the name has the form of a slug, which another broker may have.
 */
const nameInField = (broker: BrokerDetail | undefined, other: BrokerDetail | undefined): string | undefined =>
  broker?.name === other?.name || Slug.safeParse(broker?.name).success ? broker?.slug : broker?.name;

const text = z.string().optional();

/** Two brokers side by side. */
export const compare = definePage(
  '/compare',
  { params: z.object({}), query: z.object({ a: text, b: text }) },
  async (context, { query }) => {
    const words = context.texts.find.compare;
    const [first, second] = await Promise.all([chooseBroker(context, query.a), chooseBroker(context, query.b)]);
    const [a, b] = [first, second].map((each) => (each && 'broker' in each ? each.broker : undefined));
    const asked: CompareQuery = { ...query, ...(a && { a: a.slug }), ...(b && { b: b.slug }) };
    const isSame = a !== undefined && a.slug === b?.slug;
    const both = a && b && !isSame ? ([a, b] as const) : undefined;
    return {
      html: layout(context, {
        title: both ? words.titleOf(both[0].name, both[1].name) : words.title,
        description: words.description,
        isUnlisted: (query.a ?? query.b) !== undefined,
        body: html`<h1>${words.title}</h1>
${!both && html`<p>${words.lead}</p>`}
${form(context, { a: nameInField(a, b) ?? asked.a, b: nameInField(b, a) ?? asked.b })}
${isSame && html`<p role="status">${words.same}</p>`}
${choices(context, 'a', first, asked)}${choices(context, 'b', second, asked)}
${
  both &&
  html`${glance(context, both)}
${table(context, both)}
<p><a href="${addressWith(context, '/compare', { a: both[1].slug, b: both[0].slug })}">${words.swap}</a></p>`
}`,
      }),
    };
  },
);
