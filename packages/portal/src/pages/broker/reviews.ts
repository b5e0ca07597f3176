import type { BrokerDetail, Review } from '@broker-transparency/client';
import { ratingDistribution } from '../../charts/rating-distribution.ts';
import { ratingsOverTime } from '../../charts/ratings-over-time.ts';
import { type Html, html, toBdi } from '../../html.ts';
import { addressIn } from '../../languages.ts';
import type { PageContext } from '../../page.ts';
import { REPORT_PATH } from '../../parts/report-link.ts';
import { addressFor } from '../../parts/residence.ts';
import { schemaOrg } from '../../spread/schema-org.ts';
import { type BrokerView, day, section } from './parts.ts';
import { splitText } from './state.rule.ts';

/** Length from which a review on the broker's page is shortened, with the rest behind a click. */
const EXCERPT = 600;

const prose = (text: string): Html => html`<p class="prose">${text}</p>`;

const shortened = (text: string, more: string): Html => {
  const [start, rest] = splitText(text, EXCERPT);
  return html`${prose(start)}${rest !== '' && html`<details class="more"><summary>${more}</summary>${prose(rest)}</details>`}`;
};

interface ReviewOptions {
  /** Address of the review. */
  readonly at: string;
  /** True if it is one of the newest on the broker's page, below the heading of their section. */
  readonly isShort: boolean;
}

/** Renders a review with the reply of the broker. Texts of people have their own language and direction. */
export const reviewItem = (context: PageContext, review: Review, { at, isShort }: ReviewOptions): Html => {
  const { format, texts } = context;
  const words = texts.broker.reviews;
  const { id, rating, title, content, language, author, identityVerified, createdAt, reply } = review;
  const own = html` lang="${language}" dir="auto"`;
  return html`
<li class="record review" id="review-${id}">
<article>
${isShort ? html`<h3${own}>${title}</h3>` : html`<h2${own}>${title}</h2>`}
<p class="record-by"><strong>${words.rated({ rating: format.number(rating) })}</strong> · ${toBdi(author.displayName)}${
    author.country !== undefined && html`, ${format.country(author.country)}`
  }, <span class="${identityVerified ? 'verified' : 'unconfirmed-word'}">${identityVerified ? words.verified : words.unverified}</span> · <a href="${at}#review-${id}" aria-label="${words.permalink}, ${format.day(createdAt)}">${day(context, createdAt)}</a>${
    context.has(REPORT_PATH) &&
    html` · <a href="${addressIn(context, REPORT_PATH.replace(':id', id))}" rel="nofollow" aria-label="${texts.cases.report}, ${format.day(createdAt)}">${words.report}</a>`
  }</p>
<div${own}>${isShort ? shortened(content, words.more) : prose(content)}</div>
${
  reply &&
  html`<div class="reply"><p class="record-by">${words.reply}, ${day(context, reply.createdAt)}</p><div dir="auto">${isShort ? shortened(reply.content, words.more) : prose(reply.content)}</div></div>`
}
</article>
</li>`;
};

/** Renders the reviews in numbers. */
export const ratingSummary = (
  context: PageContext,
  broker: Pick<BrokerDetail, 'slug' | 'ratingSummary' | 'ratingsByMonth'>,
): Html => {
  const { format, texts } = context;
  const words = texts.broker.reviews;
  const { average, bayesianAverage, count } = broker.ratingSummary;
  if (average === null) return html`<p><strong>${words.empty}</strong> ${words.emptyText}</p>`;
  const all = texts.broker.reviewCount({ count });
  return html`
<p>${words.summary({ average: format.fixed(average, 2), count: all })} ${words.weighted({ stars: format.fixed(bayesianAverage, 2) })}</p>
${ratingDistribution(context, broker)}
${ratingsOverTime(context, broker)}`;
};

/** Renders the newest reviews, with a link to all of them. */
export const reviews = (view: BrokerView): Html => {
  const { context, texts, broker } = view;
  const { recentReviews } = broker;
  const at = addressFor(context, `/brokers/${broker.slug}/reviews`);
  return section(view, 'reviews', [
    ratingSummary(context, broker),
    recentReviews.length > 0 &&
      html`
<p class="soft">${texts.reviews.newest}</p>
<ul class="records">${recentReviews.map((review) => reviewItem(context, review, { at, isShort: true }))}</ul>
<p class="soft">${texts.reviews.verifiedMeans}</p>
<p><a class="button" href="${at}">${texts.reviews.all}</a></p>`,
    schemaOrg(context, broker), // beside the texts that it repeats, it compresses to a third
  ]);
};
