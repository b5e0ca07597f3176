import { Slug } from '@broker-transparency/contract';
import * as z from 'zod';
import { definePage } from '../page.ts';
import { drawBrokerCard, drawSiteCard } from '../pictures/cards.ts';
import { iconPicture } from '../pictures/picture.ts';

/** Drawing a picture is heavy work, as reading the record is. */
const DRAWN = { query: z.object({}), costs: 'history' } as const;
const NOTHING = { ...DRAWN, params: z.object({}) } as const;

/** The side of the icon that phones put among their applications. */
const ICON_SIDE = 180;
const ICON_PATH = '/apple-touch-icon.png';

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

const siteCard = definePage('/card.png', NOTHING, async (context) => ({ picture: drawSiteCard(context) }));

const icon = definePage(ICON_PATH, { ...NOTHING, isTranslated: false }, async () => ({
  picture: iconPicture(ICON_SIDE),
}));

/** Browsers that read no icon from a page ask for this one. */
const favicon = definePage(
  '/favicon.ico',
  { params: z.object({}), query: z.object({}), isTranslated: false },
  async () => ({ movedTo: ICON_PATH }),
);

/** Pictures of the service and of brokers. */
export const PICTURES = [brokerCard, siteCard, icon, favicon] as const;
