import { type Html, html } from './html.ts';

/** The host of an address, as people read it. */
export const hostOf = (url: string): string => new URL(url).host.replace(/^www\./, '');

/** A link to a page of somebody else, which gains nothing from it. */
export const external = (url: string, label: Html | string): Html =>
  html`<a href="${url}" rel="nofollow noopener external">${label}</a>`;

/** What a text is for a key of the API, or the key itself: later releases know more of them. */
export const wordFor = (words: Readonly<Record<string, string>>, key: string | number): string =>
  (Object.hasOwn(words, key) ? words[key] : undefined) ?? String(key);
