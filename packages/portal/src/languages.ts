import { createFormat, type Format } from './format.ts';
import { messages as de } from './generated/de.ts';
import { messages as en } from './generated/en.ts';
import { messages as es } from './generated/es.ts';
import type { Messages } from './generated/messages.ts';
import { type LanguageCode, LOCALES, type Locale } from './texts/locales.ts';

/** The texts of a language. */
export interface Texts extends Messages, Locale {
  readonly code: LanguageCode;
}

/** A language of the site, with the data for its pages. */
export interface Language {
  readonly texts: Texts;
  readonly format: Format;
  /** Prefix of the addresses of its pages. The first language has none. */
  readonly prefix: string;
}

const createLanguage = (code: LanguageCode, messages: Messages, prefix = `/${code}`): Language => ({
  texts: { ...messages, ...LOCALES[code], code },
  prefix,
  format: createFormat(LOCALES[code].locale),
});

/** Languages of the site. The first one has addresses without a prefix. */
export const LANGUAGES: readonly [Language, ...Language[]] = [
  createLanguage('en', en, ''),
  createLanguage('de', de),
  createLanguage('es', es),
];

/** Returns the address of a page in a language. */
export const addressIn = ({ prefix }: Pick<Language, 'prefix'>, path: string): string =>
  path === '/' && prefix !== '' ? prefix : `${prefix}${path}`;

/** Returns the language of an address. */
export const findLanguage = (path: string): Language =>
  LANGUAGES.find(({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`))) ?? LANGUAGES[0];
