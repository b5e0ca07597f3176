import { type Html, html } from './html.ts';

/** Returns the host of an address for readers. */
export const formatHost = (url: string): string => new URL(url).host.replace(/^www\./, '');

/** Renders a link to another site, without endorsement for search engines. */
export const renderExternalLink = (url: string, label: Html | string): Html =>
  html`<a href="${url}" rel="nofollow noopener external">${label}</a>`;

/** Renders a link to another site whose text is the host of its page. */
export const renderHostLink = (url: string): Html => renderExternalLink(url, formatHost(url));
