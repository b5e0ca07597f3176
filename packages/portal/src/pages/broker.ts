import type { BrokerDetail } from '@broker-transparency/client';
import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { readScoreHistory } from '../history.ts';
import { type Html, html } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage, type PageContext } from '../page.ts';
import { Residence } from '../parts/residence.ts';
import { schemaOrg } from '../spread/schema-org.ts';
import { wordFor } from '../words.ts';
import { CHECK_SCRIPTS, checkSection } from './broker/check.ts';
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

/** The sections in order. */
const SECTIONS: readonly (readonly [SectionName, (view: BrokerView) => Html])[] = [
  ['warnings', warnings],
  ['score', score],
  ['history', history],
  ['check', ({ context, broker }) => checkSection(context, broker)],
  ['unknown', unknown],
  ['licences', licences],
  ['firm', firm],
  ['disclosures', disclosures],
  ['complaints', complaints],
  ['reviews', reviews],
  ['moderation', moderation],
  ['sources', sources],
  ['takePart', takePart],
];

const successorName = async ({ client }: PageContext, slug: string | undefined): Promise<string | undefined> =>
  slug === undefined ? undefined : (await client.safe.brokers.get(slug)).data?.name;

const read = async (context: PageContext, broker: BrokerDetail): Promise<BrokerView> => {
  const [{ data }, { data: moderation }, history, successor] = await Promise.all([
    context.client.regulators.list(),
    context.client.safe.record.moderation(broker.slug),
    readScoreHistory(context, broker.slug).catch(() => undefined),
    successorName(context, broker.successor),
  ]);
  const regulators = new Map(data.map((regulator) => [regulator.code, regulator]));
  return { context, texts: context.texts.broker, broker, regulators, moderation, history, successor };
};

const contents = ({ texts }: BrokerView): Html => html`
<nav class="page-contents" aria-label="${texts.onThisPage}"><ul>${SECTIONS.map(
  ([name]) => html`<li><a href="#${name}">${texts.sections[name]}</a></li>`,
)}</ul></nav>`;

const ratingText = ({ texts, format }: PageContext, { status, score: { value, color } }: BrokerDetail): string => {
  if (status === 'suspected_clone') return texts.broker.alarm.clone;
  const word = wordFor(texts.colors, color);
  return value === null ? word : `${format.fixed(value, 1)} ${texts.broker.hero.outOf}, ${word}`;
};

/** A broker, with the evidence for every statement about it. */
export const broker = definePage(
  '/brokers/:slug',
  { params: z.object({ slug: Slug }), query: z.object({ residence: Residence }), costs: 'history' },
  async (context, { params, query: { residence } }) => {
    const found = await context.client.brokers.get(params.slug);
    if (found.slug !== params.slug) return { movedTo: `/brokers/${found.slug}` };
    const view = await read(context, found);
    return {
      html: layout(context, {
        title: view.texts.title(found.name),
        description: view.texts.description(found.name, ratingText(context, found)),
        head: schemaOrg(context, found),
        scripts: CHECK_SCRIPTS,
        body: html`${hero(view, residence)}
<div class="broker">
${contents(view)}
<div class="broker-parts">${SECTIONS.map(([, section]) => section(view))}</div>
</div>`,
      }),
    };
  },
);
