import { BASE_PATH, contract } from '@broker-transparency/contract';
import { addCacheTags } from '../../http/cache/cached-routes.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { createAddressFormatter } from '../../http/request/canonical.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import { SlugRedirect } from '../../http/response/moved.ts';
import { requireBroker, requireOpenBroker } from '../brokers/facts.ts';
import { submitReview } from './actions.ts';
import { listPublished } from './store.ts';
import { toReviewView, toSubmittedView } from './view.ts';

const formatAddress = createAddressFormatter(contract.reviews.list, BASE_PATH);

export const reviewRoutes = ({ db, once }: RouteParts) => ({
  public: {
    reviews: initServer().router(contract.reviews, {
      list: async (args) => {
        const { query } = args;
        const { broker: asked, limit, cursor } = query;
        const position = cursor === undefined ? undefined : decodeCursor(cursor);
        const { slug, keys, status } = await requireBroker(db, asked);
        addCacheTags(args, [`broker:${slug}`, ...keys.map((key) => `reviews:${key}`)]);
        if (slug !== asked)
          throw new SlugRedirect(formatAddress({ params: {}, query: { ...query, broker: slug } }), slug);
        const rows = await listPublished(db, keys, limit, position);
        const page = toPage(rows, limit, (row) => ({ at: row.publishedAt ?? row.createdAt, id: String(row._id) }));
        return {
          status: 200,
          body: { data: page.data.map((row) => toReviewView(row, { slug, status })), pagination: page.pagination },
        };
      },
      create: ({ req, body }) =>
        once({ req, body }, async (c, author) => {
          const broker = await requireOpenBroker(c.db, body.broker);
          return toSubmittedView(await submitReview(c, author, body, broker), broker.slug);
        }),
    }),
  },
});
