import type { BrokerDetail } from '@broker-transparency/client';
import { SEARCH_RESULTS, Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, raw, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { statusMark, warningLine } from '../parts/broker-table.ts';
import { nothingFound } from '../parts/list.ts';
import { brokerMark } from '../parts/mark.ts';
import { rating } from '../parts/rating.ts';
import { addressFor, hiddenResidence, queryFor, Residence } from '../parts/residence.ts';
import { suggestions } from '../parts/search-form.ts';
import { type BrokerChoice, chooseBroker } from './compare/choose.ts';
import { type ComparedRow, compareBrokers } from './compare/rows.ts';

/** Fields of the form. The first two are required. */
const FIELDS = [
  ['a', 'first'],
  ['b', 'second'],
  ['c', 'third'],
  ['d', 'fourth'],
] as const;
type ComparedField = (typeof FIELDS)[number][0];

type CompareQuery = Readonly<Partial<Record<ComparedField, string | undefined>>>;

/** Renders the form, with the names of the found brokers. A name leads back to its broker. */
const form = (context: PageContext, shown: CompareQuery): Html => {
  const { compare } = context.texts.find;
  const field = ([name, label]: (typeof FIELDS)[number], at: number): Html => html`
<p><label for="compare-${name}">${compare[label]}</label>
<span class="suggesting"><input id="compare-${name}" name="${name}" value="${shown[name] ?? ''}"${at < 2 && raw(' required')} maxlength="100" autocomplete="off" autocapitalize="off" spellcheck="false" data-fill data-suggest="${suggestions(context)}"></span></p>`;
  return html`<form class="filters" action="${addressIn(context, '/compare')}" method="get">${FIELDS.map(field)}
${hiddenResidence(context)}
<p><button>${compare.submit}</button></p>
</form>
`;
};

/** Renders links to possible brokers if the input is ambiguous. */
const choices = (
  context: PageContext,
  name: ComparedField,
  chosen: BrokerChoice,
  asked: CompareQuery,
): Html | undefined => {
  if (!chosen || 'broker' in chosen) return undefined;
  const { compare } = context.texts.find;
  if (chosen.choices.length === 0) return nothingFound(compare.whichNone({ asked: isolateText(chosen.asked) }));
  return html`<section><h2>${compare.which({ asked: isolateText(chosen.asked) })}</h2>
${chosen.choices.length === SEARCH_RESULTS && html`<p class="soft">${compare.cut({ most: context.format.number(SEARCH_RESULTS) })}</p>`}
<ul>${chosen.choices.map(
    (
      broker,
    ) => html`<li><a href="${addressFor(context, '/compare', { ...asked, [name]: broker.slug })}">${toBdi(broker.name)}</a>, ${toBdi(broker.legalName)}, ${context.format.country(broker.country)}</li>
`,
  )}</ul></section>
`;
};

const tableRow = ({ texts }: PageContext, names: readonly string[], row: ComparedRow): Html => {
  const cell = (value: string | null, at: number): Html =>
    html`<td data-label="${names[at]}">${value === null ? html`<span class="soft">${texts.site.notKnown}</span>` : toBdi(value)}</td>`;
  return html`<tr><th scope="row">${row.label}</th>${row.values.map(cell)}<td class="difference">${row.difference}</td></tr>
`;
};

const table = (context: PageContext, brokers: readonly BrokerDetail[]): Html => {
  const { compare } = context.texts.find;
  const names = brokers.map(({ name }) => name);
  const head = (broker: BrokerDetail): Html =>
    html`<th scope="col"><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a></th>`;
  return html`<table class="compare${brokers.length > 2 && ' many'}">
<caption>${compare.caption}</caption>
<colgroup span="${String(brokers.length + 2)}"></colgroup>
<thead><tr><th scope="col">${compare.fact}</th>${brokers.map(head)}<th scope="col">${compare.difference}</th></tr></thead>
${compareBrokers(context, brokers).map(
  ({ title, rows }) => html`<tbody>
<tr class="group"><th scope="rowgroup" colspan="${String(brokers.length + 2)}">${title}</th></tr>
${rows.map((row) => tableRow(context, names, row))}</tbody>
`,
)}</table>
<p class="soft">${compare.partHint} ${context.texts.find.row.scale}</p>
`;
};

/** Renders the brokers at a glance: score, and warnings that must not be overlooked. */
const glance = (
  context: PageContext,
  brokers: readonly BrokerDetail[],
  marks: readonly (Html | undefined)[],
): Html => html`<div class="halves glance">
${brokers.map((broker, at) => {
  const mark = statusMark(context, broker.status);
  return html`<section>${marks[at]}<h2><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${toBdi(broker.name)}</a></h2>
<p>${rating(context, { ...broker, value: broker.score.value })}</p>
<p>${context.texts.find.row.warnings}: ${warningLine(context, broker.warnings)}${mark && html`. ${mark}`}</p></section>
`;
})}</div>
`;

/**
 * Returns the text of the field for a found broker: its name. It is the slug if another compared broker has the same
 * name, or if the name has the form of a slug, which another broker may have.
 */
const nameInField = (broker: BrokerDetail, all: readonly BrokerDetail[]): string =>
  Slug.safeParse(broker.name).success || all.some(({ name, slug }) => name === broker.name && slug !== broker.slug)
    ? broker.slug
    : broker.name;

const text = z.string().optional();

/** Renders the brokers side by side, with a link that swaps two. */
const sideBySide = async (context: PageContext, brokers: readonly BrokerDetail[]): Promise<Html> => {
  const [a, b] = brokers;
  const isPair = a !== undefined && b !== undefined && brokers.length === 2;
  const marks = await Promise.all(brokers.map((broker) => brokerMark(context, broker)));
  return html`${glance(context, brokers, marks)}
${table(context, brokers)}
${isPair && html`<p><a href="${addressFor(context, '/compare', { a: b.slug, b: a.slug })}">${context.texts.find.compare.swap}</a></p>`}`;
};

/** Two to four brokers side by side. The address has their slugs, and the form their names. */
export const compare = definePage(
  '/compare',
  { params: z.object({}), query: z.object({ a: text, b: text, c: text, d: text, residence: Residence }) },
  async (context, { query: { residence: _, ...query } }) => {
    const words = context.texts.find.compare;
    const choicesMade = await Promise.all(
      FIELDS.map(async ([name]) => ({ name, chosen: await chooseBroker(context, query[name]) })),
    );
    const found = choicesMade.flatMap(({ name, chosen }) =>
      chosen && 'broker' in chosen ? [{ name, broker: chosen.broker }] : [],
    );
    const asked: CompareQuery = {
      ...query,
      ...Object.fromEntries(found.map(({ name, broker }) => [name, broker.slug])),
    };
    const isClear = choicesMade.every(({ chosen }) => chosen === undefined || 'broker' in chosen);
    if (isClear && found.some(({ name, broker }) => query[name] !== broker.slug))
      return {
        movedTo: '/compare',
        query: queryFor(context, asked),
      };
    const brokers = [...new Map(found.map(({ broker }) => [broker.slug, broker])).values()];
    const isFound = brokers.length > 1 && isClear;
    const fields = Object.fromEntries(found.map(({ name, broker }) => [name, nameInField(broker, brokers)]));
    return {
      html: layout(context, {
        title: isFound ? context.format.list(brokers.map(({ name }) => name)) : words.title,
        description: words.description,
        isUnlisted: FIELDS.some(([name]) => query[name] !== undefined),
        body: html`<h1>${words.title}</h1>
${!isFound && html`<p>${words.lead}</p>`}
${form(context, { ...asked, ...fields })}
${brokers.length < found.length && html`<p role="status">${words.same}</p>`}
${choicesMade.map(({ name, chosen }) => choices(context, name, chosen, asked))}
${isFound && (await sideBySide(context, brokers))}`,
      }),
    };
  },
);
