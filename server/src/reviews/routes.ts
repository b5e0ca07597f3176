import { contract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { requireBroker } from '../brokers/facts.ts';
import { decodeCursor, toPage } from '../http/cursor.ts';
import { createOnce } from '../http/idempotency.ts';
import { takeBackIfErased } from '../people/actions.ts';
import type { Clock } from '../platform/clock.ts';
import { submitReview } from './actions.ts';
import { listPublished } from './store.ts';
import { reviewView, submittedView } from './view.ts';

export const reviewRoutes = (clock: Clock) =>
  initServer().router(contract.reviews, {
    list: async ({ query: { broker, limit, cursor } }) => {
      const position = cursor === undefined ? undefined : decodeCursor(cursor);
      await requireBroker(broker);
      const rows = await listPublished(broker, limit, position);
      const page = toPage(rows, limit, (row) => ({ at: row.publishedAt ?? row.createdAt, id: String(row._id) }));
      return { status: 200, body: { data: page.data.map(reviewView), pagination: page.pagination } };
    },
    create: ({ body, req, res }) =>
      createOnce(
        ...([req, res, clock, body] as const),
        async (context, author, tx) => submittedView(await submitReview(context, author, body, tx)),
        takeBackIfErased,
      ),
  });
