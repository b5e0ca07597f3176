import { contract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import type { Once } from '../../http/request/idempotency.ts';
import { requireBroker } from '../brokers/facts.ts';
import { submitReview } from './actions.ts';
import { listPublished } from './store.ts';
import { reviewView, submittedView } from './view.ts';

export const reviewRoutes = (once: Once) =>
  initServer().router(contract.reviews, {
    list: async ({ query: { broker, limit, cursor } }) => {
      const position = cursor === undefined ? undefined : decodeCursor(cursor);
      await requireBroker(broker);
      const rows = await listPublished(broker, limit, position);
      const page = toPage(rows, limit, (row) => ({ at: row.publishedAt ?? row.createdAt, id: String(row._id) }));
      return { status: 200, body: { data: page.data.map(reviewView), pagination: page.pagination } };
    },
    create: ({ req, body }) =>
      once({ req, body }, async (c, author) => submittedView(await submitReview(c, author, body))),
  });
