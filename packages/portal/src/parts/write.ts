import { type Html, html } from '../html.ts';
import { addressIn } from '../languages.ts';
import type { PageContext } from '../page.ts';

/** Renders the link to the page on which a review of a broker or a complaint about it is written. */
export const writeLink = (
  context: Pick<PageContext, 'prefix' | 'texts' | 'has'>,
  kind: 'review' | 'complaint',
  slug: string,
): Html | false =>
  context.has(`/write/${kind}`) &&
  html`<p><a class="button" href="${addressIn(context, `/write/${kind}`)}?broker=${slug}" rel="nofollow">${context.texts.write.offer[kind]}</a></p>
`;
