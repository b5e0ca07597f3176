import type { BrokerDetail } from '@broker-transparency/client';
import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { readScoreHistory } from '../history.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { feedHead } from '../parts/follow.ts';
import { brokerMark } from '../parts/mark.ts';
import { ResidenceOrAll } from '../parts/residence.ts';
import { wordFor } from '../words.ts';
import { checkLine } from './broker/check.ts';
import { complaints } from './broker/complaints.ts';
import { disclosures } from './broker/disclosures.ts';
import { firm } from './broker/firm.ts';
import { hero } from './broker/hero.ts';
import { history } from './broker/history.ts';
import { licences } from './broker/licences.ts';
import { moderation } from './broker/moderation.ts';
import type { BrokerView, SectionName } from './broker/parts.ts';
import { reviews } from './broker/reviews.ts';
import { score } from './broker/score.ts';
import { sources } from './broker/sources.ts';
import { takePart } from './broker/take-part.ts';
import { unknown } from './broker/unknown.ts';
import { warnings } from './broker/warnings.ts';

/** The sections in order: what decides for most people comes first, evidence for experts last. */
const SECTIONS: readonly (readonly [SectionName, (view: BrokerView) => Html])[] = [
  ['warnings', warnings],
  ['licences', licences],
  ['score', score],
  ['complaints', complaints],
  ['reviews', reviews],
  ['history', history],
  ['check', checkLine],
  ['unknown', unknown],
  ['firm', firm],
  ['disclosures', disclosures],
  ['moderation', moderation],
  ['sources', sources],
  ['takePart', takePart],
];

const successorName = async ({ client }: PageContext, slug: string | undefined): Promise<string | undefined> =>
  slug === undefined ? undefined : (await client.safe.brokers.get(slug)).data?.name;

const read = async (context: PageContext, broker: BrokerDetail): Promise<BrokerView> => {
  const [{ data }, { data: moderation }, history, successor, mark] = await Promise.all([
    context.client.regulators.list(),
    context.client.safe.record.moderation(broker.slug),
    readScoreHistory(context, broker.slug).catch(() => undefined),
    successorName(context, broker.successor),
    brokerMark(context, broker),
  ]);
  const regulators = new Map(data.map((regulator) => [regulator.code, regulator]));
  return { context, texts: context.texts.broker, broker, regulators, mark, moderation, history, successor };
};

const contentsList = ({ texts }: BrokerView): Html =>
  html`<ul>${SECTIONS.map(([name]) => html`<li><a href="#${name}">${texts.sections[name]}</a></li>`)}</ul>`;

/** Renders the names of the sections, folded where there is no room beside them. Only one of the two is displayed. */
const contents = (view: BrokerView): Html => {
  const label = view.texts.onThisPage;
  return html`
<nav class="page-contents" aria-label="${label}">${contentsList(view)}</nav>
<details class="page-contents-fold"><summary>${label}</summary><nav aria-label="${label}">${contentsList(view)}</nav></details>`;
};

const ratingText = ({ texts, format }: PageContext, { status, score: { value, color } }: BrokerDetail): string => {
  if (status === 'suspected_clone') return texts.broker.alarm.clone;
  const word = wordFor(texts.colors, color);
  return value === null ? word : `${format.fixed(value, 1)} ${texts.broker.hero.outOf}, ${word}`;
};

/** A broker, with the evidence for every statement about it. */
export const broker = definePage(
  '/brokers/:slug',
  { params: z.object({ slug: Slug }), query: z.object({ residence: ResidenceOrAll }), costs: 'history' },
  async (context, { params, query: { residence } }) => {
    const found = await context.client.brokers.get(params.slug);
    if (found.slug !== params.slug) return { movedTo: `/brokers/${found.slug}` };
    const view = await read(context, found);
    return {
      html: layout(context, {
        title: view.texts.title({ name: found.name }),
        description: view.texts.description({ name: found.name, rating: ratingText(context, found) }),
        head: feedHead(
          context,
          `/brokers/${found.slug}/feed.atom`,
          context.texts.spread.follow.brokerTitle({ name: found.name }),
        ),
        picture: { path: `/brokers/${found.slug}/card.png`, alt: context.texts.spread.frameName({ name: found.name }) },
        body: html`${hero(view, residence)}
<div class="broker">
${contents(view)}
<div class="broker-parts">${SECTIONS.map(([, section]) => section(view))}</div>
</div>`,
      }),
    };
  },
);
