import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { html, isolateText } from '../html.ts';
import { layout } from '../layout.ts';
import { definePage } from '../page.ts';
import { addressFor, Residence } from '../parts/residence.ts';
import { CHECK_SCRIPTS, checkSection } from './broker/check.ts';
import { isClone } from './broker/state.rule.ts';
import { scoreWords } from './broker-history/changes.ts';

/** Recomputes the score of a broker and verifies its proof, in the browser or by command. */
export const brokerProof = definePage(
  '/brokers/:slug/proof',
  { params: z.object({ slug: Slug }), query: z.object({ residence: Residence }) },
  async (context, { params }) => {
    const broker = await context.client.brokers.get(params.slug);
    if (broker.slug !== params.slug) return { movedTo: `/brokers/${broker.slug}/proof` };
    const { proof, reviews } = context.texts.broker;
    const { value, color } = broker.score;
    return {
      html: layout(context, {
        title: proof.title({ name: broker.name }),
        description: proof.description({ name: broker.name }),
        scripts: CHECK_SCRIPTS,
        body: html`<p><a href="${addressFor(context, `/brokers/${broker.slug}`)}">${reviews.back({ name: isolateText(broker.name) })}</a></p>
<h1>${proof.title({ name: isolateText(broker.name) })}</h1>
<p class="lead">${isClone(broker) ? context.texts.broker.alarm.clone : html`${proof.score} ${scoreWords(context, value, color)}`}</p>
${checkSection(context, broker)}`,
      }),
    };
  },
);
