import type { BrokerDetail, BrokersListQuery } from '@broker-transparency/client';
import * as z from 'zod';
import { complaintOutcomes } from '../charts/complaint-outcomes.ts';
import { licenseTimeline } from '../charts/license-timeline.ts';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { brokerTable, statusMark, warningLine } from '../parts/broker-table.ts';
import { drawTiers, drawWeights } from '../parts/illustrations.ts';
import { licenseWords } from '../parts/license-words.ts';
import { pageLinks } from '../parts/list.ts';
import { rating } from '../parts/rating.ts';
import { residenceField } from '../parts/residence.ts';
import { scoreScale } from '../parts/score-scale.ts';
import { verdictLine } from '../parts/verdict-line.ts';
import { describeBadge } from '../spread/badge.ts';
import { ratingWord } from './broker/parts.ts';
import { ratingSummary, reviewItem } from './broker/reviews.ts';

/** The states of a firm that pages tell apart, with the filter that finds firms in it. */
const STATES: Readonly<Record<string, BrokersListQuery>> = {
  good: { color: 'green' },
  mixed: { color: 'yellow' },
  poor: { color: 'red', status: 'operating', warnings: 'unknown' },
  unrated: { color: 'gray', status: 'operating' },
  warned: { warnings: 'standing', status: 'operating' },
  'no confirmed licence': { license: 'none', status: 'operating' },
  'suspected clone': { status: 'suspected_clone' },
  ceased: { status: 'ceased' },
  merged: { status: 'merged' },
};

/** Pages about one broker, which show the larger parts in each state. */
const PAGES_OF_BROKER = ['', '/proof', '/history', '/reviews', '/card.png'];

const RESIDENCES = ['DE', 'GB', 'US'];

const example = async (context: PageContext, filter: BrokersListQuery): Promise<BrokerDetail | undefined> => {
  const { data } = await context.client.brokers.list({ ...filter, limit: 1 });
  return data[0] && context.client.brokers.get(data[0].slug);
};

const renderState = (context: PageContext, state: string, broker: BrokerDetail | undefined): Html => {
  if (!broker) return html`<h2>${state}</h2>\n<p>No broker is in this state.</p>\n`;
  const { slug, name, score, color, status, warnings, licenseCounts, recentReviews } = broker;
  const [review] = recentReviews;
  const badge = describeBadge(broker, context);
  return html`<section>
<h2>${state}: ${toBdi(name)}</h2>
<ul>${PAGES_OF_BROKER.map((path) => html`<li><a href="${addressIn(context, `/brokers/${slug}${path}`)}">${path === '' ? 'page' : path}</a></li>\n`)}
<li><a href="/embed/brokers/${slug}">frame</a></li></ul>
<p><img src="/badges/${slug}.svg" alt="${badge.line}" width="230" height="60"></p>
<p>${ratingWord(context, color)} · ${rating(context, { color, status, value: score.value })} ${statusMark(context, status)}</p>
${scoreScale(context, score)}
<p>${warningLine(context, warnings)}</p>
<p>${licenseWords(context, licenseCounts).join(', ')}</p>
${RESIDENCES.map((residence) => verdictLine(context, broker, residence, true))}
${licenseTimeline(context, broker)}
${complaintOutcomes(context, broker)}
${ratingSummary(context, broker)}
${review && html`<ul class="records">${reviewItem(context, review, { at: addressIn(context, `/brokers/${slug}/reviews`), isShort: true })}</ul>`}
</section>
`;
};

/** All components in all states of a firm, from the data of a demo. No other service has this page. */
export const gallery = definePage('/dev/gallery', { params: z.object({}), query: z.object({}) }, async (context) => {
  const brokers = await Promise.all(Object.values(STATES).map((filter) => example(context, filter)));
  const found = brokers.filter((broker) => broker !== undefined);
  return {
    html: layout(context, {
      title: 'Gallery',
      description: 'All components in all states.',
      isUnlisted: true,
      body: html`<div lang="en">
<h1>Gallery</h1>
<p class="lead">Each component of the site in each state of a firm. Every firm here is fictional.</p>
<h2>List</h2>
${brokerTable(context, 'One firm in each state', found)}
${pageLinks(context, '/brokers', {}, { page: 2, last: 3, offset: 0 })}
<h2>Form</h2>
<form class="search" action="${addressIn(context, '/brokers')}" method="get"><p class="lives">${residenceField(context)}</p>
<button>Send</button></form>
<h2>Drawings</h2>
${drawWeights(context)}
${drawTiers(context)}
${Object.keys(STATES).map((state, at) => renderState(context, state, brokers[at]))}</div>`,
    }),
  };
});
