import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { definePage } from '../page.ts';
import { drawBrokerCard, drawSiteCard } from '../pictures/cards.ts';
import { iconPicture } from '../pictures/picture.ts';
import { drawStoryCard } from '../pictures/story-card.ts';
import { TOUCH_ICON } from '../pictures/touch-icon.ts';
import { readToldStory } from '../story/read.ts';

/** Drawing a picture is heavy work, as reading the record is. */
const DRAWN = { query: z.object({}), costs: 'history' } as const;
const NOTHING = { ...DRAWN, params: z.object({}) } as const;

/** The picture of a broker, which other services show beside links to its page. */
const brokerCard = definePage(
  '/brokers/:slug/card.png',
  { ...DRAWN, params: z.object({ slug: Slug }) },
  async (context, { params: { slug } }) => {
    const found = await context.client.brokers.get(slug);
    if (found.slug !== slug) return { movedTo: `/brokers/${found.slug}/card.png` };
    return { picture: drawBrokerCard(found, context) };
  },
);

/** The picture of a broker's story, which other services show beside links to its history. */
const storyCard = definePage(
  '/brokers/:slug/story.png',
  { ...DRAWN, params: z.object({ slug: Slug }) },
  async (context, { params: { slug } }) => {
    const found = await context.client.brokers.get(slug);
    if (found.slug !== slug) return { movedTo: `/brokers/${found.slug}/story.png` };
    return { picture: drawStoryCard(found, await readToldStory(context, slug), context) };
  },
);

const siteCard = definePage('/card.png', NOTHING, async (context) => ({ picture: drawSiteCard(context) }));

const icon = definePage(TOUCH_ICON.path, { ...NOTHING, isTranslated: false }, async () => ({
  picture: iconPicture(TOUCH_ICON.side),
}));

/** Browsers that read no icon from a page ask for this one. */
const favicon = definePage(
  '/favicon.ico',
  { params: z.object({}), query: z.object({}), isTranslated: false },
  async () => ({ movedTo: TOUCH_ICON.path }),
);

/** Pictures of the service and of brokers. */
export const PICTURES = [brokerCard, storyCard, siteCard, icon, favicon] as const;
