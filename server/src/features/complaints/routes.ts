import { accountContract, contract } from '@broker-transparency/contract';
import { requirePrincipal } from '../../http/auth/access.ts';
import { initServer } from '../../http/endpoints/rest.ts';
import { decodeCursor, toPage } from '../../http/request/cursor.ts';
import type { IdempotentRunner } from '../../http/request/idempotency.ts';
import { requirePast } from '../../http/request/submission.ts';
import type { Db } from '../../platform/mongo.ts';
import { requireOpenBroker, resolveCurrentSlugs } from '../brokers/facts.ts';
import { submitComplaint } from './actions.ts';
import { listByAccount } from './store.ts';
import { receiptView } from './view.ts';

/** Routes for complaints. @param perDay complaints that an account may send within 24 hours */
export const complaintRoutes = (once: IdempotentRunner, perDay: number) =>
  initServer().router(contract.complaints, {
    create: ({ req, body }) =>
      once({ req, body }, async (c, author) => {
        requirePast('occurredAt', body.occurredAt, c.now);
        const { key, slug } = await requireOpenBroker(c.db, body.broker);
        return receiptView(await submitComplaint(c, author, { ...body, broker: key }, perDay), slug);
      }),
  });

/** Routes for people's own complaints. */
export const accountComplaintRoutes = (db: Db) =>
  initServer().router(accountContract.complaints, {
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
  });
