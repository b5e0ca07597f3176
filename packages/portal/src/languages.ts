import { createFormat, type Format } from './format.ts';
import { de } from './texts/de.ts';
import { en, type Texts } from './texts/en.ts';

/** A language of the site, with what its pages are written by. */
export interface Language {
  readonly texts: Texts;
  readonly format: Format;
  /** What addresses of its pages begin with. The first language has none. */
  readonly prefix: string;
}

const createLanguage = (texts: Texts, prefix: string): Language => ({
  texts,
  prefix,
  format: createFormat(texts.locale),
});

/** The first one is that of addresses without a prefix. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  createLanguage(en, ''),
  createLanguage(de, `/${de.code}`),
];

/** The address of a page in a language. */
export const addressIn = ({ prefix }: Pick<Language, 'prefix'>, path: string): string =>
  path === '/' && prefix !== '' ? prefix : `${prefix}${path}`;

/** The language that an address is in. */
export const findLanguage = (path: string): Language =>
  LANGUAGES.find(({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))) ?? LANGUAGES[0];
