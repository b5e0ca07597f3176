import {
  COLORS,
  Country,
  LICENSE_FILTERS,
  QueryInteger,
  RegulatorCode,
  WARNING_FILTERS,
} from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, raw } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { type DirectoryPage, type DirectoryQuery, definePage, type PageContext } from '../page.ts';
import { brokerTable } from '../parts/broker-table.ts';
import { computePosition, formatRange, nothingFound, pageLinks } from '../parts/list.ts';
import { nameRegulator } from '../parts/regulator-name.ts';
import { addressFor, Residence } from '../parts/residence.ts';
import { wordFor } from '../words.ts';

/** Number of brokers per page. */
const SIZE = 50;

/** Orders of the list besides the usual one, best score first. */
const ORDERS = ['lowest', 'name', 'changed'] as const;

/** Query of the page. An invalid filter is ignored: the form shows the filters in force. */
const query = z.object({
  color: z.enum(COLORS).optional().catch(undefined),
  country: Country.optional().catch(undefined),
  regulator: RegulatorCode.optional().catch(undefined),
  residence: Residence,
  license: z.enum(LICENSE_FILTERS).optional().catch(undefined),
  warnings: z.enum(WARNING_FILTERS).optional().catch(undefined),
  order: z.enum(ORDERS).optional().catch(undefined),
  page: QueryInteger(1, 2000).optional().catch(undefined),
});
type Query = z.infer<typeof query>;

/** A value of a filter or order; the number is that of brokers that it lists. */
interface Choice {
  readonly value: string;
  readonly name: string;
  readonly count?: number;
}

interface Select {
  readonly name: string;
  readonly label: string;
  /** Label of the default choice. */
  readonly other: string;
  readonly chosen: string | undefined;
  readonly choices: readonly Choice[];
}

const select = ({ texts: { find }, format }: PageContext, { name, label, other, chosen, choices }: Select): Html =>
  html`<p><label for="filter-${name}">${label}</label>
<select id="filter-${name}" name="${name}"><option value="">${other}</option>${choices.map(
    ({ value, name: text, count }) =>
      html`<option value="${value}"${value === chosen && raw(' selected')}>${
        count === undefined ? text : find.list.withCount({ name: text, count: format.number(count) })
      }</option>`,
  )}</select></p>
`;

/** Lists the filters, each with its choices and the chosen one. */
const listFilters = async (context: PageContext, asked: Query, { choices }: DirectoryPage): Promise<Select[]> => {
  const { texts, format, client } = context;
  const { list } = texts.find;
  const { data: regulators } = await client.regulators.list();
  const byName = new Intl.Collator(texts.locale).compare;
  const filter = (
    name: keyof DirectoryPage['choices'],
    values: readonly (string | number)[],
    toName: (value: string) => string,
  ): Select => ({
    name,
    label: list[name],
    other: list.any,
    chosen: asked[name],
    choices: values.map(String).map((value) => ({ value, name: toName(value), count: choices[name][value] ?? 0 })),
  });
  const sort = (given: Select): Select => ({
    ...given,
    choices: given.choices.toSorted((a, b) => byName(a.name, b.name)),
  });
  /** Values with brokers, and the chosen one. */
  const listValues = (name: 'country' | 'residence' | 'regulator'): string[] => [
    ...new Set([...Object.keys(choices[name]), ...(asked[name] === undefined ? [] : [asked[name]])]),
  ];
  const named = new Map(regulators.map((regulator) => [regulator.code, nameRegulator(context, regulator)]));
  const listed = listValues('regulator').filter((code) => named.has(code));
  return [
    sort(filter('residence', listValues('residence'), format.country)),
    filter('color', COLORS, (color) => wordFor(texts.colors, color)),
    sort(filter('country', listValues('country'), format.country)),
    sort(filter('regulator', listed, (code) => named.get(code) ?? code)),
    filter('license', LICENSE_FILTERS, (value) => wordFor(list.licences, value)),
    filter('warnings', WARNING_FILTERS, (value) => wordFor(list.warned, value)),
  ];
};

/**
 * Renders the filters: folded on a phone, where they would take the first screen, with those in force in their summary.
 * They are open where no broker has all of them.
 */
const filters = async (context: PageContext, asked: Query, found: DirectoryPage): Promise<Html> => {
  const { list } = context.texts.find;
  const selects = await listFilters(context, asked, found);
  const active = selects.flatMap(({ label, choices, chosen }) =>
    choices
      .filter(({ value }) => value === chosen)
      .map(({ name }) => html`<li>${label}: <strong>${name}</strong></li>`),
  );
  const order: Select = {
    name: 'order',
    label: list.order,
    other: list.best,
    chosen: asked.order,
    choices: ORDERS.map((value) => ({ value, name: list[value] })),
  };
  const isNarrowed = active.length > 0;
  return html`<form action="${addressIn(context, '/brokers')}" method="get" aria-label="${list.filters}">
<details class="fold"${found.pagination.total === 0 && raw(' open')}><summary>${list.filters}${isNarrowed && html`<ul class="active-filters">${active}</ul>`}</summary>
<div class="filters">
${[...selects, order].map((each) => select(context, each))}<p><button>${list.show}</button>${isNarrowed && html` <a href="${addressIn(context, '/brokers')}">${list.clear}</a>`}</p>
</div></details>
</form>
`;
};

type DirectoryFilter = Omit<DirectoryQuery, 'limit' | 'offset'>;

const toDirectoryFilter = ({ page: _, ...filter }: Query): DirectoryFilter => filter;

/** All brokers by score or name, filtered by any of their facts that a list shows. */
export const brokers = definePage('/brokers', { params: z.object({}), query }, async (context, { query: asked }) => {
  const { texts, listBrokers } = context;
  const { list } = texts.find;
  const { page, ...filter } = asked;
  const read = (number: number) =>
    listBrokers({ ...toDirectoryFilter(asked), limit: SIZE, offset: (number - 1) * SIZE });
  const given = await read(page ?? 1);
  const { total } = given.pagination;
  const place = computePosition(page, total, SIZE);
  const found = place.page === (page ?? 1) ? given : await read(place.page);
  const range = formatRange(context, place, found.data.length, total);
  const table =
    total === 0
      ? nothingFound(list.none, html`<p>${list.noneText}</p>`)
      : brokerTable(context, list.range({ ...range, order: list[asked.order ?? 'best'] }), found.data);
  const isByScore = asked.order === undefined || asked.order === 'lowest';
  return {
    html: layout(context, {
      title: list.title,
      description: list.description,
      body: html`<h1>${list.title}</h1>
<p>${list.lead} ${isByScore && `${list.unratedLast} `}<a href="${addressFor(context, '/compare')}">${list.compare}</a></p>
${await filters(context, asked, found)}
${table}
${pageLinks(context, '/brokers', filter, place)}`,
    }),
  };
});
