import { type Html, html } from './html.ts';

/** The host of an address, as people read it. */
export const formatHost = (url: string): string => new URL(url).host.replace(/^www\./, '');

/** A link to a page of somebody else, which gains nothing from it. */
export const renderExternalLink = (url: string, label: Html | string): Html =>
  html`<a href="${url}" rel="nofollow noopener external">${label}</a>`;
