import type { RegulatorDetail } from '@broker-transparency/client';
import { QueryInteger, RegulatorCode } from '@broker-transparency/contract';
import * as z from 'zod';
import { type Html, html, isolateText, toBdi } from '../html.ts';
import { addressIn } from '../languages.ts';
import { layout } from '../layout.ts';
import { renderExternalLink } from '../links.ts';
import { definePage, type PageContext } from '../page.ts';
import { feedHead, followLink } from '../parts/follow.ts';
import { computePosition, formatRange, listTable, pageLinks } from '../parts/list.ts';
import { rating } from '../parts/rating.ts';
import { findWord, wordFor } from '../words.ts';

/** Number of brokers per page. */
const SIZE = 50;

/** Renders a link to another site, with its address as text. */
const outward = (url: string): Html => renderExternalLink(url, toBdi(url));

const staleness = ({ texts: { find }, format }: PageContext, { lastVerifiedAt, stale }: RegulatorDetail): Html => {
  const words = find.regulator;
  if (lastVerifiedAt !== null && stale !== true)
    return html`<p class="soft">${words.checkedOn({ time: format.day(lastVerifiedAt) })}</p>`;
  const text = lastVerifiedAt === null ? words.neverText : words.staleText({ time: format.day(lastVerifiedAt) });
  return html`<section class="notice" aria-labelledby="stale"><h2 id="stale">${words.staleTitle}</h2><p>${text}</p></section>`;
};

const protections = ({ texts, format }: PageContext, { protections: given }: RegulatorDetail): Html => {
  const words = texts.find.regulator;
  const { notKnown } = texts.site;
  const said = (value: boolean | null): string => (value === null ? notKnown : value ? words.yes : words.no);
  const { compensationLimit, negativeBalance, segregation, retailLeverageCap, retailLeveragedFx } = given;
  const rows: readonly [string, string][] = [
    [
      words.compensation,
      compensationLimit === null
        ? words.noneOrUnknown
        : words.compensationUpTo({ amount: format.money(compensationLimit) }),
    ],
    [words.negativeBalance, said(negativeBalance)],
    [words.segregation, said(segregation)],
    [
      words.leverage,
      retailLeverageCap === null ? words.noneOrUnknown : words.leverageOf({ cap: format.number(retailLeverageCap) }),
    ],
    [words.retail, retailLeveragedFx == null ? notKnown : wordFor(words.retailValues, retailLeveragedFx)],
  ];
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
};

const brokerList = (context: PageContext, { brokers, code }: RegulatorDetail, page: number | undefined): Html => {
  const { texts, prefix } = context;
  const { regulator: words, row } = texts.find;
  if (brokers.length === 0) return html`<p>${words.noBrokers}</p>`;
  const place = computePosition(page, brokers.length, SIZE);
  const rows = brokers.slice(place.offset, place.offset + SIZE);
  const licences = ({ licenses }: (typeof rows)[number]): Html =>
    html`${licenses.map(
      ({ entity, referenceNumber, status }) =>
        html`<span class="line">${words.holder({ entity: isolateText(entity), number: isolateText(referenceNumber) })}: ${wordFor(words.statuses, status)}</span>`,
    )}`;
  const table = listTable({
    name: 'regulated',
    caption: words.range(formatRange(context, place, rows.length, brokers.length)),
    rows,
    columns: [
      [row.broker, ({ slug, name }) => html`<a href="${prefix}/brokers/${slug}">${toBdi(name)}</a>`],
      [row.score, (broker) => rating(context, { ...broker, value: broker.score }), 'number'],
      [words.licences, licences],
    ],
  });
  return html`${table}<p class="soft">${words.held} ${row.scale}</p>
${pageLinks(context, `/regulators/${code}`, {}, place)}`;
};

/**
 * A regulator: the reason for its tier, its protection of clients, instructions for a check by hand, and its brokers.
 */
export const regulator = definePage(
  '/regulators/:code',
  {
    params: z.object({ code: RegulatorCode }),
    query: z.object({ page: QueryInteger(1, 2000).optional().catch(undefined) }),
  },
  async (context, { params: { code }, query: { page } }) => {
    const { texts, format, client } = context;
    const { regulator: words, tiers, tier } = texts.find;
    const found = await client.regulators.get(code);
    return {
      html: layout(context, {
        title: found.name,
        description: words.description({ name: found.name }),
        head: feedHead(
          context,
          `/regulators/${code}/feed.atom`,
          texts.spread.follow.regulatorTitle({ name: found.name }),
        ),
        body: html`<h1>${toBdi(found.name)}</h1>
<p class="lead">${findWord(tiers, found.tier) ?? tier({ tier: String(found.tier) })}. ${format.country(found.country)}, ${found.code.toUpperCase()}.</p>
${followLink(context, `/regulators/${code}/feed.atom`, texts.spread.follow.regulator)}
${staleness(context, found)}
<section aria-labelledby="why"><h2 id="why">${words.why}</h2>
<p lang="en">${toBdi(found.tierReason)}</p>
<p><a href="${addressIn(context, '/methodology')}">${words.criteria}</a></p></section>
<section aria-labelledby="protections"><h2 id="protections">${words.protections}</h2>
${protections(context, found)}</section>
<section aria-labelledby="by-hand"><h2 id="by-hand">${words.byHand}</h2>
<ol class="by-hand">${words.steps.map((step) => html`<li>${step}</li>`)}</ol>
<dl class="facts"><div><dt>${words.register}</dt><dd>${outward(found.registerUrl)}</dd></div><div><dt>${words.website}</dt><dd>${outward(found.website)}</dd></div><div><dt>${words.complain}</dt><dd>${outward(found.complaintsUrl)}</dd></div></dl></section>
<section aria-labelledby="brokers"><h2 id="brokers">${words.brokers}</h2>
${brokerList(context, found, page)}</section>
<section aria-labelledby="sources"><h2 id="sources">${words.sources}</h2>
<dl class="facts">${found.sources.map(({ fact, url }) => html`<div><dt>${wordFor(words.sourcesOf, fact)}</dt><dd>${outward(url)}</dd></div>`)}</dl></section>`,
      }),
    };
  },
);
