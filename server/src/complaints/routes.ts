import { accountContract, contract } from '@broker-transparency/contract';
import { initServer } from '@ts-rest/express';
import { requirePrincipal } from '../http/access.ts';
import { decodeCursor, toPage } from '../http/cursor.ts';
import { createOnce } from '../http/idempotency.ts';
import { takeBackIfErased } from '../people/actions.ts';
import type { Clock } from '../platform/clock.ts';
import { submitComplaint } from './actions.ts';
import { listByAccount } from './store.ts';
import { receiptView } from './view.ts';

/** `perDay`: complaints of one account. */
export const complaintRoutes = (clock: Clock, perDay: number) =>
  initServer().router(contract.complaints, {
    create: ({ body, req, res }) =>
      createOnce(
        ...([req, res, clock, body] as const),
        async (context, author, tx) => receiptView(await submitComplaint(context, author, body, perDay, tx)),
        takeBackIfErased,
      ),
  });

/** What people see of their own complaints. */
export const accountComplaintRoutes = () =>
  initServer().router(accountContract.complaints, {
    list: async ({ req, query: { limit, cursor } }) => {
      const { accountId } = requirePrincipal(req);
      const rows = await listByAccount(accountId, limit, cursor === undefined ? undefined : decodeCursor(cursor));
      const page = toPage(rows, limit, (row) => ({ at: row.createdAt, id: row._id }));
      return { status: 200, body: { data: page.data.map(receiptView), pagination: page.pagination } };
    },
  });
