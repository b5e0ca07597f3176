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
import { computePosition, pageLinks } from '../parts/page-links.ts';
import { nameRegulator } from '../parts/regulator-name.ts';
import { addressFor, Residence } from '../parts/residence.ts';
import { wordFor } from '../words.ts';

/** Number of brokers per page. */
const SIZE = 50;

/** Query of the page. An invalid filter is ignored: the form shows the filters in force. */
const query = z.object({
  color: z.enum(COLORS).optional().catch(undefined),
  country: Country.optional().catch(undefined),
  regulator: RegulatorCode.optional().catch(undefined),
  residence: Residence,
  license: z.enum(LICENSE_FILTERS).optional().catch(undefined),
  warnings: z.enum(WARNING_FILTERS).optional().catch(undefined),
  order: z.enum(['lowest', 'name']).optional().catch(undefined),
  page: QueryInteger(1, 2000).optional().catch(undefined),
});
type Query = z.infer<typeof query>;

interface Choice {
  readonly value: string;
  readonly text: string;
}

interface Select {
  readonly name: string;
  readonly label: string;
  /** Label of the default choice. */
  readonly other: string;
  readonly chosen: string | undefined;
}

const select = ({ name, label, other, chosen }: Select, choices: readonly Choice[]): Html =>
  html`<p><label for="filter-${name}">${label}</label>
<select id="filter-${name}" name="${name}"><option value="">${other}</option>${choices.map(
    ({ value, text }) => html`<option value="${value}"${value === chosen && raw(' selected')}>${text}</option>`,
  )}</select></p>
`;

const filters = async (context: PageContext, asked: Query, { choices }: DirectoryPage): Promise<Html> => {
  const { texts, format, client } = context;
  const { list } = texts.find;
  const { data: regulators } = await client.regulators.list();
  const { page: _, order: __, ...filter } = asked;
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  const counted = (name: string, count = 0): string => list.withCount(name, format.number(count));
  const byName = new Intl.Collator(texts.locale).compare;
  const ofColor = COLORS.map((color) => ({ value: color, text: counted(texts.colors[color], choices.color[color]) }));
  /** Countries with brokers, and the chosen one. */
  const listCountries = (name: 'country' | 'residence'): Choice[] =>
    [...new Set([...Object.keys(choices[name]), ...(asked[name] === undefined ? [] : [asked[name]])])]
      .map((code) => ({ value: code, text: counted(format.country(code), choices[name][code]) }))
      .sort((a, b) => byName(a.text, b.text));
  const ofRegulator = regulators
    .filter(({ code }) => choices.regulator[code] !== undefined || code === asked.regulator)
    .map((regulator) => ({
      value: regulator.code,
      text: counted(nameRegulator(context, regulator), choices.regulator[regulator.code]),
    }))
    .sort((a, b) => byName(a.text, b.text));
  const ofLicence = LICENSE_FILTERS.map((value) => ({
    value,
    text: counted(wordFor(list.licences, value), choices.license[value]),
  }));
  const ofWarnings = WARNING_FILTERS.map((value) => ({
    value,
    text: counted(list.warned[value], choices.warnings[value]),
  }));
  const narrowing = (name: Exclude<keyof Query, 'order' | 'page'>, of: readonly Choice[]): Html =>
    select({ name, label: list[name], other: list.any, chosen: asked[name] }, of);
  return html`<form class="filters" action="${addressIn(context, '/brokers')}" method="get" aria-label="${list.filters}">
${narrowing('residence', listCountries('residence'))}
${narrowing('color', ofColor)}
${narrowing('country', listCountries('country'))}
${narrowing('regulator', ofRegulator)}
${narrowing('license', ofLicence)}
${narrowing('warnings', ofWarnings)}
${select({ name: 'order', label: list.order, other: list.best, chosen: asked.order }, [
  { value: 'lowest', text: list.lowest },
  { value: 'name', text: list.name },
])}
<p><button>${list.show}</button>${isNarrowed && html` <a href="${addressIn(context, '/brokers')}">${list.clear}</a>`}</p>
</form>
`;
};

type DirectoryFilter = Omit<DirectoryQuery, 'limit' | 'offset'>;

const toDirectoryFilter = ({ page: _, ...filter }: Query): DirectoryFilter => filter;

/** All brokers by score or name, filtered by any of their facts that a list shows. */
export const brokers = definePage('/brokers', { params: z.object({}), query }, async (context, { query: asked }) => {
  const { texts, format, listBrokers } = context;
  const { list } = texts.find;
  const { page, ...filter } = asked;
  const read = (number: number) =>
    listBrokers({ ...toDirectoryFilter(asked), limit: SIZE, offset: (number - 1) * SIZE });
  const given = await read(page ?? 1);
  const { total } = given.pagination;
  const place = computePosition(page, total, SIZE);
  const found = place.page === (page ?? 1) ? given : await read(place.page);
  const [from, to, all] = [place.offset + 1, place.offset + found.data.length, total].map(format.number) as [
    string,
    string,
    string,
  ];
  const table =
    total === 0
      ? html`<section class="nothing"><h2>${list.none}</h2><p>${list.noneText}</p></section>`
      : brokerTable(context, list.range(from, to, all, list[asked.order ?? 'best']), found.data);
  return {
    html: layout(context, {
      title: list.title,
      description: list.description,
      body: html`<h1>${list.title}</h1>
<p>${list.lead} <a href="${addressFor(context, '/compare')}">${list.compare}</a></p>
${await filters(context, asked, found)}
${table}
${pageLinks(context, '/brokers', filter, place)}`,
    }),
  };
});
