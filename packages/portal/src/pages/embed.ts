import type { BrokerDetail } from '@broker-transparency/client';
import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { definePage, type PageContext } from '../page.ts';
import { framed } from '../parts/framed.ts';
import { licenseWords } from '../parts/license-words.ts';
import { SERVICE_NAME } from '../service.ts';
import { describeBadge } from '../spread/badge.ts';

const card = (context: PageContext, broker: BrokerDetail): Html => {
  const { texts, format, publicUrl } = context;
  const said = texts.spread;
  const { line, color } = describeBadge(broker, context);
  const page = `${publicUrl}${addressIn(context, `/brokers/${broker.slug}`)}`;
  const checked = broker.licensesCheckedAt;
  const isGenuine = broker.status !== 'suspected_clone'; // the licences of a clone are those of its victim
  return framed(context, {
    title: said.frameName({ name: broker.name }),
    head: html`<link rel="canonical" href="${page}">\n`,
    body: html`<h1>${toBdi(broker.name)}</h1>
<p class="verdict ${color}">${line}</p>
${
  isGenuine &&
  html`<p>${licenseWords(context, broker.licenseCounts).join(', ')} · ${said.reviews({ count: broker.ratingSummary.count })}</p>
<p>${checked === null ? said.neverChecked : said.checked({ day: format.day(checked) })}</p>
`
}<p><a href="${page}" target="_blank" rel="noopener">${said.evidence}</a></p>
<p class="soft">${said.said({ service: SERVICE_NAME, day: format.day(broker.updatedAt) })}. ${said.noAdvice}</p>`,
  });
};

/** Facts about a broker, in a frame of another site. */
export const embed = definePage(
  '/embed/brokers/:slug',
  { params: z.object({ slug: Slug }), query: z.object({}), limit: 'badges' },
  async (context, { params: { slug } }) => {
    const found = await context.client.brokers.get(slug);
    if (found.slug !== slug) return { movedTo: `/embed/brokers/${found.slug}` };
    return { html: card(context, found), isFramed: true };
  },
);
