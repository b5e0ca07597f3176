import * as z from 'zod';
import { type Html, html, raw } from '../html.ts';
import type { PageContext } from '../page.ts';
import { addressWith, type Query } from './addresses.ts';
import { COUNTRIES } from './countries.ts';
import { type CountryForms, formCountry } from './country-forms.rule.ts';

/** Returns the schema of a choice in the query of a page or in a form. A text that is none of them is ignored. */
const defineChoice = <const T extends readonly string[]>(choices: T) =>
  z.string().toUpperCase().pipe(z.enum(choices)).optional().catch(undefined);

/** The country where the reader lives. */
export const Residence = defineChoice(COUNTRIES);

/** Value of the choice that asks for a list of all countries, in place of a country. */
export const ALL_COUNTRIES = 'ALL';

/** A country, or the wish for a list of all of them. */
export const ResidenceOrAll = defineChoice([...COUNTRIES, ALL_COUNTRIES]);

/** Returns the country that the reader has chosen on the page; undefined if there is none. */
export const findResidence = ({ query }: Pick<PageContext, 'query'>): string | undefined =>
  Residence.parse(new URLSearchParams(query).get('residence') ?? undefined);

/**
 * Returns the address of a page about brokers in the language of this one, with the country that the reader has chosen
 * here. All links between lists, search, comparison, check, and the pages of a broker are made by it.
 */
export const addressFor = (context: PageContext, path: string, query: Query = {}): string =>
  addressWith(context, path, { ...query, residence: findResidence(context) });

/** Returns the query of an address without its path, with the country that the reader has chosen here. */
export const queryFor = (context: PageContext, query: Query): string =>
  addressFor({ ...context, prefix: '' }, '', query);

/** Renders the chosen country as a hidden field of a form that sends other inputs; nothing if there is none. */
export const hiddenResidence = (context: Pick<PageContext, 'query'>): Html | undefined => {
  const residence = findResidence(context);
  return residence === undefined ? undefined : html`<input type="hidden" name="residence" value="${residence}">`;
};

/** Returns the forms of a country's name in sentences, such as "in the Netherlands". */
export const formResidence = ({ texts, format }: PageContext, code: string): CountryForms =>
  formCountry(texts.code, code, format.country(code));

interface NamedCountry {
  readonly code: string;
  readonly name: string;
}

/** The countries by name in each language, since sorting them takes a millisecond. */
const namedCountries = new WeakMap<object, readonly NamedCountry[]>();

const listCountries = ({ texts, format }: PageContext): readonly NamedCountry[] => {
  const known = namedCountries.get(texts);
  if (known) return known;
  const byName = new Intl.Collator(texts.locale).compare;
  const countries = COUNTRIES.map((code) => ({ code, name: format.country(code) })).sort((a, b) =>
    byName(a.name, b.name),
  );
  namedCountries.set(texts, countries);
  return countries;
};

/**
 * Renders the choice of the country where the reader lives, with its label.
 * @param offered the countries to choose from, besides the one that is chosen; the last choice then asks for all of
 * them. By default all are there.
 */
export const residenceField = (
  context: PageContext,
  chosen = findResidence(context),
  offered?: ReadonlySet<string>,
): Html => {
  const words = context.texts.verdict;
  const countries = listCountries(context).filter(({ code }) => !offered || offered.has(code) || code === chosen);
  return html`<label for="residence">${words.choose}</label>
<select id="residence" name="residence"><option value="">${words.other}</option>${countries.map(
    ({ code, name }) => html`<option value="${code}"${code === chosen && raw(' selected')}>${name}</option>`,
  )}${offered && html`<option value="${ALL_COUNTRIES}">${words.all}</option>`}</select>`;
};
