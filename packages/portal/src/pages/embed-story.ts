import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { html, isolateText } from '../html.ts';
import { addressIn } from '../languages.ts';
import { definePage } from '../page.ts';
import { framed } from '../parts/framed.ts';
import { describeBadge } from '../spread/badge.ts';
import { storyChart } from '../story/chart.ts';
import { readToldStory } from '../story/read.ts';
import { isClone } from './broker/state.rule.ts';

/** The score and the events of a broker on one time axis, in a frame of another site. */
export const embedStory = definePage(
  '/embed/brokers/:slug/story',
  { params: z.object({ slug: Slug }), query: z.object({}), limit: 'badges', costs: 'history' },
  async (context, { params: { slug } }) => {
    const broker = await context.client.brokers.get(slug);
    if (broker.slug !== slug) return { movedTo: `/embed/brokers/${broker.slug}/story` };
    if (isClone(broker)) return { movedTo: `/embed/brokers/${slug}` }; // a clone has no score there
    const { texts, publicUrl } = context;
    const { line, color } = describeBadge(broker, context);
    const page = `${publicUrl}${addressIn(context, `/brokers/${slug}/history`)}`;
    const told = await readToldStory(context, slug);
    return {
      html: framed(context, {
        title: texts.story.frameTitle({ name: broker.name }),
        head: html`<link rel="canonical" href="${page}">\n`,
        body: html`<h1>${texts.story.frameTitle({ name: isolateText(broker.name) })}</h1>
<p class="verdict ${color}">${line}</p>
${storyChart(context, broker, { ...told, hasLinks: false })}<p><a href="${page}" target="_blank" rel="noopener">${texts.spread.evidence}</a></p>
<p class="soft">${texts.spread.noAdvice}</p>`,
      }),
      isFramed: true,
    };
  },
);
