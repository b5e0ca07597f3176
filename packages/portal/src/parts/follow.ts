import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Path of the page that asks for an address of mail, without the language. */
export const FOLLOW_PATH = '/follow';

type LinkContext = Pick<PageContext, 'prefix' | 'texts'>;

/** Renders the element of the head by which readers of feeds find a feed. `path` is without language. */
export const feedHead = (context: LinkContext, path: string, title: string): Html =>
  html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${addressIn(context, path)}">\n`;

/** Renders the visible link to a feed, with a line about its use. `path` is without language. */
export const followLink = (context: LinkContext, path: string, lead: Html | string): Html => {
  const said = context.texts.spread.follow;
  return html`<p class="follow"><a class="button" href="${addressIn(context, path)}" type="application/atom+xml">${said.button}</a> <span class="soft">${lead} ${said.how}</span></p>`;
};

/** Renders the links by which a reader follows a broker: by mail if the service sends any, and by its feed. */
export const followBroker = (context: LinkContext & Pick<PageContext, 'has'>, slug: string): Html => {
  const feed = addressIn(context, `/brokers/${slug}/feed.atom`);
  const said = context.texts.spread.follow;
  const type = 'application/atom+xml';
  if (!context.has(FOLLOW_PATH))
    return html`<p class="follow"><a class="button" href="${feed}" type="${type}">${said.button}</a> <span>${said.feed}</span></p>`;
  return html`<p class="follow"><a class="button" href="${addressIn(context, FOLLOW_PATH)}?broker=${slug}" rel="nofollow">${context.texts.follow.offer}</a> <a href="${feed}" type="${type}">${said.feed}</a></p>`;
};
