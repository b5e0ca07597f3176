import { accountContract, contract } from '@broker-transparency/contract';
import { requirePrincipal } from '../../http/auth/access.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import type { RouteParts } from '../../http/endpoints/route-parts.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import { requirePast } from '../../http/request/submission.ts';
import { requireOpenBroker, resolveCurrentSlugs } from '../brokers/facts.ts';
import { submitComplaint } from './actions.ts';
import { listByAccount } from './store.ts';
import { receiptView } from './view.ts';

export const complaintRoutes = ({ db, once, complaintsPerDay }: RouteParts) => ({
  public: {
    complaints: initServer().router(contract.complaints, {
      create: ({ req, body }) =>
        once({ req, body }, async (c, author) => {
          requirePast('occurredAt', body.occurredAt, c.now);
          const { key, slug } = await requireOpenBroker(c.db, body.broker);
          return receiptView(await submitComplaint(c, author, { ...body, broker: key }, complaintsPerDay), slug);
        }),
    }),
  },
  account: {
    complaints: initServer().router(accountContract.complaints, {
      list: async ({ req, query: { limit, cursor } }) => {
        const { accountId } = requirePrincipal(req);
        const rows = await listByAccount(db, accountId, limit, cursor === undefined ? undefined : decodeCursor(cursor));
        const page = toPage(rows, limit, (row) => ({ at: row.createdAt, id: row._id }));
        const toCurrentSlug = await resolveCurrentSlugs(
          db,
          page.data.map(({ broker }) => broker),
        );
        const data = page.data.map((complaint) => receiptView(complaint, toCurrentSlug(complaint.broker)));
        return { status: 200, body: { data, pagination: page.pagination } };
      },
    }),
  },
});
