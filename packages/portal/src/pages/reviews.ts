import { Cursor, Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { html, isolateText } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage } from '../page.ts';
import { cursorLinks } from '../parts/list.ts';
import { addressFor, Residence } from '../parts/residence.ts';
import { writeLink } from '../parts/write.ts';
import { ratingSummary, reviewItem } from './broker/reviews.ts';
import { hasEnded } from './broker/state.rule.ts';

/** Number of reviews per page. */
const LIMIT = 20;

/** All reviews of a broker, page by page. Pages of old reviews keep their addresses when new ones are added. */
export const reviews = definePage(
  '/brokers/:slug/reviews',
  { params: z.object({ slug: Slug }), query: z.object({ cursor: Cursor.optional(), residence: Residence }) },
  async (context, { params, query: { cursor } }) => {
    const { client, texts } = context;
    const broker = await client.brokers.get(params.slug);
    if (broker.slug !== params.slug) return { movedTo: `/brokers/${broker.slug}/reviews` };
    const words = texts.broker.reviews;
    const path = `/brokers/${broker.slug}/reviews`;
    const at = addressFor(context, path, { cursor });
    const { data, pagination } = await client.reviews.list({ broker: broker.slug, limit: LIMIT, cursor });
    const shown = words.shown({ reviews: texts.broker.reviewCount({ count: data.length }) });
    return {
      html: layout(context, {
        title: words.title({ name: broker.name }),
        description: words.description({ name: broker.name }),
        isUnlisted: cursor !== undefined,
        body: html`
<p><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${words.back({ name: isolateText(broker.name) })}</a></p>
<h1>${words.title({ name: isolateText(broker.name) })}</h1>
<section class="part">
${cursor === undefined && ratingSummary(context, broker)}
${cursor === undefined && !hasEnded(broker) && writeLink(context, 'review', broker.slug)}${data.length > 0 && html`<p>${shown} ${words.noFilter} ${words.verifiedMeans}</p>`}
<ul class="records">${data.map((review) => reviewItem(context, review, { at, isShort: false }))}</ul>
${pagination.nextCursor === null && data.length > 0 && html`<p class="soft">${words.end}</p>`}
${cursorLinks(context, path, { cursor, ...pagination }, { first: words.newestPage, next: words.older })}
</section>`,
      }),
    };
  },
);
