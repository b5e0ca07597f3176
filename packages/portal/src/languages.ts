import { createFormat, type Format } from './format.ts';
import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';

/** A language of the site, with the data for its pages. */
export interface Language {
  readonly texts: Texts;
  readonly format: Format;
  /** Prefix of the addresses of its pages. The first language has none. */
  readonly prefix: string;
}

const createLanguage = (texts: Texts, prefix: string): Language => ({
  texts,
  prefix,
  format: createFormat(texts.locale),
});

/** Languages of the site. The first one has addresses without a prefix. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  createLanguage(en, ''),
  createLanguage(de, `/${de.code}`),
];

/** Returns the address of a page in a language. */
export const addressIn = ({ prefix }: Pick<Language, 'prefix'>, path: string): string =>
  path === '/' && prefix !== '' ? prefix : `${prefix}${path}`;

/** Returns the language of an address. */
export const findLanguage = (path: string): Language =>
  LANGUAGES.find(({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))) ?? LANGUAGES[0];
